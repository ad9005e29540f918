import type { AssistantModelMessage, ModelMessage as SdkMessage, SystemModelMessage, ToolContent } from 'ai'
import { z } from 'zod'
import type { ModelMessage, ToolCall } from '../domain/model.ts'

/** A conversation in the AI SDK's own shapes. */
export interface SdkPrompt {
  readonly instructions?: SystemModelMessage
  readonly messages: SdkMessage[]
}

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>
type ResultMessage = Extract<ModelMessage, { role: 'tool' }>
type Mark = Pick<SystemModelMessage, 'providerOptions'>

const providerOptions = z.record(z.string(), z.record(z.string(), z.json()))

/**
 * `messages`: as servers accept them (`wireMessages`). `marksCache`: two of Anthropic's four marks. What stands before the
 * first is tools and system prompt, which no step changes; the second is the last message, because a thread only grows and
 * the next request begins with all of this one. OpenAI and Google find the same prefix by themselves.
 */
export function sdkPrompt(messages: readonly ModelMessage[], marksCache: boolean): SdkPrompt {
  const mark: Mark = marksCache ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } : {}
  const [first] = messages
  const rest = first?.role === 'system' ? messages.slice(1) : messages
  const sent: SdkMessage[] = []
  for (const message of rest) take(message, sent)
  const last = sent.at(-1)
  if (last !== undefined) sent[sent.length - 1] = { ...last, ...mark }
  return {
    ...(first?.role === 'system' && { instructions: { role: 'system', content: first.content, ...mark } }),
    messages: sent,
  }
}

function take(message: ModelMessage, sent: SdkMessage[]): void {
  switch (message.role) {
    case 'system':
    case 'user':
      sent.push({ role: 'user', content: message.content })
      return
    case 'assistant': {
      const answer = assistantMessage(message)
      // Providers refuse an empty answer, and it says nothing.
      if (answer.content.length > 0) sent.push(answer)
      return
    }
    case 'tool': {
      // Gemini wants the results of one answer in one message.
      const last = sent.at(-1)
      if (last?.role === 'tool')
        sent[sent.length - 1] = { role: 'tool', content: [...last.content, resultPart(message)] }
      else sent.push({ role: 'tool', content: [resultPart(message)] })
    }
  }
}

function assistantMessage({ content, toolCalls = [] }: AssistantMessage): AssistantModelMessage {
  const text = content === '' ? [] : [{ type: 'text' as const, text: content }]
  return { role: 'assistant', content: [...text, ...toolCalls.map(callPart)] }
}

function callPart(call: ToolCall) {
  const metadata = providerOptions.safeParse(call.providerMetadata)
  return {
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    // Broken arguments would make providers refuse the whole history; the result after it says what was wrong.
    input: 'arguments' in call ? call.arguments : {},
    ...(metadata.success && { providerOptions: metadata.data }),
  }
}

function resultPart({ callId, name, content }: ResultMessage): ToolContent[number] {
  return { type: 'tool-result', toolCallId: callId, toolName: name, output: { type: 'text', value: content } }
}
