import { useCallback, useMemo, useState } from 'react'
import type { Candidate } from '../../../core/domain/candidate.ts'
import { loadDecided } from '../../state/approvals.ts'
import { readDecidedCandidates } from '../../state/candidates.ts'
import { useApp } from '../../state/store.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { useSettled } from '../../state/use-settled.ts'
import type { Queue } from './groups.ts'

interface Next {
  readonly actions: number | null
  readonly skills: number | null
}

const pulseMs = 400

/** What waits, and the pages of what was decided that are loaded, of both kinds. */
export function useQueue() {
  const approvals = useApp((state) => state.known.approvals)
  const candidates = useApp((state) => state.candidates)
  const [decidedCandidates, setDecided] = useState<readonly Candidate[]>([])
  const [next, setNext] = useState<Next>({ actions: null, skills: null })
  const seq = useSettled(
    useApp((state) => state.known.skillSeq),
    pulseMs,
  )
  const load = useLoad(
    useCallback(async () => {
      const [actions, page] = await Promise.all([loadDecided(), readDecidedCandidates()])
      setDecided(page.rows)
      setNext({ actions, skills: page.next })
    }, [seq]),
  )
  const more = useAction(async () => {
    const actions = next.actions === null ? null : await loadDecided(next.actions)
    const page = next.skills === null ? { rows: [], next: null } : await readDecidedCandidates(next.skills)
    setDecided((rows) => [...rows, ...page.rows])
    setNext({ actions, skills: page.next })
  })
  const queue = useMemo(
    (): Queue => ({ approvals, candidates, decidedCandidates }),
    [approvals, candidates, decidedCandidates],
  )
  const hasMore = next.actions !== null || next.skills !== null
  return { queue, load, onMore: hasMore && !more.isBusy ? () => more.run() : null }
}
