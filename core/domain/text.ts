import { isJsonObject, type Json, type JsonObject } from './json.ts'

/**
 * Text from outside made safe to store and show: control characters go, hidden and direction-changing ones become visible
 * as `⟦U+200B⟧`, lone surrogates become U+FFFD. Tabs and line breaks stay; CRLF becomes LF. Source: RULES 34.
 */
export function sanitizeText(text: string): string {
  if (!/[^\x20-\x7e\n\t]/.test(text)) return text
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .replace(hidden, (character) => {
      const code = character.codePointAt(0) ?? 0
      return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`
    })
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is what this is for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
// Zero-width joiners between letters or emoji carry meaning (Persian, family emoji), so U+200C and U+200D stay.
const hidden =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu

/** About four characters a token: the estimate that stands in where a server reports none. */
export function estimateTokens(text: string): number {
  return tokensOfLength(text.length)
}
/** The same for a text that need not be built for it. */
export const tokensOfLength = (characters: number) => Math.ceil(characters / 4)

/** Every string of a value made safe to store and show, keys too. */
export function sanitizeJson(value: Json): Json {
  if (typeof value === 'string') return sanitizeText(value)
  if (Array.isArray(value)) return value.map(sanitizeJson)
  return isJsonObject(value) ? sanitizeObject(value) : value
}

export function sanitizeObject(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [sanitizeText(key), sanitizeJson(each)]))
}

/** A short text of somebody else's: safe to show, and not longer than `max`, with a mark where it was cut. */
export function boundText(text: string, max: number): string {
  const safe = sanitizeText(text)
  return safe.length <= max ? safe : `${safe.slice(0, max - 1).toWellFormed()}…`
}
