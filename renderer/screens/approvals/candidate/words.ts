import type {
  Candidate,
  CandidateCheck,
  CandidateDetail,
  CandidateState,
  PartEvidence,
  WouldChange,
} from '../../../../core/domain/candidate.ts'
import type { SkillDetail } from '../../../../core/domain/skill.ts'
import type { StatusLook } from '../../../components/status.tsx'
import { counted } from '../../../format/figures.ts'
import { rollbackTarget } from '../../skills/words.ts'
import type { EditCheck } from './use-edit-check.ts'

export const candidateTabs = ['diff', 'rendered', 'evidence', 'changes', 'checks'] as const
export type CandidateTab = (typeof candidateTabs)[number]

export const candidateLooks: Readonly<Record<CandidateState, StatusLook>> = {
  pending: { status: 'waiting', word: 'Candidate' },
  approved: { status: 'done', word: 'Approved' },
  rejected: { status: 'denied', word: 'Rejected' },
  quarantined: { status: 'denied', word: 'Quarantined' },
  expired: { status: 'denied', word: 'Expired, rejected' },
}

export const checkLooks: Readonly<Record<CandidateCheck['state'], StatusLook>> = {
  ok: { status: 'done', word: 'passed' },
  attention: { status: 'waiting', word: 'to weigh' },
  failed: { status: 'failed', word: 'failed' },
}

/**
 * Name and what would come of it, in a row: `gh-issue-triage v3 → v4`, `flag-rename, new`. Which number an update would have is
 * not known here: versions that were taken back count too.
 */
export function candidateTitle(candidate: Candidate): string {
  const { name, kind, target, version } = candidate
  switch (kind) {
    case 'new':
      return version === null ? `${name}, new` : `${name} v${version}`
    case 'update':
      if (target === null) return `${name}, new`
      return version === null ? `${name}, update of v${target.version}` : `${name} v${target.version} → v${version}`
    case 'rollback':
      return `${name}, back from v${target?.version ?? 1}`
    case 'global':
      return `${name}, for every project`
  }
}

/** Where it comes from, in a line. */
export function fromText({ threadNumber, proposedBy }: Pick<Candidate, 'threadNumber' | 'proposedBy'>): string {
  return threadNumber === null ? proposedBy : `from #${threadNumber}, ${proposedBy}`
}

/** How it was decided, in a line; with the skill that it became, also whether its version was taken back since. */
export function candidateDecision(
  { state, version, decisionReason }: Candidate,
  skill: Pick<SkillDetail, 'versions'> | null = null,
): string {
  const said = decisionReason ? `: “${decisionReason}”` : ''
  switch (state) {
    case 'pending':
      return 'waits for you'
    case 'approved':
      return `${version === null ? 'approved' : isTakenBack(version, skill) ? `was live as v${version}, taken back` : `live as v${version}`}${said}`
    case 'rejected':
      return `rejected${said}`
    case 'quarantined':
      return `quarantined${said}`
    case 'expired':
      return 'nobody answered in time, so it is not in use'
  }
}

function isTakenBack(version: number, skill: Pick<SkillDetail, 'versions'> | null): boolean {
  return skill?.versions.some((each) => each.version === version && each.state === 'rolledBack') ?? false
}

/** The numbers around the arrow: what is live, and what it would become. Null on the left for a skill that there is not. */
export function stepOf(
  { kind, before, version }: Pick<CandidateDetail, 'kind' | 'before' | 'version'>,
  skill: Pick<SkillDetail, 'version' | 'versions'> | null,
): { readonly from: number | null; readonly to: number } {
  const from = before?.version ?? null
  if (version !== null) return { from, to: version }
  const back = kind === 'rollback' && skill ? rollbackTarget(skill) : null
  const last = Math.max(0, from ?? 0, ...(skill?.versions ?? []).map((each) => each.version))
  return { from, to: back ?? last + 1 }
}

/** Of what only moves bytes that were approved before, nothing is to be written. */
export function canEdit({ kind }: Pick<Candidate, 'kind'>): boolean {
  return kind === 'new' || kind === 'update'
}

/** The button that makes it live. */
export function approveText({ kind }: Pick<Candidate, 'kind'>, to: number): string {
  if (kind === 'rollback') return `Roll back to v${to}`
  return kind === 'global' ? 'Approve for every project' : `Approve as v${to}`
}

/** What keeps it from being approved. What goes back was live before: nothing keeps it from that. */
export function failedChecks({ kind, checks }: Pick<CandidateDetail, 'kind' | 'checks'>): readonly CandidateCheck[] {
  return kind === 'rollback' ? [] : checks.filter(({ state }) => state === 'failed')
}

/** The checks of what would be approved; while an edit is not checked yet, of what was proposed. */
export function checksShown(
  { kind, checks }: Pick<CandidateDetail, 'kind' | 'checks'>,
  edit: EditCheck | null,
): Pick<CandidateDetail, 'kind' | 'checks'> {
  return { kind, checks: edit?.phase === 'ready' ? edit.checks : checks }
}

/** Of which text the checks and the hash are. */
export function ofText({ phase }: Pick<EditCheck, 'phase'>): string {
  return phase === 'ready' ? 'of what you edited' : 'of what was proposed'
}

/** What stands in the tab: `1 failed`, or how many. */
export function checksHint(detail: Pick<CandidateDetail, 'kind' | 'checks'>): string {
  const failed = failedChecks(detail).length
  return failed > 0 ? `${failed} failed` : String(detail.checks.length)
}

export const fewGoals = 10

/** `Picked for 17 instead of 9 of the last 50 goals.` */
export function wouldChangeText({ n, picksBefore, picksAfter, changes }: WouldChange): string {
  if (n === 0) return 'There is no goal to compare with yet.'
  const isSame = picksBefore === picksAfter && changes.length === 0
  if (n === 1) {
    const now = picksAfter === 1 ? 'Picked' : 'Not picked'
    return `${now} for the only goal on record, ${isSame ? 'as before' : 'unlike now'}.`
  }
  if (isSame) return `Picked for ${picksAfter} of the last ${n} goals, as before.`
  return `Picked for ${picksAfter} instead of ${picksBefore} of the last ${n} goals. ${counted(changes.length, 'choice')} would change.`
}

export const changeWords = { added: 'chosen', dropped: 'no longer chosen' } as const

const partWords: Readonly<Record<PartEvidence['part'], string>> = {
  keyword: 'Keyword',
  tag: 'Tag',
  pattern: 'Pattern',
  line: 'Line',
  parameter: 'Parameter',
  description: 'Description',
}

export function partText({ part, line }: Pick<PartEvidence, 'part' | 'line'>): string {
  return part === 'line' && line !== null ? `Line ${line}` : partWords[part]
}

/** Of the parts that it could be shown for, how many are. */
export function evidenceHint(evidence: readonly PartEvidence[]): string {
  const shown = evidence.filter(({ steps }) => steps.length > 0).length
  return evidence.length === 0 ? '' : `${shown} of ${evidence.length}`
}
