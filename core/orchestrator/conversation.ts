import type { ActionResult } from '../domain/action.ts'
import { fenced, jsonWithoutControlTokens, withoutControlTokens } from '../domain/fence.ts'
import { isJsonObject, jsonLength } from '../domain/json.ts'
import { type ModelMessage, resultText, type ToolCall } from '../domain/model.ts'
import type { Source } from '../domain/source.ts'
import { estimateTokens, tokensOfLength } from '../domain/text.ts'

/**
 * The working transcript of one thread: what the model is sent. It only grows, so a provider's prefix cache holds, until it
 * has to be compacted; the record of the thread is not touched by that.
 */
export interface Conversation {
  readonly messages: readonly ModelMessage[]
  /** About four characters a token. */
  readonly promptTokens: number
  /** The last thing that a person said. */
  readonly lastAsked: string
  addUser(content: string): void
  /** What the engine says. */
  addNote(content: string): void
  /** What code printed; `sources`: what it may quote. */
  addOutput(content: string, sources: readonly Source[]): void
  /** What bears on the question that was just asked: it stands before it, so that the question is what a model reads last. */
  addContext(content: string): void
  /** As `addContext`, for the text of skills: it stays when the rest is summed up. */
  addSkills(content: string): void
  addAssistant(content: string, toolCalls: readonly ToolCall[]): void
  addResult(result: ActionResult): void
  /** How many of the last messages stay within so many tokens, without parting a call from its result. */
  tailWithin(tokens: number): number
  /**
   * The system message, the skills, the summary, the last thing that a person said, and the last `kept` messages word for word.
   * `sources`: what the summary may quote. Source: engine-behaviour 2.7, section 15 point 18.
   */
  compact(summary: string, kept: number, sources: readonly Source[]): void
}

export function createConversation(start: readonly ModelMessage[]): Conversation {
  let messages: ModelMessage[] = start.map(asData)
  let promptTokens = tokensOf(messages)
  let lastAsked = messages.findLast((message) => message.role === 'user')?.content ?? ''

  const skills = new Set<ModelMessage>()

  function add(given: ModelMessage): ModelMessage {
    const message = asData(given)
    messages.push(message)
    promptTokens += tokensOfMessage(message)
    return message
  }

  function addBeforeQuestion(content: string): ModelMessage {
    const last = messages.at(-1)
    const message = add({ role: 'system', content })
    if (last?.role === 'user') messages.splice(-2, 2, message, last)
    return message
  }

  return {
    get messages() {
      return messages
    },
    get promptTokens() {
      return promptTokens
    },
    get lastAsked() {
      return lastAsked
    },
    addUser(content) {
      lastAsked = withoutControlTokens(content)
      add({ role: 'user', content })
    },
    addNote: (content) => void add({ role: 'system', content }),
    addOutput: (content, sources) => void add({ role: 'system', content: fenced(content, sources) }),
    addContext: (content) => void addBeforeQuestion(content),
    addSkills: (content) => void skills.add(addBeforeQuestion(content)),
    addAssistant: (content, toolCalls) =>
      void add(toolCalls.length === 0 ? { role: 'assistant', content } : { role: 'assistant', content, toolCalls }),
    addResult: (result) =>
      void add({ role: 'tool', callId: result.callId, name: result.name, content: textOf(result) }),

    tailWithin(tokens) {
      let left = tokens
      let kept = 0
      for (let at = messages.length - 1; at > 0; at -= 1) {
        const message = messages[at]
        if (message === undefined) break
        left -= tokensOfMessage(message)
        if (left < 0) break
        // A result without the answer that asked for it is refused by servers.
        if (message.role !== 'tool') kept = messages.length - at
      }
      return kept
    },

    compact(summary, kept, sources) {
      const system = messages[0]?.role === 'system' ? [messages[0]] : []
      const tail = kept === 0 ? [] : messages.slice(-kept)
      const older = messages.slice(0, messages.length - tail.length)
      const standing = older.flatMap((message) => (skills.has(message) ? [message] : loadedSkill(message)))
      for (const message of standing) skills.add(message)
      const recap: ModelMessage = { role: 'system', content: `${recapHead}\n\n${fenced(summary, sources)}` }
      const isAsked = tail.some((message) => message.role === 'user' && message.content === lastAsked)
      const asked: readonly ModelMessage[] = isAsked || lastAsked === '' ? [] : [{ role: 'user', content: lastAsked }]
      messages = [...system, ...standing, recap, ...asked, ...tail]
      promptTokens = tokensOf(messages)
    },
  }
}

/** A skill that the model loaded stays too; without its call the result would be refused by servers, so it is told. */
function loadedSkill(message: ModelMessage): readonly ModelMessage[] {
  const isOne = message.role === 'tool' && message.name === 'load_skill' && message.content.includes('<skill name="')
  return isOne ? [{ role: 'system', content: message.content }] : []
}

const recapHead =
  '[The conversation so far was too long for the model, so it was summarised. The whole of it is on record.]'

function tokensOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0)
}

function tokensOfMessage(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
  return calls.reduce(
    (sum, call) =>
      sum + ('arguments' in call ? tokensOfLength(jsonLength(call.arguments)) : estimateTokens(call.argumentsRaw)),
    estimateTokens(message.content),
  )
}

/** What the model reads for a result: the value, or why there is none; between marks where it holds somebody else's text. */
function textOf(result: ActionResult): string {
  const text = result.ok
    ? resultText(result.value)
    : JSON.stringify({ error: { code: result.error.code, message: result.error.message } })
  return fenced(text, result.source === undefined ? [] : [result.source])
}

/** Whoever said it, and whatever they quoted: nothing in it can pass for the marks of a chat template. */
function asData(message: ModelMessage): ModelMessage {
  const content = withoutControlTokens(message.content)
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, content }
  return { ...message, content, toolCalls: message.toolCalls.map(callAsData) }
}

function callAsData(call: ToolCall): ToolCall {
  if (!('arguments' in call)) return { ...call, argumentsRaw: withoutControlTokens(call.argumentsRaw) }
  const safe = jsonWithoutControlTokens(call.arguments)
  return isJsonObject(safe) ? { ...call, arguments: safe } : call
}
