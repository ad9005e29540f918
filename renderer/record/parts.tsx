import { type ReactNode, useState } from 'react'
import type { StoredEvent } from '../../core/domain/event.ts'
import { Button } from '../components/button.tsx'
import { ErrorCard, Skeleton } from '../components/card.tsx'
import { RedactedText } from '../components/redacted.tsx'
import { bytesText } from '../format/figures.ts'
import { type BodyState, useBody } from './bodies.ts'
import { isBinaryText } from './text-kind.ts'

interface SectionProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className="section" aria-label={title}>
      <div className="label-row">
        <h3 className="label">{title}</h3>
        {aside !== undefined && <span className="mute small">{aside}</span>}
      </div>
      {children}
    </section>
  )
}

export type FactPair = readonly [label: string, fact: ReactNode]

/** Facts that are not there are left out: nothing is drawn that was not recorded. */
export function FactList({ facts }: { readonly facts: readonly (FactPair | null)[] }) {
  return (
    <dl className="kv">
      {facts.flatMap((pair) =>
        pair === null ? [] : [<dt key={`${pair[0]} t`}>{pair[0]}</dt>, <dd key={`${pair[0]} d`}>{pair[1]}</dd>],
      )}
    </dl>
  )
}

interface BodyProps {
  readonly seq: number | null
  /** What stands here while there is no such event yet. */
  readonly none: string
  readonly children: (event: StoredEvent) => ReactNode
}

/** Fetches an event's body where it is shown, with its own loading and error states. */
export function Body({ seq, none, children }: BodyProps) {
  const body = useBody(seq)
  return <BodyView body={body} none={none} show={children} />
}

function BodyView({ body, none, show }: { body: BodyState; none: string; show: (event: StoredEvent) => ReactNode }) {
  switch (body.phase) {
    case 'none':
      return <p className="mute small pad">{none}</p>
    case 'loading':
      return <Skeleton rows={3} label="Reading the record" />
    case 'failed':
      return (
        <ErrorCard
          className="pad"
          title="This part of the record could not be read"
          error={body.error}
          actions={<Button onClick={body.retry}>Read again</Button>}
        />
      )
    case 'ready':
      return show(body.event)
  }
}

const shownCharacters = 4_096
const moreCharacters = 200_000

/** Text as it is, the first 4 kB at once. Bytes that are no text are said to be so, never shown as if they were. */
export function LongText({ text, isMono = true }: { readonly text: string; readonly isMono?: boolean }) {
  const [shown, setShown] = useState(shownCharacters)
  if (text === '') return <p className="mute small">Empty.</p>
  if (isBinaryText(text)) return <span className="chip line">binary, {bytesText(text.length)}</span>
  const isCut = text.length > shown
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className={isMono ? 'out' : 'out prose'} tabIndex={0}>
        <RedactedText text={isCut ? text.slice(0, shown) : text} />
      </pre>
      {isCut && (
        <p className="cut small">
          Showing {bytesText(shown)} of {bytesText(text.length)}
          <Button onClick={() => setShown(text.length - shown > moreCharacters ? shown + moreCharacters : text.length)}>
            {text.length - shown > moreCharacters ? `Show ${bytesText(moreCharacters)} more` : 'Show all'}
          </Button>
        </p>
      )}
    </>
  )
}
