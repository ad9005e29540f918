import { useCallback, useRef, useState } from 'react'
import type { CandidateDetail } from '../../../../core/domain/candidate.ts'
import type { SkillDetail } from '../../../../core/domain/skill.ts'
import { call } from '../../../engine/client.ts'
import { readSkill } from '../../../state/skills.ts'
import { useApp } from '../../../state/store.ts'
import { useLoad } from '../../../state/use-load.ts'
import { useSettled } from '../../../state/use-settled.ts'

const pulseMs = 400

export interface ReadCandidate {
  readonly detail: CandidateDetail
  /** What it would change, or became; null for a skill that there is not. */
  readonly skill: SkillDetail | null
  /** The live version moved after it was read first here: what was seen before is not what is seen now. */
  readonly isAnew: boolean
}

/** A candidate with all that is known of it, read again when a skill or a candidate changed. */
export function useCandidate(id: string) {
  const [read, setRead] = useState<ReadCandidate | null>(null)
  const first = useRef<string | null | undefined>(undefined)
  const seq = useSettled(
    useApp((state) => state.known.skillSeq),
    pulseMs,
  )
  const readNow = useCallback(async () => {
    const detail = await call('candidate.get', { id })
    const skill = await skillOf(detail)
    const live = detail.before?.sha256 ?? null
    if (first.current === undefined) first.current = live
    setRead({ detail, skill, isAnew: detail.state === 'pending' && first.current !== live })
  }, [id])
  const load = useLoad(useCallback(() => readNow(), [readNow, seq]))
  return { read, load, readNow }
}

function skillOf({ target, state, name, projectId }: CandidateDetail): Promise<SkillDetail> | null {
  if (target !== null) return readSkill(target.skillId)
  // In exactly its place: where the window works, another skill may have the same name.
  return state === 'approved' ? call('skill.get', { name, ...(projectId !== null && { projectId }) }) : null
}
