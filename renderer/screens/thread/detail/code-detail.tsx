import { ErrorCard } from '../../../components/card.tsx'
import { counted, durationText } from '../../../format/figures.ts'
import { JsonView } from '../../../record/json-view.tsx'
import { Origin } from '../../../record/origin.tsx'
import { Body, LongText, Section } from '../../../record/parts.tsx'
import type { Span } from '../../../timeline/span.ts'

interface CodeProps {
  readonly span: Span
}

/** The code as the model wrote it. */
export function CodeText({ span }: CodeProps) {
  return (
    <Body seq={span.startSeq > 0 ? span.startSeq : null} none="The start of this code is not recorded.">
      {(event) => {
        if (event.kind !== 'code.started') return null
        if (event.body === undefined) return <p className="mute small pad">The code is not on record.</p>
        return <Numbered code={event.body.code} />
      }}
    </Body>
  )
}

function Numbered({ code }: { readonly code: string }) {
  const lines = code.split('\n')
  return (
    <ol className="code-lines" aria-label={counted(lines.length, 'line')}>
      {lines.map((line, at) => (
        // Lines have no identity but their place.
        <li key={at}>
          <span aria-hidden="true">{at + 1}</span>
          <code>{line}</code>
        </li>
      ))}
    </ol>
  )
}

/** What it printed and gave, or why it failed: what the model read. */
export function CodeOutput({ span }: CodeProps) {
  const none =
    span.state === 'started' ? 'Still running, or waiting for a call of it.' : 'It was stopped before it ended.'
  return (
    <Body seq={span.endSeq} none={none}>
      {(event) => {
        if (event.kind !== 'code.finished') return null
        const { data, body } = event
        const error = {
          code: 'orchestrator.failed' as const,
          message: body.traceback ?? data.summary,
          userMessage: data.summary,
          retryable: false,
        }
        return (
          <>
            {!data.ok && (
              <div className="pad">
                <ErrorCard
                  title={`The code failed: ${data.category?.replaceAll('_', ' ') ?? 'no reason on record'}`}
                  error={error}
                />
              </div>
            )}
            {body.traceback && (
              <Section title="Traceback">
                <LongText text={body.traceback} />
              </Section>
            )}
            {body.final !== undefined && (
              <Section title="Final answer">
                <LongText text={body.final} isMono={false} />
              </Section>
            )}
            <Section
              title="Output"
              aside={`${durationText(data.durationMs)} of VM time, ${counted(data.calls, 'call')}`}
            >
              <LongText text={body.output} />
            </Section>
            <Origin fact={event} />
            {body.returned !== undefined && (
              <Section title="Value of the last line">
                <JsonView value={body.returned} />
              </Section>
            )}
          </>
        )
      }}
    </Body>
  )
}

/** `state` as the code left it. */
export function CodeState({ span }: CodeProps) {
  return (
    <Body seq={span.endSeq} none="The code has not ended.">
      {(event) => {
        if (event.kind !== 'code.finished') return null
        const { state } = event.body
        return state === undefined ? (
          <p className="mute small pad">The code left its state as it was.</p>
        ) : (
          <Section title="State after the code">
            <JsonView value={state} />
          </Section>
        )
      }}
    </Body>
  )
}
