import { useState } from 'react'
import type { LearntEntry } from '../../../core/domain/learnt.ts'
import { Section } from '../../record/parts.tsx'
import { routeHash } from '../../routes.ts'

const shownSources = 6

/** The threads that it comes from, each with what was said there; a link opens the thread at that place. */
export function Sources({ entry: { sources } }: { readonly entry: Pick<LearntEntry, 'sources'> }) {
  const [isWhole, setWhole] = useState(false)
  if (sources.length === 0)
    return (
      <Section title="Where it comes from">
        <p className="mute">No thread is on record for it.</p>
      </Section>
    )
  const shown = isWhole ? sources : sources.slice(0, shownSources)
  return (
    <Section title="Where it comes from" aside={sources.length}>
      <ul className="lrn-sources">
        {shown.map(({ threadId, threadNumber, seq, quote }) => (
          <li key={`${threadId} ${seq}`}>
            <a className="link" href={routeHash({ screen: 'thread', id: threadId, at: seq ?? undefined })}>
              #{threadNumber}
            </a>
            <q className="dim">{quote}</q>
          </li>
        ))}
      </ul>
      {sources.length > shown.length && (
        <button type="button" className="link small" onClick={() => setWhole(true)}>
          Show all {sources.length}
        </button>
      )}
    </Section>
  )
}
