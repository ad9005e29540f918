import type { MissionProposal } from '../../../core/domain/mission.ts'
import { sourcesText } from '../../../core/domain/source.ts'
import { Note } from '../../components/card.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'

/** Which thread proposed a mission, and what it had read that no person wrote: it may be what that text wanted. */
export function ProposalOrigin({ proposal }: { readonly proposal: MissionProposal | null }) {
  if (proposal === null) return null
  const { threadId, sources } = proposal
  return (
    <div className="msn-origin">
      <p>
        Proposed by <ThreadLink id={threadId} />
        {sources.length === 0 && ', which had read nothing that is not yours'}.
      </p>
      {sources.length > 0 && (
        <Note status="waiting">
          It had read text that is not yours: {sourcesText(sources)}. The mission may be what that text wanted.
        </Note>
      )}
    </div>
  )
}
