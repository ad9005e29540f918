import type { Completion, CompletionRequest, ModelMessage, ToolCall, Usage } from '../domain/model.ts'
import { tokensOfLength } from '../domain/text.ts'

/** What the server counted; where it sent nothing, or zero for text that exists, our own estimate, marked as such. */
export function settledUsage(request: CompletionRequest, completion: Completion): Usage {
  const sent = completion.usage
  if (sent !== undefined && sent.inputTokens > 0 && (sent.outputTokens > 0 || isSilent(completion))) return sent
  const hasInput = sent !== undefined && sent.inputTokens > 0
  const hasOutput = sent !== undefined && sent.outputTokens > 0
  return {
    ...sent,
    inputTokens: hasInput ? sent.inputTokens : estimatedInput(request),
    outputTokens: hasOutput ? sent.outputTokens : estimatedOutput(completion),
    estimated: true,
  }
}

function isSilent(completion: Completion): boolean {
  return completion.text === '' && completion.toolCalls.length === 0 && completion.reasoning === undefined
}

/** Tokens of a whole request, by its length. */
function estimatedInput(request: Pick<CompletionRequest, 'messages' | 'tools'>): number {
  let characters = 0
  for (const message of request.messages) characters += messageCharacters(message)
  for (const tool of request.tools) characters += JSON.stringify(tool).length
  return Math.max(1, tokensOfLength(characters))
}

/** Bytes of the texts of a request: what a window is chosen by, since three bytes a token hold for Chinese and for code too. */
export function requestBytes({ messages, tools }: Pick<CompletionRequest, 'messages' | 'tools'>): number {
  const texts = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  const calls = messages.reduce((sum, message) => sum + callsOf(message), 0)
  return texts + calls + tools.reduce((sum, tool) => sum + Buffer.byteLength(JSON.stringify(tool)), 0)
}

function estimatedOutput(completion: Completion): number {
  const characters = completion.text.length + (completion.reasoning?.length ?? 0) + callCharacters(completion.toolCalls)
  return tokensOfLength(characters)
}

function messageCharacters(message: ModelMessage): number {
  return message.content.length + callsOf(message)
}

function callsOf(message: ModelMessage): number {
  return message.role === 'assistant' && message.toolCalls ? callCharacters(message.toolCalls) : 0
}

function callCharacters(calls: readonly ToolCall[]): number {
  let characters = 0
  for (const call of calls) {
    const text = 'invalid' in call ? call.argumentsRaw : JSON.stringify(call.arguments)
    characters += call.name.length + text.length
  }
  return characters
}
