import { limits } from '../../../core/domain/limits.ts'

/** What a person wrote, as a value; or what is wrong with it, in words. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string }

const grouped = /^[1-9]\d{0,2}(?:[,_ \u00a0\u202f]\d{3})+(?:\.\d+)?$/
const plain = /^(?:\d+\.?\d*|\.\d+)$/

/** `1500`, `1,500`, `1 500`, `0.25`. Null for anything else: a comma before other than three digits could mean two things. */
function numberOf(text: string): number | null {
  if (grouped.test(text)) return Number(text.replace(/[^\d.]/g, ''))
  return plain.test(text) ? Number(text) : null
}

/** A limit; null for an empty field: no limit. `read` gives null where the text is none. */
function limitOf(text: string, read: (text: string) => number | null, problem: string): Parsed<number | null> {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: true, value: null }
  const value = read(trimmed)
  return value !== null && value > 0 && Number.isFinite(value) ? { ok: true, value } : { ok: false, problem }
}

const factors: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 }
const mostTokens = 1_000_000_000_000
const mostUsd = 1_000_000
const msOfMinute = 60_000
const mostMinutes = 60 * 24 * 365

/** `200000`, `200,000`, `200k`, `1.5M`. */
export function parseTokens(text: string): Parsed<number | null> {
  return limitOf(
    text,
    (written) => {
      const factor = factors[written.slice(-1).toLowerCase()]
      const value = numberOf(factor === undefined ? written : written.slice(0, -1).trim())
      const tokens = value === null ? null : Math.round(value * (factor ?? 1) * 1_000) / 1_000
      return tokens !== null && Number.isInteger(tokens) && tokens <= mostTokens ? tokens : null
    },
    'Write a whole number of tokens, as in 200,000 or 200k; or nothing for no limit.',
  )
}

/** `5`, `0.50`, `$5`. */
export function parseUsd(text: string): Parsed<number | null> {
  return limitOf(
    text,
    (written) => {
      const usd = numberOf(written.replace(/^\$\s*/, ''))
      return usd !== null && usd <= mostUsd ? usd : null
    },
    'Write an amount in USD with a point, as in 5 or 0.50; or nothing for no limit.',
  )
}

export function parseSteps(text: string): Parsed<number | null> {
  return limitOf(
    text,
    (written) => {
      const steps = numberOf(written)
      return steps !== null && Number.isInteger(steps) && steps <= limits.maxStepsCeiling ? steps : null
    },
    `Write a whole number up to ${limits.maxStepsCeiling.toLocaleString('en')}; or nothing for the usual ${limits.maxSteps}.`,
  )
}

/** Minutes as they are written, ms as they are kept. */
export function parseMinutes(text: string): Parsed<number | null> {
  return limitOf(
    text,
    (written) => {
      const minutes = numberOf(written)
      return minutes !== null && minutes <= mostMinutes ? Math.round(minutes * msOfMinute) : null
    },
    'Write a number of minutes, as in 10 or 1.5; or nothing for no limit.',
  )
}

/** A model's window; the bounds are the setting's own. */
export function parseWindow(text: string): Parsed<number | null> {
  const parsed = parseTokens(text)
  const isWindow = parsed.ok && (parsed.value === null || (parsed.value >= 256 && parsed.value <= 10_000_000))
  if (isWindow) return parsed
  return {
    ok: false,
    problem: 'Write a number from 256, as in 8,192 or 32k.',
  }
}

/** Threads of the processor that one model takes. */
export function parseThreads(text: string): Parsed<number | null> {
  return limitOf(
    text,
    (written) => {
      const threads = numberOf(written)
      return threads !== null && Number.isInteger(threads) && threads <= mostThreads ? threads : null
    },
    `Write a whole number from 1 to ${mostThreads}.`,
  )
}
const mostThreads = 256

/** Seconds as they are written, ms as they are kept: from 1 second up to `mostMs`. */
export function parseSeconds(mostMs: number): (text: string) => Parsed<number | null> {
  return (text) =>
    limitOf(
      text,
      (written) => {
        const seconds = numberOf(written)
        return seconds !== null && seconds >= 1 && seconds * 1_000 <= mostMs ? Math.round(seconds * 1_000) : null
      },
      `Write seconds from 1 to ${(mostMs / 1_000).toLocaleString('en')}.`,
    )
}

export function secondsText(ms: number | null): string {
  return amountText(ms === null ? null : ms / 1_000)
}

/** USD for a million tokens; null for an empty field. */
export function parsePrice(text: string): Parsed<number | null> {
  const written = text.trim().replace(/^\$\s*/, '')
  if (written === '') return { ok: true, value: null }
  const usd = numberOf(written)
  if (usd !== null && usd <= mostPrice) return { ok: true, value: usd }
  return { ok: false, problem: 'Write an amount in USD with a point, as in 0.25 or 3.' }
}
const mostPrice = 100_000

/** How a limit stands in its field; the parsers read it back as the same value. */
export function amountText(value: number | null): string {
  if (value === null) return ''
  return Number.isInteger(value) ? value.toLocaleString('en') : String(value)
}

/** Money has two places where it has any. */
export function moneyText(usd: number | null): string {
  const text = amountText(usd)
  return /\.\d$/.test(text) ? `${text}0` : text
}

export function minutesText(ms: number | null): string {
  return amountText(ms === null ? null : ms / msOfMinute)
}
