import type { CronCode, CronRefusal } from '../domain/cron.ts'

export type CronFieldName = 'minute' | 'hour' | 'day' | 'month' | 'weekday'

/** What an expression of five fields says, checked. */
export interface CronFields {
  /** One space between the fields, names as numbers. */
  readonly text: string
  /** Whether both days are restricted: then one of them is enough. */
  readonly isEitherDay: boolean
  /** `02:30` where it is that time of the day and no other, without steps; else null. */
  readonly fixedTime: string | null
}

interface FieldRule {
  readonly name: CronFieldName
  readonly title: string
  readonly from: number
  readonly to: number
  readonly names: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const rules: readonly FieldRule[] = [
  { name: 'minute', title: 'minute', from: 0, to: 59, names: [] },
  { name: 'hour', title: 'hour', from: 0, to: 23, names: [] },
  { name: 'day', title: 'day of the month', from: 1, to: 31, names: [] },
  { name: 'month', title: 'month', from: 1, to: 12, names: months },
  { name: 'weekday', title: 'day of the week', from: 0, to: 7, names: weekdays },
]

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/**
 * Reads the classical five fields: `*`, numbers, names of months and days, ranges, lists, and steps of `*` or of a range. The
 * engine behind it takes more (`L`, `W`, `#`, seconds, years), which is refused: what is shown must be what is meant.
 */
export function parseCronFields(expression: string): CronFields | CronRefusal {
  const start = expression.length - expression.trimStart().length
  const given = expression.trim()
  if (given === '')
    return refusal('cron.empty', undefined, 'There is no cron expression: write five fields, such as 0 9 * * 1-5.')
  if (given.startsWith('@')) return parseNickname(given, start)
  const words = [...expression.matchAll(/\S+/g)].map((found) => ({ text: found[0], at: found.index }))
  const extra = words[rules.length]
  if (words.length !== rules.length) {
    const message = `There must be five fields (minute, hour, day of the month, month, day of the week); here are ${words.length}.`
    return refusal('cron.fields', extra?.at ?? expression.trimEnd().length, message)
  }
  const fields: Field[] = []
  for (const [index, rule] of rules.entries()) {
    const { text = '', at = 0 } = words[index] ?? {}
    const field = parseField(text, at, rule)
    if ('code' in field) return field
    fields.push(field)
  }
  return checked(fields, words[2]?.at ?? start)
}

function parseNickname(given: string, start: number): CronFields | CronRefusal {
  const meant = Object.hasOwn(nicknames, given.toLowerCase()) ? nicknames[given.toLowerCase()] : undefined
  if (meant !== undefined) return parseCronFields(meant)
  const message =
    given.toLowerCase() === '@reboot'
      ? '@reboot has no time of its own: let the mission fire when the app starts instead.'
      : `${given} is not a known short form; there are ${Object.keys(nicknames).join(', ')}.`
  return refusal('cron.nickname', start, message)
}

interface Field {
  readonly text: string
  readonly values: ReadonlySet<number>
  /** The plain star: it restricts nothing. */
  readonly isStar: boolean
  /** Two digits, where it is one value without a step. */
  readonly only: string | null
}

function parseField(text: string, at: number, rule: FieldRule): Field | CronRefusal {
  const values = new Set<number>()
  const items: string[] = []
  let from = at
  for (const word of text.split(',')) {
    const item = parseItem(word, from, rule)
    if ('code' in item) return item
    for (let value = item.first; value <= item.last; value += item.step) values.add(value)
    items.push(item.text)
    from += word.length + 1
  }
  const only = values.size === 1 && !/[*/]/.test(text) ? String([...values][0]).padStart(2, '0') : null
  return { text: items.join(','), values, isStar: text === '*', only }
}

interface Item {
  readonly text: string
  readonly first: number
  readonly last: number
  readonly step: number
}

const itemShape = /^(?:(?<star>\*)|(?<first>[a-z]+|\d+)(?:-(?<last>[a-z]+|\d+))?)(?:\/(?<step>\d+))?$/i

function parseItem(word: string, at: number, rule: FieldRule): Item | CronRefusal {
  const groups = itemShape.exec(word)?.groups
  if (groups === undefined) return misspelt(word, at, rule)
  const { star, first: firstWord = '', last: lastWord, step: stepWord } = groups
  const first = star === undefined ? numberOf(firstWord, rule) : rule.from
  if (first === null) return outOfRange(firstWord, at, rule)
  // A week that ends on Sunday ends with day 7.
  const isWeekEnd = rule.name === 'weekday' && lastWord !== undefined && /^sun$/i.test(lastWord) && first > 0
  const lastAt = at + firstWord.length + 1
  const last =
    star === undefined ? (lastWord === undefined ? first : isWeekEnd ? 7 : numberOf(lastWord, rule)) : rule.to
  if (last === null) return outOfRange(lastWord ?? '', lastAt, rule)
  if (last < first) {
    const message = `The range ${word} of the ${rule.title} runs backwards: write it as two, ${firstWord}-${rule.to} and ${rule.from}-${lastWord}.`
    return refusal('cron.reversed', lastAt, message)
  }
  const range = star ?? (lastWord === undefined ? String(first) : `${first}-${last}`)
  if (stepWord === undefined) return { text: range, first, last: starEnd(star, rule, last), step: 1 }
  const stepAt = at + word.indexOf('/') + 1
  if (star === undefined && lastWord === undefined) {
    const message = `A step needs a range to walk: write ${firstWord}-${topOf(rule)}/${stepWord} in the place of ${word}.`
    return refusal('cron.step', stepAt - 1, message)
  }
  const step = Number(stepWord)
  if (step < 1 || step > sizeOf(rule)) {
    return refusal(
      'cron.step',
      stepAt,
      `The step of the ${rule.title} must be from 1 to ${sizeOf(rule)}, not ${stepWord}.`,
    )
  }
  return { text: `${range}/${step}`, first, last: starEnd(star, rule, last), step }
}

/** Sunday is 0 and 7: a star means it once. */
function starEnd(star: string | undefined, rule: FieldRule, last: number): number {
  return star === undefined ? last : Math.min(last, topOf(rule))
}
const topOf = (rule: FieldRule) => (rule.name === 'weekday' ? 6 : rule.to)
const sizeOf = (rule: FieldRule) => topOf(rule) - rule.from + 1

function numberOf(word: string, rule: FieldRule): number | null {
  const named = rule.names.indexOf(word.toLowerCase())
  if (named >= 0) return named + rule.from
  const value = /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN
  return value >= rule.from && value <= rule.to ? value : null
}

function outOfRange(word: string, at: number, rule: FieldRule): CronRefusal {
  const named = rule.names.length === 0 ? '' : `, or ${rule.names[0]} to ${rule.names.at(-1)}`
  return refusal('cron.range', at, `The ${rule.title} must be from ${rule.from} to ${rule.to}${named}, not ${word}.`)
}

/** The first character that cannot stand where it stands. */
function misspelt(word: string, at: number, rule: FieldRule): CronRefusal {
  const wrong = /[^\da-z*,/-]/i.exec(word)
  const sign = wrong?.[0] ?? word
  const what = word === '' ? 'is empty between its commas' : `cannot be read at “${sign}”`
  const message = `The ${rule.title} ${what}: it is *, a number, a range such as ${rule.from}-${topOf(rule)}, or several of them with commas.`
  return refusal('cron.character', at + (wrong?.index ?? 0), message)
}

/** The most days that each month ever has. */
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function checked(fields: readonly Field[], dayAt: number): CronFields | CronRefusal {
  const [minute, hour, day, month, weekday] = fields
  if (!minute || !hour || !day || !month || !weekday) throw new Error('five fields were read')
  const hasDay = [...month.values].some((each) => [...day.values].some((value) => value <= (longest[each - 1] ?? 0)))
  if (weekday.isStar && !hasDay) {
    return refusal('cron.never', dayAt, 'This never fires: no such day is in any of these months.')
  }
  return {
    text: fields.map(({ text }) => text).join(' '),
    isEitherDay: !day.isStar && !weekday.isStar,
    fixedTime: minute.only === null || hour.only === null ? null : `${hour.only}:${minute.only}`,
  }
}

export function refusal(code: CronCode, position: number | undefined, message: string): CronRefusal {
  return { ok: false, code, ...(position !== undefined && { position }), message }
}
