import type { EventHeader } from '../domain/event.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import { headersOf, missionOf } from './sound-threads.ts'

/** Something that a person said, word for word. */
export interface Said {
  readonly thread: ThreadHeader
  readonly seq: number
  readonly text: string
}

/** A person talks to it: what a child is told comes from its parent's model, what a firing is told from a mission. */
export function isPersons(store: Store, thread: ThreadHeader): boolean {
  return thread.parentId === null && missionOf(store, thread) === undefined
}

/** Everything that a person wrote there, in its order. */
export function saidIn(store: Store, thread: ThreadHeader): readonly Said[] {
  if (!isPersons(store, thread)) return []
  return [...headersOf(store, thread.id)].flatMap((header) => readSaid(store, thread, header))
}

/** What a person wrote at one place of it; undefined where none did. */
export function saidAt(store: Store, thread: ThreadHeader, seq: number): Said | undefined {
  const [header] = isPersons(store, thread) ? store.events.headersOf(thread.id, seq - 1, 1) : []
  return header?.seq === seq ? readSaid(store, thread, header)[0] : undefined
}

/** Not what the engine put in a person's place, nor what somebody else sent. */
function readSaid(store: Store, thread: ThreadHeader, header: EventHeader): readonly Said[] {
  if (header.kind !== 'message.added') return []
  const { role, origin, sources = [] } = header.data
  if (role !== 'user' || origin !== undefined || sources.length > 0) return []
  const whole = store.events.get(header.seq)
  return whole.kind === 'message.added' ? [{ thread, seq: header.seq, text: whole.body.content }] : []
}
