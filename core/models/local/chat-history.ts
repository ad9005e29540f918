import type { ChatHistoryItem, ChatModelFunctionCall } from 'node-llama-cpp'
import type { Json } from '../../domain/json.ts'
import type { ModelMessage } from '../../domain/model.ts'

type Response = Extract<ChatHistoryItem, { type: 'model' }>['response']

/**
 * A conversation (as `wireMessages` leaves it) as the library writes it into a model's own template: everything between two
 * user messages is one turn of the model, with its calls and their results in it. The last turn is left open.
 */
export function chatHistory(messages: readonly ModelMessage[]): ChatHistoryItem[] {
  const history: ChatHistoryItem[] = []
  for (const message of messages) {
    if (message.role === 'assistant' || message.role === 'tool') addTurn(openTurn(history), message)
    else history.push({ type: message.role, text: message.content })
  }
  openTurn(history)
  return history
}

function openTurn(history: ChatHistoryItem[]): Response {
  const last = history.at(-1)
  if (last?.type === 'model') return last.response
  const response: Response = []
  history.push({ type: 'model', response })
  return response
}

function addTurn(turn: Response, message: Extract<ModelMessage, { role: 'assistant' | 'tool' }>): void {
  if (message.role === 'tool') {
    const open = turn.find((part) => isOpenCall(part))
    if (typeof open === 'object' && open.type === 'functionCall') open.result = resultOf(message.content)
    return
  }
  if (message.content !== '') turn.push(message.content)
  for (const [at, call] of (message.toolCalls ?? []).entries()) {
    const params = 'invalid' in call ? {} : call.arguments
    turn.push({ type: 'functionCall', name: call.name, params, result: undefined, startsNewChunk: at === 0 })
  }
}

/** Results come in the order of their calls, so the first call without one is meant. */
function isOpenCall(part: Response[number]): part is ChatModelFunctionCall {
  return typeof part === 'object' && part.type === 'functionCall' && part.result === undefined
}

/** Templates write results as JSON: what is JSON already must not become a string in quotes. */
function resultOf(content: string): Json {
  if (!/^\s*[[{]/.test(content)) return content
  try {
    return JSON.parse(content)
  } catch {
    // It only looked like JSON: the text itself is the result.
    return content
  }
}
