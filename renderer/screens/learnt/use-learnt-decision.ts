import { useRef, useState } from 'react'
import type { LearntEntry } from '../../../core/domain/learnt.ts'
import { decideLearnt, undoLearnt } from '../../state/learnt.ts'
import { useAction } from '../../state/use-load.ts'

/** What a reason is asked for. */
export type Refusal = 'reject' | 'undo'

/** One item, and what a person is about to answer: bound to the text on the screen. Mount it anew for each (`key`). */
export function useLearntDecision({ id, sha256, undo, state }: LearntEntry) {
  const [refusing, setRefusing] = useState<Refusal | null>(null)
  const first = useRef(sha256)
  const decide = useAction(decideLearnt)
  const takeBack = useAction(undoLearnt)
  const isBusy = decide.isBusy || takeBack.isBusy
  const canDecide = state === 'pending' && sha256 !== null && !isBusy
  const canUndo = undo !== null && !isBusy
  const bound = { id, sha256: sha256 ?? '' }
  return {
    ...{ refusing, canDecide, canUndo, isBusy },
    error: decide.error ?? takeBack.error,
    /** The text is not the one that this began with: it was read anew. */
    isAnew: state === 'pending' && first.current !== sha256,
    setRefusing: (way: Refusal | null) => {
      if (way === null || (way === 'reject' ? canDecide : canUndo)) setRefusing(way)
    },
    approve: () => {
      if (canDecide) decide.run({ ...bound, decision: 'approve' })
    },
    refuse: (way: Refusal, reason: string) => {
      const why = reason.trim() === '' ? {} : { reason: reason.trim() }
      setRefusing(null)
      if (way === 'reject') decide.run({ ...bound, decision: 'reject', ...why })
      else takeBack.run({ id, ...why })
    },
  }
}

export type LearntDecisionState = ReturnType<typeof useLearntDecision>
