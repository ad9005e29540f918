import type { BudgetCheck } from '../domain/budget.ts'

/** What a model call may take: the prompt's estimate and the longest answer. `usd` null: the model has no price. */
export interface Need {
  readonly model: string
  readonly tokens: number
  readonly usd: number | null
}

/** Held until it is settled with what was really spent; settled with nothing when the call failed. */
export type Reservation =
  | { readonly ok: false; readonly checks: readonly BudgetCheck[]; readonly reason: string }
  | {
      readonly ok: true
      readonly checks: readonly BudgetCheck[]
      settle(spent: { readonly tokens: number; readonly usd: number }): void
    }

/** One for a thread and all its children (RULES 12). */
export interface Meter {
  reserve(need: Need): Reservation
  /** Of the thread's own limit; null without one. */
  readonly tokensLeft: number | null
  /** Whoever asks afterwards is refused. */
  end(): void
}
