import type { AxisMode, Range } from '../../timeline/axis.ts'
import type { SpanKind } from '../../timeline/span.ts'
import { childrenOf, spanAt, type Timeline } from '../../timeline/timeline.ts'

export const views = ['timeline', 'transcript', 'events'] as const
export type ViewName = (typeof views)[number]

/** What a person chose to look at. Facts of the thread are not here. */
export interface ViewState {
  readonly view: ViewName
  readonly axisMode: AxisMode
  readonly selected: number
  readonly folded: ReadonlySet<number>
  /** Children of the thread stay folded until they are opened: their calls are read only then. */
  readonly opened: ReadonlySet<number>
  readonly hiddenKinds: ReadonlySet<SpanKind>
  readonly query: string
  readonly showsCriticalPath: boolean
  readonly showsDetail: boolean
  /** Windows in epoch ms, the shown one last; empty: everything. Instants, so that they survive another axis. */
  readonly zooms: readonly Range[]
}

export type ViewChange =
  | { readonly type: 'view'; readonly view: ViewName }
  | { readonly type: 'axis'; readonly mode: AxisMode }
  | { readonly type: 'select'; readonly id: number; readonly opens?: boolean }
  | { readonly type: 'fold'; readonly ids: readonly number[]; readonly isFolded: boolean }
  | { readonly type: 'kind'; readonly kind: SpanKind }
  | { readonly type: 'query'; readonly query: string }
  | { readonly type: 'critical' }
  | { readonly type: 'detail'; readonly isShown: boolean }
  /** Shows the detail without leaving the row, or puts it away again. */
  | { readonly type: 'peek' }
  /** `isNew` pushes a window; otherwise the shown one moves. */
  | { readonly type: 'zoom'; readonly range: Range; readonly isNew: boolean }
  /** Back to the window at this depth; 0 is everything. */
  | { readonly type: 'zoomOut'; readonly depth: number }

export function initialView(remembered: Pick<ViewState, 'view' | 'axisMode' | 'showsDetail' | 'selected'>): ViewState {
  return {
    ...{ folded: new Set<number>(), opened: new Set<number>(), hiddenKinds: new Set<SpanKind>() },
    ...{ query: '', showsCriticalPath: false, zooms: [] },
    ...remembered,
  }
}

export function changeView(state: ViewState, change: ViewChange): ViewState {
  switch (change.type) {
    case 'view':
      return { ...state, view: change.view }
    case 'axis':
      return { ...state, axisMode: change.mode }
    case 'select':
      return { ...state, selected: change.id, showsDetail: state.showsDetail || change.opens === true }
    case 'fold':
      return {
        ...state,
        folded: withAll(state.folded, change.ids, change.isFolded),
        opened: withAll(state.opened, change.ids, !change.isFolded),
      }
    case 'kind':
      return { ...state, hiddenKinds: withAll(state.hiddenKinds, [change.kind], !state.hiddenKinds.has(change.kind)) }
    case 'query':
      return { ...state, query: change.query }
    case 'critical':
      return { ...state, showsCriticalPath: !state.showsCriticalPath }
    case 'detail':
      return { ...state, showsDetail: change.isShown }
    case 'peek':
      return { ...state, showsDetail: !state.showsDetail }
    case 'zoom':
      return { ...state, zooms: [...(change.isNew ? state.zooms : state.zooms.slice(0, -1)), change.range] }
    case 'zoomOut':
      return { ...state, zooms: state.zooms.slice(0, Math.max(0, change.depth)) }
  }
}

/** What is folded: by hand, and every child that nobody has opened. */
export function foldedOf(timeline: Timeline, { folded, opened }: ViewState): ReadonlySet<number> {
  const shut = timeline.spans.filter(({ id, childId }) => childId !== null && !opened.has(id))
  return shut.length === 0
    ? folded
    : withAll(
        folded,
        shut.map(({ id }) => id),
        true,
      )
}

/** A row that opens: it has others below it, or its child has. */
export function opensUp(timeline: Timeline, id: number): boolean {
  return childrenOf(timeline, id).length > 0 || spanAt(timeline, id).childId !== null
}

function withAll<Item>(set: ReadonlySet<Item>, items: readonly Item[], isIn: boolean): ReadonlySet<Item> {
  const next = new Set(set)
  for (const item of items) {
    if (isIn) next.add(item)
    else next.delete(item)
  }
  return next
}
