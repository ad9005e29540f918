import { amount } from '../answer.ts'
import type { IntentFamily, PlanContext } from '../intent.ts'
import type { DateSpec } from '../language/dates.ts'
import { unitsOf } from '../language/grammar.ts'
import { numberWord } from '../language/numbers.ts'
import type { Reading } from '../language/reading.ts'
import { periodOf, singleDay, today } from '../periods.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { type Clock, time } from '../results.ts'

const vocabulary = new Set(
  'day week month year hour minute weekday workday business working date time clock left remaining remain ago later earlier now year leap number long fall today calendar old will between passed elapsed pass gone away far until till birthday deadline holiday be'.split(
    ' ',
  ),
)

type DateAsk =
  | { readonly ask: 'now' }
  | { readonly ask: 'weekday' | 'week' | 'leap'; readonly date: DateSpec }
  | { readonly ask: 'add'; readonly date: DateSpec | null; readonly by: { readonly [unit: string]: number } }
  | { readonly ask: 'diff'; readonly from: DateSpec | null; readonly to: DateSpec | null; readonly unit: DiffUnit }
type DiffUnit = 'days' | 'weeks' | 'months' | 'years' | 'hours' | 'minutes' | 'weekdays'

/** "How many days until 24 December?", "what weekday is 2027-03-01?", "90 days after 2026-01-15". */
export const dates: IntentFamily = {
  name: 'dates',
  read(reading) {
    if (!isAboutDates(reading)) return []
    const asked = askOf(reading)
    if (!asked) return []
    return [
      {
        intent: 'date',
        score: 0.92,
        slots: JSON.parse(JSON.stringify(asked)),
        plan: (context) => plan(asked, context),
      },
    ]
  },
}

function isAboutDates(reading: Reading): boolean {
  const allowed = [
    'count',
    'which',
    'when',
    'before',
    'after',
    'between',
    'and',
    'show',
    'compute',
    'difference',
    'sum',
    'find',
    'find',
    'first',
    'last',
    'time',
    'newest',
    'with',
    'word',
    'line',
    'where',
    'longest',
    'over',
    'than',
    'per',
  ] as const
  return reading.units.every((unit) => {
    if (unit.kind === 'open' || unit.kind === 'beyond') return vocabulary.has(unit.tokens[0]?.lemma ?? '')
    if (unit.kind === 'concept') return allowed.some((concept) => concept === unit.concept)
    return unit.kind === 'date' || unit.kind === 'filler' || unit.kind === 'sign' || unit.kind === 'number'
  })
}

const unitWords = '(business days?|working days?|work ?days?|weekdays?|days?|weeks?|months?|years?|hours?|minutes?)'
const amountWords =
  '(\\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|fifty|hundred)'

function askOf(reading: Reading): DateAsk | undefined {
  const text = reading.text.toLowerCase()
  const found = unitsOf(reading, 'date').map((u) => u.spec)
  const [first, second] = found
  const isCounted = unitsOf(reading, 'number').length > 0
  const leap = /\b((?:19|20)\d\d)\b.*\bleap\b|\bleap\b.*\b((?:19|20)\d\d)\b/.exec(text)
  if (leap) return { ask: 'leap', date: { kind: 'year', year: leap[1] ?? leap[2] ?? '' } }
  const shifted = shiftIn(text)
  if (shifted) return found.length <= 1 ? { ask: 'add', date: first ?? null, by: shifted } : undefined
  // "480 euros today": a number that no span of time takes is about something else.
  if (isCounted) return undefined
  if (first?.kind === 'ago' && found.length === 1 && !/\bhow\b/.test(text))
    return { ask: 'add', date: null, by: { [`${first.unit}s`]: -first.amount } }
  if (found.length === 1 && first && /\bleap\b/.test(text)) return { ask: 'leap', date: first }
  if (
    found.length === 1 &&
    first &&
    /\bweek (number|of the year)|\bwhich week\b|\bwhat week\b|\bcalendar week\b|\bday (number )?of the year\b/.test(
      text,
    )
  )
    return { ask: 'week', date: first }
  const isLength =
    /\bhow (many|long|far)\b|\bnumber of\b|\bcount\b|\bdifference\b|\b(days|weeks|months|years|time) (left|until|till|to|between|since|from|remaining|before)\b/.test(
      text,
    )
  if (isLength && first) return lengthOf(text, first, second)
  if (
    found.length === 1 &&
    first &&
    /\bweekday\b|\bday of the week\b|\b(what|which) day\b|\bfall on\b|\bwhat day\b|\bis it a\b/.test(text)
  ) {
    return isToday(first) && !/week/.test(text) ? { ask: 'now' } : { ask: 'weekday', date: first }
  }
  const isNow =
    /\b(date|time|day|week|year|month)\b/.test(text) &&
    (found.length === 0 || (found.length === 1 && first && isToday(first)))
  if (isNow && /\bwhat|which|current|now|today|tell|give|show\b/.test(text) && !/\d/.test(text)) return { ask: 'now' }
  if (found.length === 1 && first && /\b(what|which) (date|is the date)|\bwhen is\b|\bdate of\b/.test(text))
    return { ask: 'weekday', date: first }
  return undefined
}

const isToday = (spec: DateSpec): boolean => spec.kind === 'current' && spec.unit === 'day' && spec.offset === 0

