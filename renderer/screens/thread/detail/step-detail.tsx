import { Kind } from '../../../components/kind.tsx'
import { callLooks, Status } from '../../../components/status.tsx'
import { counted, durationText, tokensText } from '../../../format/figures.ts'
import { JsonView } from '../../../record/json-view.tsx'
import { Body, FactList, Section } from '../../../record/parts.tsx'
import { selfTimeMs } from '../../../timeline/critical-path.ts'
import { durationMs, type Span } from '../../../timeline/span.ts'
import { callsOf, modelOf, spanAt, type Timeline } from '../../../timeline/timeline.ts'

interface StepProps {
  readonly timeline: Timeline
  readonly span: Span
  readonly onSelect: (id: number) => void
}

/** A step: its calls in the order asked, and what it took beside them. */
export function StepCalls({ timeline, span, onSelect }: StepProps) {
  const calls = callsOf(timeline, span.id).map((id) => spanAt(timeline, id))
  const took = durationMs(span)
  const own = took === null ? null : selfTimeMs(timeline, span.id, span.endedAt ?? 0)
  return (
    <>
      <Section title="Figures">
        <FactList
          facts={[
            ['Duration', took === null ? 'not ended' : durationText(took)],
            own === null ? null : ['Between calls', durationText(own)],
            ['Tokens', `${span.inputTokens.toLocaleString('en')} in, ${span.outputTokens.toLocaleString('en')} out`],
            span.errors > 0 ? ['Errors', String(span.errors)] : null,
          ]}
        />
      </Section>
      <Section title="Calls" aside={counted(calls.length, 'call')}>
        <ul className="calls">
          {calls.map((call) => (
            <li key={call.id}>
              <button type="button" className="call-row" onClick={() => onSelect(call.id)}>
                {call.kind !== 'step' && <Kind kind={call.kind} />}
                <Status {...callLooks[call.state]} look="icon" />
                <span className="mono trunc">{call.name}</span>
                <span className="trunc mute grow">{call.kind === 'model' ? '' : call.summary}</span>
                <span className="num">{call.endedAt === null ? '' : durationText(call.endedAt - call.startedAt)}</span>
                <span className="num mute">
                  {call.inputTokens + call.outputTokens > 0 ? tokensText(call.inputTokens + call.outputTokens) : ''}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

/** From where the step can be run again after a crash. */
export function StepCheckpoint({ timeline, span }: StepProps) {
  const model = modelOf(timeline, span.id)
  return (
    <Body seq={model.startSeq > 0 ? model.startSeq : null} none="The start of this step is not recorded.">
      {(event) =>
        event.kind === 'step.started' ? (
          <>
            <Section title="Checkpoint" aside={<span className="mono">seq {event.seq}</span>}>
              <JsonView value={event.data.checkpoint} />
            </Section>
            <Section title="Recovery">
              <p className="small dim">After a crash the step runs again from here, fed with what is on record.</p>
            </Section>
          </>
        ) : null
      }
    </Body>
  )
}
