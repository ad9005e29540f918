import type { EventData, StoredEvent } from '../domain/event.ts'
import { marksIn } from '../domain/leaks/mark.ts'
import { limits } from '../domain/limits.ts'

/** The fact that goes on record beside an event whose body holds marks in the place of secrets; undefined for nearly all. */
export function redactionIn(event: StoredEvent): EventData | undefined {
  const marks = event.body === undefined ? [] : marksIn(event.body)
  if (marks.length === 0) return undefined
  const { seq, kind: of, data } = event
  const place = 'step' in data ? { place: { step: data.step, ...('path' in data && { path: data.path }) } } : {}
  const redactions = marks.slice(0, limits.redactionsListed)
  return { kind: 'secret.redacted', data: { seq, of, ...place, redactions, total: marks.length } }
}
