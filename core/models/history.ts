import { createHash } from 'node:crypto'
import type { CompletionRequest, ModelMessage, ToolCall } from '../domain/model.ts'

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>
type ResultMessage = Extract<ModelMessage, { role: 'tool' }>

/** What stands where a call was never answered: servers refuse a history with open calls. */
const missingResult = '[no result]'

/**
 * A conversation that every server accepts: one system message in front (a later one speaks as the user), no two user
 * messages in a row, every call answered exactly once and in order, no result without a call. The stored thread is not
 * touched.
 */
export function wireMessages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const sent: ModelMessage[] = []
  for (const [position, message] of messages.entries()) {
    const last = sent.at(-1)
    if (message.role === 'tool') continue
    if (message.role === 'assistant') {
      sent.push(message, ...resultsOf(message, messages, position))
      continue
    }
    const isLeading = sent.every((earlier) => earlier.role === 'system')
    const role = message.role === 'system' && isLeading ? 'system' : 'user'
    if (last?.role === role) sent[sent.length - 1] = { role, content: `${last.content}\n\n${message.content}` }
    else sent.push({ role, content: message.content })
  }
  return sent
}

function resultsOf(
  asked: AssistantMessage,
  messages: readonly ModelMessage[],
  position: number,
): readonly ModelMessage[] {
  const calls = asked.toolCalls ?? []
  if (calls.length === 0) return []
  const found = resultsUntilNextCalls(messages, position)
  return calls.map((call) => {
    const at = found.findIndex((result) => result.callId === call.id)
    const result = at < 0 ? undefined : found.splice(at, 1)[0]
    return result ?? { role: 'tool', callId: call.id, name: call.name, content: missingResult }
  })
}

/** Ids may come again in a later answer, so a result is looked for only up to the next message with calls. */
function resultsUntilNextCalls(messages: readonly ModelMessage[], position: number): ResultMessage[] {
  const found: ResultMessage[] = []
  // By index: a copy of the rest for each answer would make a request cost the square of its history.
  for (let at = position + 1; at < messages.length; at += 1) {
    const message = messages[at]
    if (message === undefined) break
    if (message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0) break
    if (message.role === 'tool') found.push(message)
  }
  return found
}

/** Names as servers allow them (`^[a-zA-Z0-9_-]{1,64}$`), and the way back. */
export interface ToolNames {
  readonly toWire: (name: string) => string
  readonly fromWire: (name: string) => string
}

const allowedName = /^[a-zA-Z0-9_-]{1,64}$/

export function toolNames(names: Iterable<string>): ToolNames {
  const all = new Set(names)
  const wire = new Map<string, string>()
  const back = new Map<string, string>()
  for (const name of all) {
    if (allowedName.test(name)) continue
    // The hash keeps two names apart that look alike once their odd characters are gone.
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
    const short = `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${hash}`
    wire.set(name, short)
    back.set(short, name)
  }
  return { toWire: (name) => wire.get(name) ?? name, fromWire: (name) => back.get(name) ?? name }
}

/** Nine letters and figures, the same for the same id: all that some servers (Mistral's templates) take. */
function shortId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9)
}

function withShortIds(message: ModelMessage): ModelMessage {
  if (message.role === 'tool') return { ...message, callId: shortId(message.callId) }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message
  return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: shortId(call.id) })) }
}

/** A request as it goes out, with the way back for the names in its answer. */
export function wireRequest(
  request: CompletionRequest,
  { hasShortIds }: { readonly hasShortIds: boolean },
): {
  readonly request: CompletionRequest
  readonly names: ToolNames
} {
  const accepted = wireMessages(request.messages)
  const messages = hasShortIds ? accepted.map(withShortIds) : accepted
  const names = toolNames([...request.tools.map((tool) => tool.name), ...messages.flatMap(namesIn)])
  const renamed = messages.map((message): ModelMessage => {
    if (message.role === 'tool') return { ...message, name: names.toWire(message.name) }
    if (message.role !== 'assistant' || message.toolCalls === undefined) return message
    return { ...message, toolCalls: message.toolCalls.map((call) => renamedCall(call, names.toWire)) }
  })
  const tools = request.tools.map((tool) => ({ ...tool, name: names.toWire(tool.name) }))
  return { request: { ...request, messages: renamed, tools }, names }
}

export function renamedCall(call: ToolCall, rename: (name: string) => string): ToolCall {
  return { ...call, name: rename(call.name) }
}

function namesIn(message: ModelMessage): readonly string[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.name) : []
}
