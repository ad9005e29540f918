import { hash } from 'node:crypto'
import { canonicalJson, type JsonObject } from '../domain/json.ts'
import type { ToolCall } from '../domain/model.ts'

/** SHA-256 of the exact arguments, base64url: what an approval and an intent are bound to. */
export function hashOf(args: JsonObject): string {
  return hash('sha256', canonicalJson(args), 'base64url')
}

export function hashOfCall(call: ToolCall): string {
  return 'arguments' in call ? hashOf(call.arguments) : hash('sha256', call.argumentsRaw, 'base64url')
}

/** Many models write null for a parameter that they mean to leave out; no action takes null. */
export function withoutNulls(args: JsonObject): JsonObject {
  const given = Object.entries(args)
  return given.some(([, value]) => value === null)
    ? Object.fromEntries(given.filter(([, value]) => value !== null))
    : args
}
