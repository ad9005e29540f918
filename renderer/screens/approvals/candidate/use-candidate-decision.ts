import { useCallback, useState } from 'react'
import type { ApiInput } from '../../../../core/api.ts'
import type { CandidateDetail } from '../../../../core/domain/candidate.ts'
import { AppError } from '../../../../core/domain/error.ts'
import { decideCandidate } from '../../../state/candidates.ts'
import { useAction } from '../../../state/use-load.ts'
import { useEditCheck } from './use-edit-check.ts'
import { failedChecks } from './words.ts'

export type Refusal = 'reject' | 'quarantine'

/** One candidate, and what a person is about to answer: bound to the bytes on the screen. Mount it anew for each (`key`). */
export function useCandidateDecision(detail: CandidateDetail, readNow: () => Promise<void>) {
  const { id, kind, sha256, before, state } = detail
  const [edited, keepEdited] = useState<string | null>(null)
  const [seen, setSeen] = useState<string | null>(null)
  const [refusing, setRefusing] = useState<Refusal | null>(null)
  const live = before?.sha256 ?? null
  // Other bytes than those that were seen have to be seen themselves.
  const shown = `${sha256} ${live} ${edited ?? ''}`
  const see = useCallback(() => setSeen(shown), [shown])
  const decide = useAction(async (decision: ApiInput<'candidate.decide'>) => {
    try {
      await decideCandidate(decision)
    } catch (error) {
      if (error instanceof AppError && isMoved(error)) await readNow()
      throw error
    }
    await readNow()
  })
  const isSeen = seen === shown
  const isPending = state === 'pending'
  const edit = useEditCheck({ id, text: isPending ? edited : null, live })
  // What failed of the proposal may be mended in the edit, and the other way round.
  const failed = edit === null ? failedChecks(detail) : edit.phase === 'ready' ? failedChecks({ kind, ...edit }) : []
  const isChecking = edit?.phase === 'loading'
  const canApprove = isPending && isSeen && !isChecking && failed.length === 0 && !decide.isBusy
  const bound = { id, sha256, before: live }
  return {
    ...{ edited, edit, see, isSeen, isChecking, failed, canApprove, refusing, setRefusing },
    isBusy: decide.isBusy,
    error: decide.error,
    setEdited: keepEdited,
    approve: () => {
      if (canApprove) decide.run({ ...bound, decision: 'approve', ...(edited !== null && { edited }) })
    },
    refuse: (decision: Refusal, reason: string) => {
      const why = reason.trim()
      decide.run({ ...bound, decision, ...(why !== '' && { reason: why }) })
    },
  }
}

export type CandidateDecisionState = ReturnType<typeof useCandidateDecision>

/** Somebody else was first, or something else is live: what is on the screen is old. */
function isMoved({ code }: AppError): boolean {
  return code === 'candidate.stale' || code === 'candidate.decided' || code === 'candidate.expired'
}
