import { codeOf } from '../domain/code.ts'
import { jsonLength } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { Completion, ToolCall } from '../domain/model.ts'
import { boundText, sanitizeObject, sanitizeText } from '../domain/text.ts'
import type { Reply } from './record.ts'

/** A completion as it is stored, shown and run: one and the same. */
export function answerOf(completion: Completion, { runsCode }: { readonly runsCode: boolean }): Reply {
  const toolCalls = completion.toolCalls.slice(0, limits.callsPerAnswer).map(sanitizeCall)
  const text = withDropNote(sanitizeText(completion.text), completion.toolCalls.length)
  const reasoning = completion.reasoning && sanitizeText(completion.reasoning)
  const isCode = runsCode && toolCalls.length === 0 && !beginsWithFinal(text) && codeOf(text) !== null
  return { text, toolCalls, ...(reasoning && { reasoning }), isCode, isCut: completion.finishReason === 'length' }
}

/** An answer that ends with FINAL(…) before any code is an answer, whatever it quotes. */
function beginsWithFinal(text: string): boolean {
  const final = text.search(/^\s*FINAL\(/m)
  return final >= 0 && final < text.indexOf('```')
}

function sanitizeCall(call: ToolCall): ToolCall {
  const id = boundText(call.id, longestId)
  const name = boundText(call.name, limits.actionNameCharacters)
  // Byte for byte: a signature that was tidied up is no signature. The provider of one that is too long does without.
  const { providerMetadata } = call
  const isKept = providerMetadata !== undefined && jsonLength(providerMetadata) <= limits.actionArgumentBytes
  const head = { id, name, ...(isKept && { providerMetadata }) }
  if ('arguments' in call) return { ...head, arguments: sanitizeObject(call.arguments) }
  return { ...head, invalid: call.invalid, argumentsRaw: boundText(call.argumentsRaw, limits.actionArgumentBytes) }
}
const longestId = 120

function withDropNote(text: string, calls: number): string {
  if (calls <= limits.callsPerAnswer) return text
  return `${text}\n[Only the first ${limits.callsPerAnswer} of ${calls} calls were taken.]`
}

/** A hundredth of a millisecond is finer than anything that is drawn. */
export const roundMs = (ms: number) => Math.round(ms * 100) / 100

/** FINAL as a call: its argument under any of the names that models use, else the text beside it. */
export function finalAnswer(call: ToolCall, text: string): string {
  const given = 'arguments' in call ? call.arguments : {}
  for (const key of ['answer', 'result', 'value', 'content', 'text']) {
    const value = given[key]
    if (typeof value === 'string') return value
    if (value !== undefined) return JSON.stringify(value)
  }
  return text
}