/** "90 days after", "two weeks from now", "in 10 days", "plus 3 months". */
function shiftIn(text: string): { readonly [unit: string]: number } | undefined {
  const form = new RegExp(
    `\\b${amountWords} ${unitWords}(?: and ${amountWords} ${unitWords})? (after|from|following|past|later than|later|before|prior to|earlier than|earlier|ago|hence)\\b`,
  ).exec(text)
  const ahead = new RegExp(
    `(?:\\bin|\\bplus|\\+|\\badd|\\bminus|(?<=\\d\\s)-) ${amountWords} ${unitWords}\\b(?! (?:between|until))`,
  ).exec(text)
  const match = form ?? ahead
  if (!match) return undefined
  const isBack =
    /before|prior|earlier|ago/.test(form?.[5] ?? '') ||
    /minus|-/.test(ahead && !form ? (ahead[0].split(' ')[0] ?? '') : '')
  const parts = form
    ? [
        [match[1], match[2]],
        [match[3], match[4]],
      ]
    : [[match[1], match[2]]]
  const by: Record<string, number> = {}
  for (const [figure, unit] of parts) {
    if (figure === undefined || unit === undefined) continue
    if (/business|work|weekday/.test(unit)) return undefined
    const value = /^(a|an|one)$/.test(figure) ? 1 : Number(numberWord(figure) ?? figure)
    by[unit.replace(/s?$/, 's')] = isBack ? -value : value
  }
  return Object.keys(by).length > 0 ? by : undefined
}

function lengthOf(text: string, first: DateSpec, second: DateSpec | undefined): DateAsk | undefined {
  const said = new RegExp(`\\b${unitWords}\\b`).exec(text.replace(/how long/, ''))?.[1] ?? 'days'
  const unit = /business|work|weekday/.test(said)
    ? 'weekdays'
    : diffUnits.find((u) => u.startsWith(said.replace(/s$/, '')))
  if (unit === undefined) return undefined
  if (second) return { ask: 'diff', from: first, to: second, unit }
  const isPast =
    /\bsince\b|\bago\b|\bpassed\b|\belapsed\b|\bhow old\b|\bafter\b/.test(text) && !/\buntil\b|\btill\b/.test(text)
  return isPast ? { ask: 'diff', from: first, to: null, unit } : { ask: 'diff', from: null, to: first, unit }
}

const diffUnits = ['days', 'weeks', 'months', 'years', 'hours', 'minutes'] as const

function* plan(asked: DateAsk, context: PlanContext): Plan<Answer> {
  const { timeZone } = context
  if (asked.ask === 'now') return answered(nowText(yield* today(context)))
  if (asked.ask === 'diff') return yield* lengthAnswer(asked, context)
  if (asked.ask === 'add') {
    const date = asked.date === null ? 'today' : yield* singleDay(asked.date, context, true)
    const by = Object.fromEntries(Object.entries(asked.by))
    const result = yield* time.one({ op: 'add', date, ...by, timeZone })
    const words = Object.entries(asked.by).map(
      ([unit, figure]) => `${figure > 0 ? 'plus' : 'minus'} ${String(figure).replace('-', '')} ${unit}`,
    )
    return answered(`${result.from ?? date} ${words.join(' and ')} is **${result.date}**, a ${result.weekday}.`)
  }
  const date = asked.date.kind === 'year' ? `${asked.date.year}-01-01` : yield* singleDay(asked.date, context, true)
  const result = yield* time.one({ op: 'weekday', date, timeZone })
  if (asked.ask === 'leap')
    return answered(`${date.slice(0, 4)} is **${result.leapYear ? 'a leap year' : 'not a leap year'}**.`)
  if (asked.ask === 'week')
    return answered(
      `${result.date} is in **week ${result.week}** (ISO) and is **day ${result.dayOfYear}** of the year.`,
    )
  return answered(`${result.date} is a **${result.weekday}** (ISO week ${result.week}).`)
}

function nowText(now: Clock): string {
  return `Today is **${now.weekday}, ${now.date}**. It is ${now.time} (${now.timeZone}), ISO week ${now.week}, day ${now.dayOfYear} of the year.`
}

function* lengthAnswer({ from, to, unit }: Extract<DateAsk, { ask: 'diff' }>, context: PlanContext): Plan<Answer> {
  const start = from === null ? 'today' : yield* dayIn(from, context, false)
  const end = to === null ? 'today' : yield* dayIn(to, context, from === null)
  const result = yield* time.one({ op: 'diff', date: start, to: end, timeZone: context.timeZone })
  const figure = result[unit]
  if (figure === undefined) return declined('The length of time could not be worked out.')
  const one = unit === 'weekdays' ? 'weekday (Monday to Friday)' : unit.slice(0, -1)
  const many = unit === 'weekdays' ? 'weekdays (Monday to Friday)' : unit
  const length = unit === 'days' ? `**${result.text}**` : `**${amount(figure, one, many)}** (${result.days} days)`
  return answered(`From ${result.from} to ${result.to}: ${length}.`)
}

function* dayIn(spec: DateSpec, context: PlanContext, isFuture: boolean): Plan<string> {
  if (spec.kind === 'month' && spec.year === null && isFuture)
    return yield* singleDay({ kind: 'day', text: `1 ${monthNames[spec.month - 1]}` }, context, true)
  if (spec.kind === 'current' || spec.kind === 'month' || spec.kind === 'year')
    return (yield* periodOf(spec, context)).from
  return yield* singleDay(spec, context, isFuture)
}

const monthNames = 'January February March April May June July August September October November December'.split(' ')
