import type { Approval } from '../../../core/domain/approval.ts'
import type { Candidate } from '../../../core/domain/candidate.ts'
import { daysBetween } from '../../format/dates.ts'
import type { Known } from '../../state/model.ts'
import { pendingApprovals } from '../../state/select.ts'

/** What waits with what was decided today, one kind of it, all decisions, or what is approved from now on. */
export type ListView = 'all' | 'actions' | 'skills' | 'history' | 'standing'

type Approvals = Known['approvals']

/** One queue of two kinds: an action that holds up a thread, and a candidate that nothing waits for. */
export type QueueRow =
  | { readonly kind: 'action'; readonly id: string; readonly approval: Approval }
  | { readonly kind: 'skill'; readonly id: string; readonly candidate: Candidate }

export interface Queue {
  readonly approvals: Approvals
  /** Pending, the oldest first. */
  readonly candidates: readonly Candidate[]
  readonly decidedCandidates: readonly Candidate[]
}

/** The queue in the groups of the screen, top to bottom. */
export interface QueueGroups {
  readonly actions: readonly QueueRow[]
  readonly skills: readonly QueueRow[]
  readonly decided: readonly QueueRow[]
}

export function groupsOf(queue: Queue, view: ListView, now: number): QueueGroups {
  const has = (...views: readonly ListView[]) => views.includes(view)
  const decided = decidedRows(queue)
  return {
    actions: has('all', 'actions') ? pendingApprovals(queue.approvals).map(actionRow) : [],
    skills: has('all', 'skills') ? queue.candidates.map(skillRow) : [],
    decided: has('history')
      ? decided
      : decided.filter(
          (row) => daysBetween(decidedAt(row), now) === 0 && has('all', row.kind === 'skill' ? 'skills' : 'actions'),
        ),
  }
}

/** What the list shows from top to bottom. */
export function rowsOf(groups: QueueGroups): readonly QueueRow[] {
  return [...groups.actions, ...groups.skills, ...groups.decided]
}

/** Both kinds, the newest decision first. */
export function decidedRows({ approvals, decidedCandidates }: Queue): readonly QueueRow[] {
  const actions = Object.values(approvals)
    .filter(({ state }) => state !== 'pending')
    .map(actionRow)
  return [...actions, ...decidedCandidates.map(skillRow)].sort((a, b) => decidedAt(b) - decidedAt(a))
}

export function decidedAt(row: QueueRow): number {
  return (row.kind === 'action' ? row.approval.decidedAt : row.candidate.decidedAt) ?? 0
}

function actionRow(approval: Approval): QueueRow {
  return { kind: 'action', id: approval.id, approval }
}

function skillRow(candidate: Candidate): QueueRow {
  return { kind: 'skill', id: candidate.id, candidate }
}

const candidatePrefix = 'can_'

/** The address names both kinds by their ids alone. */
export function isCandidateId(id: string): boolean {
  return id.startsWith(candidatePrefix)
}
