import type { PlanContext } from './intent.ts'
import { type DateSpec, type DateUnit, readDay } from './language/dates.ts'
import type { Plan } from './plan.ts'
import { type Clock, time } from './results.ts'

/** Days from `from` on and before `before` (both YYYY-MM-DD, either may be open). */
export interface Period {
  readonly from: string
  /** The first day that is no longer in it. */
  readonly before: string
}

/** Today, on record. */
export function* today(context: PlanContext): Plan<Clock> {
  return yield* time.one({ op: 'now', timeZone: context.timeZone })
}

function* shift(date: string, by: { readonly [unit: string]: number }): Plan<string> {
  return (yield* time.one({ op: 'add', date, ...by })).date ?? date
}

const sinceMonday: Readonly<Record<string, number>> = {
  Monday: 0,
  Tuesday: -1,
  Wednesday: -2,
  Thursday: -3,
  Friday: -4,
  Saturday: -5,
  Sunday: -6,
}

/** The days that a written date or period means. Weeks begin on Monday; a month without a year is the last one that has begun. */
export function* periodOf(spec: DateSpec, context: PlanContext): Plan<Period> {
  if (spec.kind === 'year') return yield* periodFrom(`${spec.year}-01-01`, 'year')
  const now = yield* today(context)
  const date = now.date ?? ''
  switch (spec.kind) {
    case 'day':
      return yield* periodFrom(dayOf(spec.text, date, false), 'day')
    case 'ago': {
      const from = yield* shift(date, { [`${pluralUnit(spec.unit)}`]: -spec.amount * perUnit(spec.unit) })
      return yield* periodFrom(from, 'day')
    }
    case 'past': {
      if (spec.unit === 'hour' || spec.unit === 'minute') {
        const { iso } = yield* time.one({
          op: 'add',
          date: 'now',
          [`${spec.unit}s`]: -spec.amount,
          timeZone: context.timeZone,
        })
        return { from: iso ?? date, before: yield* shift(date, { days: 1 }) }
      }
      const from = yield* shift(date, { [`${pluralUnit(spec.unit)}`]: -spec.amount * perUnit(spec.unit) })
      return { from, before: yield* shift(date, { days: 1 }) }
    }
    case 'current': {
      const start = yield* startOf(spec.unit, now)
      if (spec.offset === 0) return yield* periodFrom(start, spec.unit)
      const moved = yield* shift(start, { [`${pluralUnit(spec.unit)}`]: spec.offset * perUnit(spec.unit) })
      return yield* periodFrom(moved, spec.unit)
    }
    case 'month':
      return yield* periodFrom(`${spec.year ?? yearOfLast(spec.month, date)}-${twoDigits(spec.month)}-01`, 'month')
    case 'quarter': {
      const month = quarterStart[spec.quarter] ?? 1
      return yield* periodFrom(`${spec.year ?? yearOfLast(month, date)}-${twoDigits(month)}-01`, 'quarter')
    }
  }
}

const quarterStart: Readonly<Record<number, number>> = { 1: 1, 2: 4, 3: 7, 4: 10 }
const twoDigits = (figure: number): string => String(figure).padStart(2, '0')

function pluralUnit(unit: DateUnit): string {
  return unit === 'quarter' ? 'months' : `${unit}s`
}

// The `time` action knows no quarters.
function perUnit(unit: DateUnit): number {
  return unit === 'quarter' ? 3 : 1
}

function* periodFrom(from: string, unit: DateUnit): Plan<Period> {
  const length = unit === 'hour' || unit === 'minute' ? 'day' : unit
  return { from, before: yield* shift(from, { [pluralUnit(length)]: perUnit(length) }) }
}

function* startOf(unit: DateUnit, now: Clock): Plan<string> {
  const date = now.date ?? ''
  if (unit === 'week') return yield* shift(date, { days: sinceMonday[now.weekday ?? 'Monday'] ?? 0 })
  if (unit === 'month') return `${date.slice(0, 8)}01`
  if (unit === 'year') return `${date.slice(0, 5)}01-01`
  if (unit === 'quarter') {
    const month = Number(date.slice(5, 7))
    const first = [10, 7, 4, 1].find((m) => m <= month) ?? 1
    return `${date.slice(0, 5)}${twoDigits(first)}-01`
  }
  return date
}

function yearOfLast(month: number, today: string): string {
  const year = today.slice(0, 4)
  return month <= Number(today.slice(5, 7)) ? year : String(Number(year) - 1)
}

/** One day (YYYY-MM-DD) that the words mean, seen from `today`. */
function dayOf(text: string, today: string, isFuture: boolean): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : (readDay(text, today, isFuture) ?? today)
}

/** One day for specs that are one: a date, an amount ago, today, yesterday, tomorrow. */
export function* singleDay(spec: DateSpec, context: PlanContext, isFuture: boolean): Plan<string> {
  if (spec.kind === 'day' && /^\d{4}-\d\d-\d\d$/.test(spec.text)) return spec.text
  if (spec.kind !== 'day') return (yield* periodOf(spec, context)).from
  return dayOf(spec.text, (yield* today(context)).date ?? '', isFuture)
}
