import type { Rows } from '../../timeline/rows.ts'
import { childrenOf, spanAt, type Timeline } from '../../timeline/timeline.ts'
import { opensUp, type ViewChange } from './view-state.ts'

export interface GridPlace {
  readonly timeline: Timeline
  readonly rows: Rows
  readonly folded: ReadonlySet<number>
  readonly selected: number
  readonly pageRows: number
}

/**
 * What a key in the grid does, row first: up and down move, left and right fold. Null for a key that is not the grid's; `j`
 * and `k` are the registry's.
 */
export function gridMove(
  press: { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean },
  place: GridPlace,
): ViewChange | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null
  const { rows, selected, pageRows } = place
  const row = Math.max(0, rows.rowOf[selected] ?? 0)
  switch (press.key) {
    case 'ArrowDown':
      return goTo(rows, row + 1)
    case 'ArrowUp':
      return goTo(rows, row - 1)
    case 'PageDown':
      return goTo(rows, row + pageRows)
    case 'PageUp':
      return goTo(rows, row - pageRows)
    case 'Home':
      return goTo(rows, 0)
    case 'End':
      return goTo(rows, rows.ids.length - 1)
    case 'ArrowRight':
      return unfold(place, row)
    case 'ArrowLeft':
      return foldOrRise(place)
    case 'Enter':
      return { type: 'select', id: selected, opens: true }
    case ' ':
      return { type: 'peek' }
    case '*':
      return foldSiblings(place)
    default:
      return null
  }
}

function goTo(rows: Rows, row: number): ViewChange {
  const last = rows.ids.length - 1
  return { type: 'select', id: rows.ids[Math.max(0, Math.min(last, row))] ?? 0 }
}

function unfold({ timeline, rows, folded, selected }: GridPlace, row: number): ViewChange | null {
  if (!opensUp(timeline, selected)) return null
  return folded.has(selected) ? { type: 'fold', ids: [selected], isFolded: false } : goTo(rows, row + 1)
}

function foldOrRise({ timeline, rows, folded, selected }: GridPlace): ViewChange | null {
  if (opensUp(timeline, selected) && !folded.has(selected)) {
    return { type: 'fold', ids: [selected], isFolded: true }
  }
  const { parent } = spanAt(timeline, selected)
  if (parent < 0) return null
  return { type: 'select', id: (rows.rowOf[parent] ?? -1) >= 0 ? parent : 0 }
}

/** Opens every step; when all are open, closes them. */
function foldSiblings({ timeline, folded }: GridPlace): ViewChange {
  const steps = childrenOf(timeline, 0)
  return { type: 'fold', ids: steps, isFolded: !steps.some((id) => folded.has(id)) }
}
