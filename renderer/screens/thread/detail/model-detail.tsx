import type { ModelCompleted, ModelCompletedBody, StepStarted } from '../../../../core/domain/event.ts'
import { tierTitles } from '../../../../core/domain/thread.ts'
import { ErrorCard } from '../../../components/card.tsx'
import { counted, durationText, usdText } from '../../../format/figures.ts'
import { Body, FactList, LongText, Section } from '../../../record/parts.tsx'
import { type EventFacts, factOf } from '../../../timeline/fact.ts'
import type { Span } from '../../../timeline/span.ts'
import { callAt, childrenOf, spanAt, type Timeline } from '../../../timeline/timeline.ts'
import type { Draft } from '../session.ts'
import { Call } from './call-line.tsx'

interface ModelProps {
  readonly timeline: Timeline
  readonly span: Span
  readonly draft: Draft | undefined
}

/** What was new in the prompt of this call: messages and results since the call before. */
export function ModelMessages({ timeline, span }: ModelProps) {
  const before = callAt(timeline, span.step - 1, '0')
  const messages = timeline.notes.filter(
    ({ kind, seq }) => kind === 'message.added' && seq > (before?.startSeq ?? 0) && seq < span.startSeq,
  )
  const results = before ? childrenOf(timeline, before.parent).map((id) => spanAt(timeline, id)) : []
  const actions = results.filter(({ kind }) => kind === 'action')
  return (
    <>
      {before && (
        <p className="mute small pad">
          New since step {before.step + 1}. What the model had read before it read again, unchanged.
        </p>
      )}
      {messages.length + actions.length === 0 && <p className="mute small pad">Nothing new is on record.</p>}
      {actions.map((action) => (
        <Section key={action.id} title={`result of ${action.name}`} aside={`step ${action.step + 1}`}>
          <Body seq={action.endSeq} none="This action has no result on record.">
            {(event) => (event.kind === 'action.finished' ? <LongText text={resultTextOf(event.body.result)} /> : null)}
          </Body>
        </Section>
      ))}
      {messages.map((message) => (
        <Message key={message.seq} message={message} />
      ))}
    </>
  )
}

function Message({ message }: { readonly message: EventFacts }) {
  const fact = factOf(message)
  if (fact?.kind !== 'message.added') return null
  const { role, origin } = fact.data
  const from = origin === undefined || origin === 'final' ? undefined : `added by the engine: ${origin}`
  return (
    <Section title={role} aside={from}>
      <Body seq={message.seq} none="">
        {(event) => (event.kind === 'message.added' ? <LongText text={event.body.content} isMono={false} /> : null)}
      </Body>
    </Section>
  )
}

function resultTextOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2)
}

/** What the model said: text, reasoning, calls; while it speaks, what has come so far. */
export function ModelOutput({ span, draft }: ModelProps) {
  if (span.endSeq === null) return <DraftOutput draft={draft} isEnded={span.endedAt !== null} />
  return (
    <Body seq={span.endSeq} none="">
      {(event) => {
        if (event.kind === 'model.completed') return <Completed data={event.data} body={event.body} />
        if (event.kind !== 'model.failed') return null
        const { code, userMessage, retryable } = event.data
        const error = { code, userMessage, retryable, message: event.body.message }
        return (
          <>
            <div className="pad">
              <ErrorCard title={`No answer after ${durationText(event.data.durationMs)}`} error={error} />
            </div>
            {event.body.partialText !== '' && (
              <Section title="Text that came before it" aside="not used">
                <LongText text={event.body.partialText} isMono={false} />
              </Section>
            )}
          </>
        )
      }}
    </Body>
  )
}

function DraftOutput({ draft, isEnded }: { readonly draft: Draft | undefined; readonly isEnded: boolean }) {
  if (isEnded) return <p className="mute small pad">This call was stopped before an answer was on record.</p>
  if (!draft || draft.text + draft.reasoning === '') return <p className="mute small pad">No token yet.</p>
  return (
    <>
      {draft.reasoning !== '' && (
        <Section title="Reasoning so far">
          <LongText text={draft.reasoning} isMono={false} />
        </Section>
      )}
      {draft.text !== '' && (
        <Section title="Text so far">
          <LongText text={draft.text} isMono={false} />
        </Section>
      )}
    </>
  )
}

