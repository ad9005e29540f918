import type { BudgetCheck } from '../domain/budget.ts'
import type { Journal } from '../events/events.ts'

/** Each check of a limit is on record; where there is no limit there is nothing to check. */
export function stageChecks(
  journal: Journal,
  { step, path }: { readonly step: number; readonly path: string },
  checks: readonly BudgetCheck[],
): void {
  if (checks.length > 0) journal.stage({ kind: 'budget.checked', data: { step, path, checks } })
}
