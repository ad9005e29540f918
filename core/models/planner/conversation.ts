import type { ModelMessage } from '../../domain/model.ts'
import { callKey, type Outcome, outcomeOf } from './plan.ts'

/** The request to answer now, what is on record for it, and what was asked before. */
export interface Turn {
  readonly said: string
  readonly record: ReadonlyMap<string, Outcome>
  readonly earlier: readonly string[]
  /** The answer to the request before; undefined for the first one. */
  readonly earlierAnswer: string | undefined
  /** Calls asked for in the whole conversation: ids count on from here. */
  readonly callsSoFar: number
}

// Notes that the step loop adds as user messages; they ask for nothing new.
const loopNote = /^(You said what you would do, but called no action|Every action failed in the last|\[SYSTEM\])/

/** Reads the conversation: the last thing that the user said and the results that came after it. */
export function currentTurn(messages: readonly ModelMessage[]): Turn {
  const asked = messages.flatMap((m, at) => (m.role === 'user' && !loopNote.test(m.content) ? [at] : []))
  const last = asked.at(-1) ?? -1
  const contents = asked.map((at) => messages[at]?.content ?? '')
  const after = messages.slice(last + 1)
  const before = messages.slice(0, Math.max(0, last))
  const earlierAnswer = before.findLast((m) => m.role === 'assistant' && (m.toolCalls?.length ?? 0) === 0)?.content
  const record = new Map<string, Outcome>()
  const results = new Map(after.flatMap((m) => (m.role === 'tool' ? [[m.callId, m.content] as const] : [])))
  const callsSoFar = messages.reduce((sum, m) => sum + (m.role === 'assistant' ? (m.toolCalls?.length ?? 0) : 0), 0)
  for (const message of after) {
    if (message.role !== 'assistant') continue
    for (const call of message.toolCalls ?? []) {
      const content = results.get(call.id)
      if (content === undefined || 'invalid' in call) continue
      record.set(callKey({ name: call.name, arguments: call.arguments }), outcomeOf(content))
    }
  }
  return { said: contents.at(-1) ?? '', record, earlier: contents.slice(0, -1), earlierAnswer, callsSoFar }
}
