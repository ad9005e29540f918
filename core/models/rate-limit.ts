import { limits } from '../domain/limits.ts'

/** When a server takes requests again, as its headers have it. */
export interface WaitHeaders {
  readonly retryAfter: string | null
  /** Of servers that name no `Retry-After`, but when the limit that was hit is reset. */
  readonly reset?: string | null
}

/** `anthropic-…`: a date each; the others: `1s`, `6m0s`, seconds, or an epoch time. */
const resets = [
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-reset',
  'anthropic-ratelimit-input-tokens-reset',
  'anthropic-ratelimit-output-tokens-reset',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'x-ratelimit-reset',
  'ratelimit-reset',
] as const

/** Of several limits that one counts that is used up (`…-remaining` at 0): the others reset at times of their own. */
export function waitHeaders(header: (name: string) => string | null): WaitHeaders {
  const isUsedUp = (name: string) => header(name.replace('reset', 'remaining')) === '0'
  const given = resets.filter((name) => header(name) !== null)
  const name = given.find(isUsedUp) ?? given[0]
  return { retryAfter: header('retry-after'), reset: name === undefined ? null : header(name) }
}

/**
 * How long until a server takes requests again, in ms from `now` (epoch ms): its headers, else its own words (`Please try again
 * in 9.816s`, `"retryDelay": "32s"`). Null where it does not say. Not capped: a person wants to know the truth.
 */
export function waitMsOf({ retryAfter, reset = null }: WaitHeaders, text: string, now: number): number | null {
  // A limit that is reset now was not the one that was hit.
  return spanOf(retryAfter, now) ?? (spanOf(reset, now) || null) ?? saidSpan(text)
}

/** What an own retry waits of it (RULES 5). */
export function cappedWaitMs(waitMs: number): number {
  return Math.min(waitMs, limits.retryAfterMs)
}

function spanOf(value: string | null, now: number): number | null {
  const text = value?.trim() ?? ''
  if (text === '') return null
  if (/^\d+(?:\.\d+)?$/.test(text)) return ofNumber(Number(text), now)
  const span = ofUnits(text)
  if (span !== null) return span
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** A number may be seconds from now, or an epoch time in s or ms. */
function ofNumber(value: number, now: number): number {
  if (value < 1e9) return Math.round(value * 1000)
  return Math.max(0, Math.round(value < 1e11 ? value * 1000 : value) - now)
}

const unitMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** `6m0s`, `20ms`, `1h2m3.5s`. */
function ofUnits(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return null
  let ms = 0
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    ms += Number(amount) * (unitMs.get(unit) ?? 0)
  }
  return Math.round(ms)
}

function saidSpan(text: string): number | null {
  const found =
    /(?:try again|retry) in (?<span>(?:\d+(?:\.\d+)?(?:ms|[smhd]))+)|"retryDelay"\s*:\s*"(?<delay>[\d.]+s)"|try again in (?<seconds>\d+(?:\.\d+)?) sec/i.exec(
      text,
    )?.groups
  if (found === undefined) return null
  return found.seconds === undefined
    ? ofUnits(found.span ?? found.delay ?? '')
    : Math.round(Number(found.seconds) * 1000)
}
