import type { Approval } from '../../../core/domain/approval.ts'
import { daysBetween } from '../../format/dates.ts'
import type { Known } from '../../state/model.ts'
import { pendingApprovals } from '../../state/select.ts'

/** What waits with what was decided today, all decisions, or what is approved from now on. */
export type ListView = 'all' | 'history' | 'standing'

type Approvals = Known['approvals']

/** Decided ones, the newest decision first. */
export function decidedApprovals(approvals: Approvals): readonly Approval[] {
  return Object.values(approvals)
    .filter(({ state }) => state !== 'pending')
    .sort((a, b) => (b.decidedAt ?? 0) - (a.decidedAt ?? 0))
}

export function decidedToday(approvals: Approvals, now: number): readonly Approval[] {
  return decidedApprovals(approvals).filter(({ decidedAt }) => decidedAt !== null && daysBetween(decidedAt, now) === 0)
}

/** What the list shows from top to bottom. */
export function rowsOf(approvals: Approvals, view: ListView): readonly Approval[] {
  if (view === 'standing') return []
  const decided = decidedApprovals(approvals)
  return view === 'history' ? decided : [...pendingApprovals(approvals), ...decided]
}
