import type { ActionResult } from '../domain/action.ts'
import { type ModelMessage, resultText, type ToolCall } from '../domain/model.ts'
import { estimateTokens } from '../domain/text.ts'

/** The working transcript of one thread: what the model is sent. It only grows, so a provider's prefix cache holds. */
export interface Conversation {
  readonly messages: readonly ModelMessage[]
  /** About four characters a token. */
  readonly promptTokens: number
  addUser(content: string): void
  addAssistant(content: string, toolCalls: readonly ToolCall[]): void
  addResult(result: ActionResult): void
}

export function createConversation(start: readonly ModelMessage[]): Conversation {
  const messages: ModelMessage[] = [...start]
  let promptTokens = start.reduce((sum, message) => sum + estimateTokens(message.content), 0)

  function add(message: ModelMessage): void {
    messages.push(message)
    promptTokens += estimateTokens(message.content)
  }

  return {
    messages,
    get promptTokens() {
      return promptTokens
    },
    addUser: (content) => add({ role: 'user', content }),
    addAssistant: (content, toolCalls) =>
      add(toolCalls.length === 0 ? { role: 'assistant', content } : { role: 'assistant', content, toolCalls }),
    addResult: (result) => add({ role: 'tool', callId: result.callId, name: result.name, content: textOf(result) }),
  }
}

/** What the model reads for a result: the value, or why there is none. */
function textOf(result: ActionResult): string {
  if (result.ok) return resultText(result.value)
  return JSON.stringify({ error: { code: result.error.code, message: result.error.message } })
}
