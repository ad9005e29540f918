import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { InvalidArguments, ProviderMetadata, ToolCall } from '../domain/model.ts'

/**
 * The arguments of one call as its server sent them. Blank and `null` are no arguments; a string that holds an object is
 * unwrapped once. Broken JSON is never mended: a guess could run an effect that nobody asked for.
 */
export function readArguments(raw: string): JsonObject | InvalidArguments {
  if (raw.trim() === '') return {}
  const value = parsed(raw)
  const inner = typeof value === 'string' ? parsed(value) : value
  if (inner === null) return {}
  return isJsonObject(inner) ? inner : 'E_TOOL_ARGS_INVALID'
}

interface ReadCall {
  readonly id: string
  readonly name: string
  readonly raw: string
  readonly providerMetadata?: ProviderMetadata | undefined
}

/** A finished call; `isCut` when the answer ended in the middle of it, whatever its text looks like. */
export function finishedCall(call: ReadCall, isCut: boolean): ToolCall {
  const { raw, providerMetadata, id, name } = call
  const head = { id, name, ...(providerMetadata && { providerMetadata }) }
  const read = isCut ? 'E_TOOL_ARGS_TRUNCATED' : readArguments(raw)
  return typeof read === 'string' ? { ...head, argumentsRaw: raw, invalid: read } : { ...head, arguments: read }
}

/** True once the text is one whole JSON value: whatever follows belongs to another call. */
export function isWholeJson(text: string): boolean {
  return text.trimEnd().endsWith('}') && parsed(text) !== undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