function Completed({ data, body }: { readonly data: ModelCompleted; readonly body: ModelCompletedBody }) {
  return (
    <>
      {body.text !== '' && (
        <Section title="Text" aside={counted(body.text.length, 'character')}>
          <LongText text={body.text} isMono={false} />
        </Section>
      )}
      {body.toolCalls.length > 0 && (
        <Section title="Calls" aside={counted(body.toolCalls.length, 'call')}>
          {body.toolCalls.map((call) => (
            <Call key={call.id} call={call} />
          ))}
        </Section>
      )}
      {body.reasoning && (
        <Section title="Reasoning" aside={counted(body.reasoning.length, 'character')}>
          <LongText text={body.reasoning} isMono={false} />
        </Section>
      )}
      {body.text === '' && body.toolCalls.length === 0 && (
        <p className="mute small pad">The model answered with nothing (finish reason {data.finishReason}).</p>
      )}
    </>
  )
}

/** Figures of the call: what it was asked with, what it used, how long it took. */
export function ModelUsage({ span }: ModelProps) {
  return (
    <>
      <Body seq={span.endSeq} none="The call has not ended, so nothing was counted yet.">
        {(event) =>
          event.kind === 'model.completed' ? <Used data={event.data} span={span} /> : <Failed span={span} />
        }
      </Body>
      <Body seq={span.startSeq > 0 ? span.startSeq : null} none="The request is not recorded.">
        {(event) => (event.kind === 'step.started' ? <Asked data={event.data} /> : null)}
      </Body>
    </>
  )
}

function Used({ data, span }: { readonly data: ModelCompleted; readonly span: Span }) {
  const { inputTokens, outputTokens, cachedInputTokens, firstTokenMs, durationMs } = data
  const answerMs = durationMs - (firstTokenMs ?? 0)
  const perSecond = outputTokens > 0 && answerMs >= 100 ? Math.round((outputTokens / answerMs) * 1_000) : null
  return (
    <Section title="Answer" aside={data.estimated ? 'tokens estimated: the server sent none' : undefined}>
      <FactList
        facts={[
          ['Tokens in', inputTokens.toLocaleString('en')],
          cachedInputTokens > 0 ? ['From cache', cachedInputTokens.toLocaleString('en')] : null,
          ['Tokens out', outputTokens.toLocaleString('en')],
          ['First token', firstTokenMs === null ? 'not recorded' : durationText(firstTokenMs)],
          ['Duration', durationText(durationMs)],
          perSecond === null ? null : ['Speed', `${perSecond.toLocaleString('en')} tokens a second`],
          ['Cost', costOfCall(data)],
          ['Finish reason', <code key="f">{data.finishReason}</code>],
          ['Calls', String(data.calls)],
          ...retryFacts(span),
        ]}
      />
    </Section>
  )
}

/** What costs nothing is told by the time that it took. */
function costOfCall({ usd, durationMs }: ModelCompleted): string {
  if (usd === null) return 'no price is set'
  return usd === 0 ? `${durationText(durationMs)} of model time, no money` : usdText(usd)
}

function Failed({ span }: { readonly span: Span }) {
  const took = span.endedAt === null ? 'not recorded' : durationText(span.endedAt - span.startedAt)
  return (
    <Section title="Attempt">
      <FactList facts={[['Duration', took], ['Code', <code key="c">{span.code}</code>], ...retryFacts(span)]} />
    </Section>
  )
}

function retryFacts({ backOffs }: Span): readonly (readonly [string, string])[] {
  if (backOffs.length === 0) return []
  const texts = backOffs.map(({ waitMs, code }) => `${durationText(waitMs)} after ${code}`)
  return [['Retries', `${backOffs.length}: waited ${texts.join(', then ')}`]]
}

function Asked({ data }: { readonly data: StepStarted }) {
  return (
    <Section title="Request">
      <FactList
        facts={[
          ['Model', <code key="m">{data.model}</code>],
          ['Provider', <code key="p">{data.providerId}</code>],
          ['Tier', tierTitles[data.tier]],
          ['Messages', data.messages.toLocaleString('en')],
          ['Prompt', `${data.promptTokens.toLocaleString('en')} tokens, estimated`],
        ]}
      />
    </Section>
  )
}
