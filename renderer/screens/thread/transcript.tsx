import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { provenanceOf } from '../../../core/domain/provenance.ts'
import { CanvasCardView } from '../../canvas/canvas-card.tsx'
import { Kind } from '../../components/kind.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { callLooks, Status } from '../../components/status.tsx'
import { durationText, tokensText } from '../../format/figures.ts'
import { Body, LongText } from '../../record/parts.tsx'
import { provenanceText } from '../../record/provenance.ts'
import { type EventFacts, factOf } from '../../timeline/fact.ts'
import { outcomeOf, type Span, tokensOf } from '../../timeline/span.ts'
import { callsOf, spanAt, type Timeline } from '../../timeline/timeline.ts'
import type { Draft } from './session.ts'
import { itemAt, transcriptItems } from './transcript-items.ts'

interface TranscriptProps {
  readonly timeline: Timeline
  readonly version: number
  readonly drafts: ReadonlyMap<number, Draft>
  /** The event to begin with, where somebody was sent to one. */
  readonly at: number | null
  readonly onOpen: (id: number) => void
}

const guessedPx = 120
const markdownCharacters = 20_000

/** The thread to read: what was said, and under each answer what was done. */
export function Transcript({ timeline, version, drafts, at, onOpen }: TranscriptProps) {
  const scroller = useRef<HTMLElement>(null)
  const items = useMemo(() => transcriptItems(timeline), [timeline, version])
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.seq ?? index,
    estimateSize: () => guessedPx,
    overscan: 4,
  })
  const sentTo = at === null ? -1 : itemAt(items, at)
  // Again as pages come in, until the one that holds it is there.
  useEffect(() => {
    if (sentTo >= 0) virtual.scrollToIndex(sentTo, { align: 'start' })
  }, [sentTo])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="transcript" aria-label="Transcript" ref={scroller} tabIndex={0}>
      <div className="canvas" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const item = items[index]
          if (!item) return null
          return (
            <div
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              className="turn"
              aria-current={index === sentTo ? 'location' : undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              {item.kind === 'message' && <MessageTurn note={item.note} />}
              {item.kind === 'canvas' && <CanvasCardView card={item.card} />}
              {item.kind === 'step' && (
                <StepTurn timeline={timeline} step={spanAt(timeline, item.id)} drafts={drafts} onOpen={onOpen} />
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}

function MessageTurn({ note }: { readonly note: EventFacts }) {
  const fact = factOf(note)
  if (fact?.kind !== 'message.added') return null
  const { role, origin } = fact.data
  const who = origin && origin !== 'final' ? `${role}, ${origin}` : role
  const provenance = provenanceOf(fact)
  const from = provenance && <span className="mute breaks">{provenanceText(provenance)}</span>
  const body = (
    <Body seq={note.seq} none="">
      {(event) => {
        if (event.kind !== 'message.added') return null
        const { content } = event.body
        // Only the model writes Markdown; what others said stands as they said it.
        return role === 'assistant' ? <Prose text={content} /> : <LongText text={content} isMono={false} />
      }}
    </Body>
  )
  return (
    <article className={`said ${role}`}>
      {role === 'system' ? (
        <details>
          <summary className="label">
            {who} {from}
          </summary>
          {body}
        </details>
      ) : (
        <>
          <h2 className="label">
            {who} {from}
          </h2>
          {body}
        </>
      )}
    </article>
  )
}

interface StepTurnProps {
  readonly timeline: Timeline
  readonly step: Span
  readonly drafts: ReadonlyMap<number, Draft>
  readonly onOpen: (id: number) => void
}

function StepTurn({ timeline, step, drafts, onOpen }: StepTurnProps) {
  const calls = callsOf(timeline, step.id).map((id) => spanAt(timeline, id))
  const model = calls.find(({ kind }) => kind === 'model')
  const actions = calls.filter(({ kind }) => kind !== 'model')
  return (
    <article className="said assistant">
      <h2 className="label">
        <button type="button" className="link" onClick={() => onOpen(step.id)}>
          {step.name}
        </button>
        <span className="mute">
          {model?.name}
          {tokensOf(step) > 0 && `, ${tokensText(tokensOf(step))} tokens`}
        </span>
      </h2>
      {model && <ModelTurn model={model} draft={drafts.get(step.step)} />}
      {actions.length > 0 && (
        <ul className="calls">
          {actions.map((action) => (
            <ActionTurn key={action.id} action={action} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </article>
  )
}

function ModelTurn({ model, draft }: { readonly model: Span; readonly draft: Draft | undefined }): ReactNode {
  if (model.endSeq === null) return draft?.text ? <Prose text={draft.text} /> : null
  return (
    <Body seq={model.endSeq} none="">
      {(event) => {
        if (event.kind === 'model.completed') return event.body.text === '' ? null : <Prose text={event.body.text} />
        return event.kind === 'model.failed' ? <p className="bad">{event.data.userMessage}</p> : null
      }}
    </Body>
  )
}

function ActionTurn({ action, onOpen }: { readonly action: Span; readonly onOpen: (id: number) => void }) {
  return (
    <li>
      <button type="button" className="call-row" onClick={() => onOpen(action.id)}>
        {action.kind !== 'step' && <Kind kind={action.kind} />}
        <Status {...callLooks[action.state]} look="icon" />
        <span className="mono">{action.name}</span>
        <span className="trunc mute mono">{action.summary}</span>
        <span className="trunc grow">{outcomeOf(action)}</span>
        <span className="num">{action.endedAt === null ? '' : durationText(action.endedAt - action.startedAt)}</span>
      </button>
    </li>
  )
}

/** Very long texts are shown plainly and in part: laying them out as Markdown would hold up the window. */
function Prose({ text }: { readonly text: string }) {
  return text.length > markdownCharacters ? <LongText text={text} isMono={false} /> : <Markdown text={text} />
}
