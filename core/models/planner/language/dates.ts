import * as chrono from 'chrono-node'
import { numberWord } from './numbers.ts'

/** A date or period as it was written; which days it means is worked out by actions (`periods.ts`). */
export type DateSpec =
  | { readonly kind: 'day'; readonly text: string }
  | { readonly kind: 'ago'; readonly amount: number; readonly unit: DateUnit }
  | { readonly kind: 'current'; readonly unit: DateUnit; readonly offset: 0 | -1 | 1 }
  | { readonly kind: 'past'; readonly amount: number; readonly unit: DateUnit }
  | { readonly kind: 'year'; readonly year: string }
  | { readonly kind: 'month'; readonly month: number; readonly year: string | null }
  | { readonly kind: 'quarter'; readonly quarter: number; readonly year: string | null }
export type DateUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

export interface DateMention {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly spec: DateSpec
}

const monthNames = 'january|february|march|april|may|june|july|august|september|october|november|december'.split('|')
const monthPattern =
  '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)'
const unitPattern = '(minute|hour|day|week|month|quarter|year)s?'
const amountPattern =
  '(\\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|couple of|a|an|one)'
const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  '1st': 1,
  '2nd': 2,
  '3rd': 3,
  '4th': 4,
}
const holidays: readonly (readonly [RegExp, string])[] = [
  [/\bnew year'?s eve\b/g, '31 December'],
  [/\bnew year'?s day\b|\bnew years?\b(?! \d)/g, '1 January'],
  [/\bchristmas eve\b|\bxmas eve\b/g, '24 December'],
  [/\b(?:christmas|xmas)(?: day)?\b/g, '25 December'],
  [/\bhalloween\b/g, '31 October'],
  [/\bvalentine'?s day\b/g, '14 February'],
]

type Reader = (match: RegExpMatchArray) => DateSpec | undefined
const amountOf = (text: string): number =>
  /^(a|an|one)$/.test(text) ? 1 : Number(text === 'couple of' ? 2 : (numberWord(text) ?? text))
const unitOf = (text: string): DateUnit => units.find((u) => u === text) ?? 'day'
const units = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
const monthOf = (text: string): number => monthNames.findIndex((name) => name.startsWith(text.slice(0, 3))) + 1

const forms: readonly (readonly [RegExp, Reader])[] = [
  ...holidays.map(([pattern, text]): readonly [RegExp, Reader] => [pattern, () => ({ kind: 'day', text })]),
  [
    new RegExp(`\\b${amountPattern} ${unitPattern} ago\\b`, 'g'),
    (m) => ({ kind: 'ago', amount: amountOf(m[1] ?? ''), unit: unitOf(m[2] ?? '') }),
  ],
  [
    new RegExp(`(?<=\\b(?:older|newer|younger) (?:than|then) )${amountPattern} ${unitPattern}\\b`, 'g'),
    (m) => ({ kind: 'ago', amount: amountOf(m[1] ?? ''), unit: unitOf(m[2] ?? '') }),
  ],
  [
    new RegExp(`\\b(?:the )?(?:last|past|previous) ${amountPattern} ${unitPattern}\\b`, 'g'),
    (m) => ({ kind: 'past', amount: amountOf(m[1] ?? ''), unit: unitOf(m[2] ?? '') }),
  ],
  [/\b(?:the )?(?:last|past) hour\b/g, () => ({ kind: 'past', amount: 1, unit: 'hour' })],
  [/\btoday\b/g, () => ({ kind: 'current', unit: 'day', offset: 0 })],
  [/\byesterday\b/g, () => ({ kind: 'current', unit: 'day', offset: -1 })],
  [/\btomorrow\b/g, () => ({ kind: 'current', unit: 'day', offset: 1 })],
  [
    /\b(this|current|last|previous|past|next) (day|week|month|quarter|year)\b/g,
    (m) => ({
      kind: 'current',
      unit: unitOf(m[2] ?? ''),
      offset: m[1] === 'this' || m[1] === 'current' ? 0 : m[1] === 'next' ? 1 : -1,
    }),
  ],
  [
    /\bq([1-4])(?: (?:of )?((?:19|20)\d\d))?\b/g,
    (m) => ({ kind: 'quarter', quarter: Number(m[1]), year: m[2] ?? null }),
  ],
  [
    /\b(?:the )?(first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: (?:of )?((?:19|20)\d\d))?\b/g,
    (m) => ({ kind: 'quarter', quarter: ordinals[m[1] ?? ''] ?? 1, year: m[2] ?? null }),
  ],
  [/\b((?:19|20)\d\d-\d\d-\d\d)(?:t\d\d:\d\d(?::\d\d)?z?)?\b/g, (m) => ({ kind: 'day', text: m[1] ?? '' })],
  [/\b((?:19|20)\d\d)-(0[1-9]|1[0-2])\b(?!-)/g, (m) => ({ kind: 'month', month: Number(m[2]), year: m[1] ?? '' })],
  [
    new RegExp(`\\b${monthPattern}\\.?,? (?:of )?((?:19|20)\\d\\d)\\b`, 'g'),
    (m) => (dayBefore(m) ? undefined : { kind: 'month', month: monthOf(m[1] ?? ''), year: m[2] ?? '' }),
  ],
]
const lateForms: readonly (readonly [RegExp, Reader])[] = [
  [
    new RegExp(
      `\\b(?:in|during|of|for|since|until|till|before|after|from|through|to|and|between|last|this|by) ${monthPattern}\\b`,
      'g',
    ),
    (m) => ({ kind: 'month', month: monthOf(m[1] ?? ''), year: null }),
  ],
  [
    /\b(?:in|during|of|for|since|until|till|before|after|from|through|year|by|to|and|between|than) (?:the year )?((?:19|20)\d\d)\b(?![-.,]\d|\s*%)/g,
    (m) => ({ kind: 'year', year: m[1] ?? '' }),
  ],
  [
    new RegExp(`\\b${monthPattern}\\b(?= (?:orders|sales|rows|entries|expenses|invoices|files))`, 'g'),
    (m) => (m[1] === 'may' ? undefined : { kind: 'month', month: monthOf(m[1] ?? ''), year: null }),
  ],
]

// "3 March 2026" is a day; the form for "March 2026" must leave it to the general reader.
function dayBefore(match: RegExpMatchArray): boolean {
  return /\b\d{1,2}(?:st|nd|rd|th)?(?: of)? $/.test((match.input ?? '').slice(0, match.index))
}

/** The dates and periods in a text; `hidden` spans (quotes, paths) are not looked at. */
export function findDates(
  text: string,
  hidden: readonly { readonly start: number; readonly end: number }[],
): readonly DateMention[] {
  let rest = text.toLowerCase()
  const cover = (start: number, end: number) => {
    rest = rest.slice(0, start) + '\uE001'.repeat(end - start) + rest.slice(end)
  }
  for (const span of hidden) cover(span.start, span.end)
  const found: DateMention[] = []
  const apply = (list: readonly (readonly [RegExp, Reader])[]) => {
    for (const [pattern, read] of list) {
      for (const match of [...rest.matchAll(pattern)]) {
        const spec = read(match)
        if (!spec) continue
        const inner = match[1] !== undefined && lateForms === list ? match[0].lastIndexOf(match[1]) : 0
        const start = match.index + inner
        const end = inner > 0 ? start + (match[1]?.length ?? 0) : match.index + match[0].length
        found.push({ start, end, text: text.slice(start, end), spec })
        cover(start, end)
      }
    }
  }
  apply(forms)
  // "6 weeks after 12 March": the general reader would take all of it for one date.
  const days = rest.replace(shiftPattern, (shift) => '\uE001'.repeat(shift.length))
  for (const result of chrono.casual.parse(days, referenceDate)) {
    const isDay = result.start.isCertain('day') || result.start.isCertain('weekday')
    if (!isDay || !isWrittenDay(result.text)) continue
    const whole = [{ at: 0, written: result.text, meant: result.text }]
    for (const { at, written, meant } of result.end ? rangeEnds(result.text) : whole) {
      const start = result.index + at
      const end = start + written.length
      found.push({ start, end, text: text.slice(start, end), spec: { kind: 'day', text: meant } })
      cover(start, end)
    }
  }
  apply(lateForms)
  return found.sort((a, b) => a.start - b.start)
}

/** "3 March until 3 May 2024" is two days of one year; "3 to 5 May" is left to the other readers. */
function rangeEnds(
  range: string,
): readonly { readonly at: number; readonly written: string; readonly meant: string }[] {
  const parts = /^(.*[a-z]{3}.*?)(\s+(?:until|till|to|through|-)\s+)(.*[a-z]{3}.*)$/.exec(range)
  if (!parts) return []
  const [, first = '', link = '', last = ''] = parts
  const year = /\b\d{4}\b/
  const meant = year.test(first) ? first : `${first} ${year.exec(last)?.[0] ?? ''}`.trim()
  return [
    { at: 0, written: first, meant },
    { at: first.length + link.length, written: last, meant: last },
  ]
}

const shiftPattern = new RegExp(
  `\\b${amountPattern} ${unitPattern} (?:after|before|from|past|prior to|later than)\\b`,
  'g',
)

// A span with an amount ("3 days after"), a fraction (12/4) or a short name ("sat") is something else.
function isWrittenDay(text: string): boolean {
  if (
    /\uE001|after|before|from|ago|later|hence|between|\d+ (?:minute|hour|day|week|month|year)/.test(text) ||
    /^\d+\s*[/.-]\s*\d+$/.test(text)
  )
    return false
  return /\d|(mon|tues|wednes|thurs|fri|satur|sun)day/.test(text)
}

// Only where a date stands is read here, never which day it is, so any fixed day will do.
const referenceDate = new Date(2000, 0, 15, 12)

/** The calendar day that `text` means when today is `today` (YYYY-MM-DD), as YYYY-MM-DD. */
export function readDay(text: string, today: string, isFuture: boolean): string | undefined {
  const [year, month, day] = today.split('-').map(Number)
  const reference = new Date(year ?? 2000, (month ?? 1) - 1, day ?? 1, 12)
  const result = chrono.casual.parse(text, reference, { forwardDate: isFuture })[0]
  if (!result) return undefined
  const part = (name: 'year' | 'month' | 'day') =>
    String(result.start.get(name) ?? 0).padStart(name === 'year' ? 4 : 2, '0')
  return `${part('year')}-${part('month')}-${part('day')}`
}
