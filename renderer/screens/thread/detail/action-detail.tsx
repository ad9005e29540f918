import { errorCodes } from '../../../../core/domain/error.ts'
import type { ActionFinished } from '../../../../core/domain/event.ts'
import { isJsonObject, type Json } from '../../../../core/domain/json.ts'
import { ErrorCard } from '../../../components/card.tsx'
import { ConnectButton } from '../../../components/connect-button.tsx'
import { bytesText, counted, durationText } from '../../../format/figures.ts'
import { JsonView } from '../../../record/json-view.tsx'
import { Origin } from '../../../record/origin.tsx'
import { Body, LongText, Section } from '../../../record/parts.tsx'
import { lackingOf } from '../../../state/lacking.ts'
import type { Span } from '../../../timeline/span.ts'
import { HttpFacts } from './http-facts.tsx'

interface ActionProps {
  readonly span: Span
}

/** What the action was asked. */
export function ActionInput({ span }: ActionProps) {
  return (
    <Body seq={span.startSeq > 0 ? span.startSeq : null} none="The start of this action is not recorded.">
      {(event) =>
        event.kind === 'action.started' || event.kind === 'approval.requested' ? (
          <Section title="Arguments" aside={<span className="mono">{event.data.callId}</span>}>
            {event.body?.arguments !== undefined ? (
              <JsonView value={event.body.arguments} />
            ) : (
              <p className="mute small">Not recorded.</p>
            )}
          </Section>
        ) : null
      }
    </Body>
  )
}

/** What came of it: the result, or why there is none and what is safe. */
export function ActionOutput({ span }: ActionProps) {
  const none =
    span.state === 'waiting'
      ? 'It waits for your answer: nothing of it has run.'
      : span.state === 'started'
        ? 'Still running: no result yet.'
        : 'This action was stopped before a result was on record.'
  return (
    <Body seq={span.endSeq} none={none}>
      {(event) =>
        event.kind === 'action.finished' ? (
          <>
            {event.data.ok && event.data.name === 'http' && <HttpFacts span={span} result={event.body.result} />}
            <Result data={event.data} result={event.body.result} />
          </>
        ) : null
      }
    </Body>
  )
}

function Result({ data, result }: { readonly data: ActionFinished; readonly result: Json }) {
  const title = data.ok ? 'Result' : 'What the model read'
  const size = JSON.stringify(result).length
  return (
    <>
      {!data.ok && <Failure data={data} result={result} />}
      <Section title={title} aside={`${bytesText(size)}, ${durationText(data.durationMs)}${listNote(result)}`}>
        {typeof result === 'string' ? <LongText text={result} /> : <JsonView value={result} />}
      </Section>
      <Origin fact={{ kind: 'action.finished', data }} />
    </>
  )
}

function listNote(result: Json): string {
  return Array.isArray(result) ? `, ${counted(result.length, 'item')}` : ''
}

const refusals: Readonly<Record<string, string>> = {
  'policy.denied': 'Refused: no lease covers it',
  'action.unknown': 'Refused: there is no such action',
  'approval.denied': 'You denied it',
  'approval.expired': 'Nobody answered in time, so it was denied',
  'http.credential': 'Not sent: its credential is not there',
  'action.interrupted': 'Cut off: it may or may not have happened',
}

function Failure({ data, result }: { readonly data: ActionFinished; readonly result: Json }) {
  const told = errorTextOf(result)
  const code = data.code ?? errorCodes.find((one) => one === told.code) ?? 'action.failed'
  const error = { code, userMessage: told.userMessage || data.summary, message: told.message, retryable: false }
  const lacking = lackingOf(result)
  const title = refusals[code] ?? `Failed after ${durationText(data.durationMs)}`
  return (
    <div className="pad">
      <ErrorCard
        title={title}
        error={error}
        actions={lacking !== null && <ConnectButton skill={lacking.skill} look="primary" />}
      />
    </div>
  )
}

/** A failed action's result is the error that the model read, by itself or in a field. */
function errorTextOf(result: Json): { readonly code: string; readonly userMessage: string; readonly message: string } {
  const error = isJsonObject(result) && isJsonObject(result.error) ? result.error : result
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  if (!isJsonObject(error)) return { code: '', userMessage: text(error), message: text(error) }
  return { code: text(error.code), userMessage: text(error.userMessage), message: text(error.message) }
}
