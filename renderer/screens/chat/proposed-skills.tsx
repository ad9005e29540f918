import { useMemo } from 'react'
import { CandidateMark } from '../../components/status.tsx'
import { routeHash } from '../../routes.ts'
import { useApp } from '../../state/store.ts'

/** What a thread proposed and nobody has decided on yet, each with the way to it; nothing where nothing waits. */
export function ProposedSkills({ threadId }: { readonly threadId: string }) {
  const candidates = useApp((state) => state.candidates)
  const own = useMemo(() => candidates.filter((each) => each.threadId === threadId), [candidates, threadId])
  return own.map(({ id, name, kind }) => (
    <p key={id} className="turn-note proposed-skill small">
      <CandidateMark />
      <span>
        {kind === 'new' ? 'A skill was proposed' : 'A change of a skill was proposed'}: <b className="medium">{name}</b>
        . It waits for you. <a href={routeHash({ screen: 'approvals', id })}>Look at it</a>
      </span>
    </p>
  ))
}
