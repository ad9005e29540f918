/** What one budget limits; null means no limit. Tokens are input and output together; `ms` is time spent running. */
export interface Budget {
  readonly tokens: number | null
  readonly usd: number | null
  readonly steps: number | null
  readonly ms: number | null
}
export type BudgetKind = keyof Budget

/** `thread` is the root thread with all its children; `project` and `day` count from local midnight. */
export type BudgetScope = 'thread' | 'project' | 'day'

/** One limit as it stood when a model was about to be asked. Warns from 80 % on, stops at 100 % (RULES 12). */
export interface BudgetCheck {
  readonly scope: BudgetScope
  readonly kind: BudgetKind
  /** Used and reserved by others. */
  readonly used: number
  /** What this call may take: prompt estimate and the longest answer. */
  readonly reserved: number
  readonly limit: number
  readonly verdict: 'ok' | 'warn' | 'stop'
}
