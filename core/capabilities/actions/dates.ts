import { DateTime, IANAZone } from 'luxon'
import { refusal } from './refusal.ts'

/** Where and when "today" is. */
export interface DateFrame {
  /** Epoch ms. */
  readonly now: number
  /** IANA name. */
  readonly timeZone: string
}

/** A point in time in the frame's zone. `hasTime` is false for a whole day. */
export interface ReadDate {
  readonly at: DateTime
  readonly hasTime: boolean
}

const days = new Map([
  ['today', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
])

/** An ISO date or date-time, or today, tomorrow, yesterday, now. Throws action.args for anything else. */
export function readDate(text: string, frame: DateFrame): ReadDate {
  const word = text.trim().toLowerCase()
  const now = DateTime.fromMillis(frame.now, { zone: frame.timeZone })
  if (word === 'now') return { at: now, hasTime: true }
  const offset = days.get(word)
  if (offset !== undefined) return { at: now.startOf('day').plus({ days: offset }), hasTime: false }
  const at = DateTime.fromISO(text.trim().replace(/^(\d{4}-\d\d-\d\d) (\d)/, '$1T$2'), { zone: frame.timeZone })
  if (!at.isValid || at.year < 1 || at.year > 9_999) {
    throw refusal('action.args', `"${text.slice(0, 60)}" is no date: write 2024-03-31, 2024-03-31T14:30 or today.`)
  }
  return { at, hasTime: /[T ]\d/i.test(text.trim()) }
}

/** Throws action.args for a zone that does not exist. */
export function checkTimeZone(name: string): string {
  if (IANAZone.isValidZone(name)) return name
  throw refusal('action.args', `"${name.slice(0, 60)}" is no time zone: write a name such as Europe/Berlin or UTC.`)
}

export function isoDate(at: DateTime): string {
  return at.toFormat('yyyy-MM-dd')
}

/** With seconds and offset: 2024-03-31T14:30:00+02:00. */
export function isoDateTime(at: DateTime): string {
  return at.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ")
}

/** A file's time in UTC, to the second. */
export function isoUtc(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`
}
