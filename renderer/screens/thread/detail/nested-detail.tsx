import { useCallback } from 'react'
import { Button } from '../../../components/button.tsx'
import { Skeleton } from '../../../components/card.tsx'
import { Status, threadLook } from '../../../components/status.tsx'
import { counted, durationText } from '../../../format/figures.ts'
import { Origin } from '../../../record/origin.tsx'
import { Body, FactList, LongText, Section } from '../../../record/parts.tsx'
import { loadThread } from '../../../state/load.ts'
import { go } from '../../../state/navigation.ts'
import { useApp } from '../../../state/store.ts'
import { useLoad } from '../../../state/use-load.ts'
import type { Span } from '../../../timeline/span.ts'

interface NestedProps {
  readonly span: Span
}

/** What a model was asked beside the step's own call. */
export function QueryInput({ span }: NestedProps) {
  return (
    <Body seq={span.startSeq > 0 ? span.startSeq : null} none="The start of this query is not recorded.">
      {(event) =>
        event.kind === 'query.started' ? (
          <>
            <Section title="Prompt" aside={counted(event.body.prompt.length, 'character')}>
              <LongText text={event.body.prompt} isMono={false} />
            </Section>
            <Section title="Request">
              <FactList
                facts={[
                  [
                    'For',
                    event.data.purpose === 'compaction' ? 'a summary of older messages' : 'llm_query of the code',
                  ],
                  ['Model', <code key="m">{event.data.model}</code>],
                  ['Prompt', `${event.data.promptTokens.toLocaleString('en')} tokens, estimated`],
                ]}
              />
            </Section>
          </>
        ) : null
      }
    </Body>
  )
}

export function QueryOutput({ span }: NestedProps) {
  return (
    <Body
      seq={span.endSeq}
      none={span.state === 'started' ? 'No answer yet.' : 'It was stopped before an answer was on record.'}
    >
      {(event) =>
        event.kind === 'query.finished' ? (
          <Section title={event.data.ok ? 'Answer' : 'What the code read'} aside={durationText(event.data.durationMs)}>
            <LongText text={event.body.text} isMono={false} />
          </Section>
        ) : null
      }
    </Body>
  )
}

/** The child as a thread of its own. */
export function ChildInput({ span }: NestedProps) {
  const id = span.childId ?? ''
  const child = useApp((state) => state.known.threads[id])
  const load = useLoad(useCallback(() => loadThread(id), [id]))
  if (!child)
    return load.phase === 'failed' ? (
      <p className="bad small pad">{load.error.userMessage}</p>
    ) : (
      <Skeleton rows={3} label="Reading the child" />
    )
  const look = threadLook(child)
  return (
    <>
      <Section title="Goal">
        <LongText text={child.goal} isMono={false} />
      </Section>
      <Section title="Thread">
        <FactList
          facts={[
            ['Number', `#${child.number}`],
            ['State', <Status key="s" status={look.status} word={look.word} />],
            child.reason === null ? null : ['Because', child.reason],
            ['Steps', child.steps.toLocaleString('en')],
          ]}
        />
        <div className="row after-facts">
          <Button icon="expand" onClick={() => go({ screen: 'thread', id })}>
            Open #{child.number}
          </Button>
        </div>
      </Section>
    </>
  )
}

export function ChildOutput({ span }: NestedProps) {
  return (
    <Body
      seq={span.endSeq}
      none={span.state === 'started' ? 'The child has not ended.' : 'It was stopped before it answered.'}
    >
      {(event) =>
        event.kind === 'child.finished' ? (
          <>
            <Section title={event.data.ok ? 'Answer' : 'How it ended'} aside={event.data.outcome ?? undefined}>
              <LongText text={event.body.text} isMono={false} />
            </Section>
            <Origin fact={event} />
          </>
        ) : null
      }
    </Body>
  )
}
