import { DateTime } from 'luxon'
import { z } from 'zod'
import type { Json } from '../../domain/json.ts'
import { defineAction } from '../action.ts'
import { checkTimeZone, type DateFrame, isoDate, isoDateTime, type ReadDate, readDate } from './dates.ts'
import { summaryText, wholeNumber } from './parameters.ts'
import { refusal } from './refusal.ts'

const amount = wholeNumber(-1_000_000, 1_000_000).optional()
const dateText = z.string().min(1).max(60)
const parameters = z.strictObject({
  op: z.enum(['now', 'add', 'diff', 'weekday']),
  date: dateText.optional().describe('ISO date or time, or today, tomorrow, yesterday, now. Default: today.'),
  to: dateText.optional().describe('diff only: the other end. Default: today.'),
  years: amount.describe('add only, as all of these; negative goes back.'),
  months: amount,
  weeks: amount,
  days: amount,
  hours: amount,
  minutes: amount,
  timeZone: z.string().max(60).optional().describe('IANA name such as Europe/Berlin. Default: the zone of the user.'),
})
type Parameters = z.output<typeof parameters>

export const time = defineAction({
  name: 'time',
  description:
    'Dates and times. now: date, time, weekday, ISO week. add: a date plus years … minutes. diff: from date to to, in days, weeks, months, years, and days from Monday to Friday (the last day not counted). weekday: of a date.',
  parameters,
  effects: ['Compute'],
  isIdempotent: true,
  summarize: ({ op, date, to }) => summaryText([op, date, to].filter((part) => part !== undefined).join(' ')),
  run: (asked, context) => {
    const timeZone = asked.timeZone === undefined ? context.timeZone : checkTimeZone(asked.timeZone)
    return operations[asked.op](asked, { now: context.now, timeZone })
  },
})

const operations: Readonly<Record<Parameters['op'], (asked: Parameters, frame: DateFrame) => Json>> = {
  now: (_, frame) => {
    const { at } = readDate('now', frame)
    return {
      iso: isoDateTime(at),
      date: isoDate(at),
      time: at.toFormat('HH:mm:ss'),
      ...calendarFacts(at),
      timeZone: frame.timeZone,
    }
  },
  add,
  diff,
  weekday: ({ date = 'today' }, frame) => {
    const { at } = readDate(date, frame)
    return { date: isoDate(at), ...calendarFacts(at), leapYear: at.isInLeapYear }
  },
}

function calendarFacts(at: DateTime) {
  return { weekday: weekdayName(at), week: at.weekNumber, dayOfYear: at.ordinal }
}

function weekdayName(at: DateTime): string {
  return at.setLocale('en').toFormat('cccc')
}

function add(asked: Parameters, frame: DateFrame): Json {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0 } = asked
  const addsTime = asked.hours !== undefined || asked.minutes !== undefined
  const from = readDate(asked.date ?? (addsTime ? 'now' : 'today'), frame)
  const at = from.at.plus({ years, months, weeks, days, hours, minutes })
  if (!at.isValid || at.year < 1 || at.year > 9_999) {
    throw refusal('action.args', 'The result lies outside the years 1 to 9999.')
  }
  const hasTime = from.hasTime || addsTime
  return {
    from: describe(from),
    iso: hasTime ? isoDateTime(at) : isoDate(at),
    date: isoDate(at),
    ...(hasTime && { time: at.toFormat('HH:mm:ss') }),
    weekday: weekdayName(at),
  }
}

function diff(asked: Parameters, frame: DateFrame): Json {
  if (asked.date === undefined && asked.to === undefined) {
    throw refusal('action.args', 'diff needs date or to, or both: the one that is missing is today.')
  }
  const from = readDate(asked.date ?? 'today', frame)
  const to = readDate(asked.to ?? 'today', frame)
  const whole = (unit: 'days' | 'weeks' | 'months' | 'years' | 'hours' | 'minutes') =>
    Math.trunc(to.at.diff(from.at, unit).as(unit)) || 0
  // Days are those of the calendar: from 23:00 to 01:00 is a day on, whatever the clocks do in between.
  const days = dayNumber(to.at) - dayNumber(from.at)
  const weekdays = countWeekdays(from.at, days)
  return {
    from: describe(from),
    to: describe(to),
    days,
    weeks: Math.trunc(days / 7) || 0,
    months: whole('months'),
    years: whole('years'),
    hours: whole('hours'),
    minutes: whole('minutes'),
    weekdays,
    text: describeDays(days, weekdays),
  }
}

function describe({ at, hasTime }: ReadDate): string {
  return hasTime ? isoDateTime(at) : isoDate(at)
}

function dayNumber(at: DateTime): number {
  return DateTime.utc(at.year, at.month, at.day).toMillis() / 86_400_000
}

/** Mondays to Fridays among the `days` days from `start` on, the last one not counted; negative going back. */
function countWeekdays(start: DateTime, days: number): number {
  if (days < 0) return -countWeekdays(start.plus({ days }), -days) || 0
  const rest = Array.from({ length: days % 7 }, (_, offset) => (start.weekday - 1 + offset) % 7)
  return Math.floor(days / 7) * 5 + rest.filter((weekday) => weekday < 5).length
}

function describeDays(days: number, weekdays: number): string {
  if (days === 0) return 'the same day'
  const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`
  const length = Math.abs(days)
  const weeks = Math.floor(length / 7)
  const inWeeks = [weeks && count(weeks, 'week'), length % 7 && count(length % 7, 'day')].filter(Boolean).join(' and ')
  const split = weeks > 0 ? ` (${inWeeks})` : ''
  return `${count(length, 'day')}${days < 0 ? ' back' : ''}${split}, ${Math.abs(weekdays)} of them Monday to Friday`
}
