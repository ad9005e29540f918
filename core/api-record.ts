import { codeOf } from './domain/code.ts'
import type { ChatMessage, Page } from './domain/contract.ts'
import type { ModelCompletedBody, StoredEvent } from './domain/event.ts'
import { limits } from './domain/limits.ts'
import type { CallRow } from './domain/thread.ts'
import type { Store } from './store/store.ts'

// What the calls of the API read of a thread's record.

/** A full page may end inside a step: that step is left for the next page, or is a page of its own where it fills one. */
export function wholeSteps(read: (limit: number) => readonly CallRow[], limit: number): Page<CallRow> {
  const rows = read(limit)
  const last = rows.at(-1)
  if (rows.length < limit || last === undefined) return { rows, next: null }
  const whole = rows.filter((row) => row.step < last.step)
  const page = whole.length > 0 ? whole : read(rowsOfStep).filter((row) => row.step === last.step)
  return { rows: page, next: page.at(-1)?.step ?? null }
}

/** Of the largest step: the model's call and all that one answer may ask for. */
const rowsOfStep = limits.callsPerAnswer + limits.codeCalls * limits.codeBatch + 2

/** Every event of a thread with its body, read in small pages: no statement may hold the engine up. */
export function* wholeRecord(store: Store, threadId: string): Generator<StoredEvent> {
  let after = 0
  for (;;) {
    const page = store.events.ofThread(threadId, after, recordPage)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < recordPage) return
    after = last.seq
  }
}
const recordPage = 200

/** The arguments of a call lie in the model's answer that asked for it: found by step and call id. */
export function wholeEvent(store: Store, seq: number): StoredEvent {
  const event = store.events.get(seq)
  if (event.kind === 'code.started' && event.body === undefined) {
    const code = codeOf(answerOfStep(store, event.threadId, event.data.step)?.text ?? '')?.code
    return code === undefined ? event : { ...event, body: { code } }
  }
  if (event.kind !== 'action.started' || event.body?.arguments !== undefined) return event
  const { step, callId } = event.data
  const call = answerOfStep(store, event.threadId, step)?.toolCalls.find((each) => each.id === callId)
  if (call === undefined) return event
  return { ...event, body: { ...event.body, arguments: 'arguments' in call ? call.arguments : call.argumentsRaw } }
}

function answerOfStep(store: Store, threadId: string, step: number): ModelCompletedBody | undefined {
  const model = store.calls.page(threadId, step - 1, rowsOfStep).find((row) => row.step === step && row.path === '0')
  const answer = model?.endSeq === null || model === undefined ? undefined : store.events.get(model.endSeq)
  return answer?.kind === 'model.completed' ? answer.body : undefined
}

export function chatMessage(event: StoredEvent): readonly ChatMessage[] {
  if (event.kind === 'unreadable') {
    const { seq, threadId, at } = event
    return [{ seq, threadId, role: 'assistant', content: `*Message ${seq} cannot be read any more.*`, at }]
  }
  if (event.kind !== 'message.added') return []
  const { role, origin } = event.data
  const isSpoken = (role === 'user' && origin === undefined) || (role === 'assistant' && origin === 'final')
  if (!isSpoken) return []
  const { seq, threadId, at } = event
  return [{ seq, threadId, role, content: event.body.content, at }]
}
