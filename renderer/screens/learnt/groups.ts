import type { LearntEntry } from '../../../core/domain/learnt.ts'
import { kindOf, type LearntKind } from './words.ts'

export const learntViews = ['all', 'waits', 'force', 'past'] as const
export type LearntView = (typeof learntViews)[number]

export interface LearntFilter {
  readonly view: LearntView
  /** Null for every kind. */
  readonly kind: LearntKind | null
}

export interface LearntGroup {
  readonly view: Exclude<LearntView, 'all'>
  readonly title: string
  readonly rows: readonly LearntEntry[]
}

const titles = { waits: 'Waits for you', force: 'In force or kept', past: 'What was' } as const

export function viewOf({ state }: Pick<LearntEntry, 'state'>): LearntGroup['view'] {
  if (state === 'pending') return 'waits'
  return state === 'live' ? 'force' : 'past'
}

/** What waits first, then what is in force, then what was; each as it came, the newest first. Empty groups are left out. */
export function groupsOf(entries: readonly LearntEntry[], { view, kind }: LearntFilter): readonly LearntGroup[] {
  const chosen = kind === null ? entries : entries.filter((entry) => kindOf(entry) === kind)
  return (['waits', 'force', 'past'] as const)
    .filter((each) => view === 'all' || view === each)
    .map((each) => ({ view: each, title: titles[each], rows: chosen.filter((entry) => viewOf(entry) === each) }))
    .filter(({ rows }) => rows.length > 0)
}

/** What is shown once only these are listed: the same one where it is among them, else the first of them. */
export function shownAmong(groups: readonly LearntGroup[], shownId: string | null): string | null {
  const rows = groups.flatMap((group) => group.rows)
  return rows.some(({ id }) => id === shownId) ? shownId : (rows[0]?.id ?? null)
}

/** How many there are of each kind that there is. */
export function kindCounts(entries: readonly LearntEntry[]): ReadonlyMap<LearntKind, number> {
  const counts = new Map<LearntKind, number>()
  for (const entry of entries) counts.set(kindOf(entry), (counts.get(kindOf(entry)) ?? 0) + 1)
  return counts
}
