import { useCallback, useState } from 'react'
import type { Approval, GrantScope } from '../../core/domain/approval.ts'
import { decideApproval } from '../state/approvals.ts'
import { useAction } from '../state/use-load.ts'
import type { Edited } from './edited.ts'

/** One request, and what a person is about to answer. Mount it anew for each request (`key`). */
export function useDecision(approval: Approval) {
  const { id } = approval
  const decide = useAction(decideApproval)
  const [scope, setScope] = useState<GrantScope>('once')
  const [edited, keepEdited] = useState<Edited | null>(null)
  const [isSeen, setSeen] = useState(false)
  const [isDenying, setDenying] = useState(false)
  // Another change than the one that was seen has to be seen itself.
  const setEdited = (next: Edited | null) => {
    keepEdited(next)
    setSeen(false)
  }
  const see = useCallback(() => setSeen(true), [])
  const canApprove = isSeen && !decide.isBusy && approval.state === 'pending'
  return {
    ...{ scope, setScope, edited, setEdited, see, isDenying, setDenying, canApprove },
    isBusy: decide.isBusy,
    error: decide.error,
    approve: () => {
      if (!canApprove) return
      const edit = edited === null ? {} : { edited: edited.args }
      decide.run({ id, decision: 'approve', scope: edited === null ? scope : 'once', ...edit })
    },
    deny: (reason: string, stop: boolean) => {
      const why = reason.trim() === '' ? {} : { reason: reason.trim() }
      decide.run({ id, decision: 'deny', stop, ...why })
    },
  }
}

export type DecisionState = ReturnType<typeof useDecision>
