import type { LiveEvent } from '../domain/contract.ts'
import type { StoredEvent } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'

/** An event as it is pushed: a body rides along up to 4 kB. */
export function toLive(stored: StoredEvent): LiveEvent {
  const { body, ...fact } = stored
  const bodyBytes = body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body))
  const header = { ...fact, bodyBytes }
  return body !== undefined && bodyBytes <= limits.inlineBodyBytes ? { ...header, body } : header
}
