import type { EventBatch } from '../domain/contract.ts'
import type { EventData, LiveDelta, StoredEvent } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { Store } from '../store/store.ts'
import type { Append, StagedLog } from './journal.ts'
import { toLive } from './live.ts'
import { redactionIn } from './redacted.ts'

export { followStore } from './follow.ts'
export { type Append, createJournal, type Journal } from './journal.ts'

export interface Events extends StagedLog {
  /** Runs `work` in one transaction and publishes what it appended once that is committed. Does not nest. */
  commit<Result>(work: (append: Append) => Result): Result
  /** Like `commit` for events with a time of their own (staged earlier); seqs are given in the order passed. */
  commitStaged: StagedLog['commitStaged']
  /** Live text: joined per step, may be dropped, never stored. */
  emitDelta(delta: LiveDelta): void
  /** Everything after `fromSeq`, first from the store, then live, in order and without gaps; at most 60 batches a second. */
  subscribe(fromSeq: number, listener: (batch: EventBatch) => void): () => void
  readonly lastSeq: number
  close(): void
}

const flushMs = 16
const flushEvents = 100
const replayRows = 500

export interface EventsOptions {
  readonly store: Store
  readonly now: () => number
  /** A listener that threw: it is let go, and nothing else is disturbed. */
  readonly onListenerFault: (error: unknown) => void
}

export function createEvents({ store, now, onListenerFault }: EventsOptions): Events {
  let lastSeq = store.events.lastSeq()
  const outlet = createOutlet(onListenerFault)

  function publish(events: readonly StoredEvent[]): void {
    if (outlet.isIdle) return
    outlet.add(events)
  }

  /** Puts an event behind those of `added`, and what was taken out of it behind that. Answers the event. */
  function append(added: StoredEvent[], event: Dated): StoredEvent {
    const place = (dated: Dated) => {
      const stored = store.events.append({ ...dated, seq: lastSeq + added.length + 1 })
      added.push(stored)
      return stored
    }
    const stored = place(event)
    const redaction = redactionIn(stored)
    if (redaction !== undefined) place({ ...redaction, threadId: event.threadId, at: event.at })
    return stored
  }

  return {
    get lastSeq() {
      return lastSeq
    },

    commit(work) {
      const appended: StoredEvent[] = []
      faultPoint('log.commit.before')
      const result = store.transaction(() =>
        work((threadId, event) => append(appended, { ...event, threadId, at: now() })),
      )
      faultPoint('log.commit.after')
      lastSeq += appended.length
      publish(appended)
      return result
    },

    commitStaged(staged, alongside) {
      if (alongside === undefined) {
        const stored = store.appendAll(numbered(staged, lastSeq))
        lastSeq += stored.length
        publish(stored)
        return stored
      }
      const added: StoredEvent[] = []
      const stored = store.transaction(() => {
        for (const event of staged) append(added, event)
        const first = [...added]
        alongside(first, (threadId, event) => append(added, { ...event, threadId, at: now() }))
        return first
      })
      lastSeq += added.length
      publish(added)
      return stored
    },

    emitDelta: (delta) => outlet.addDelta(delta),

    subscribe(fromSeq, listener) {
      let seq = fromSeq
      let leave: (() => void) | undefined
      let isOver = false
      /** A page at a time, the event loop in between: a long log must not stall the window. */
      function catchUp(): void {
        if (isOver) return
        if (seq >= lastSeq) {
          // What waits to be sent was read from the store just now: the others get it, this listener has it.
          outlet.flush()
          leave = outlet.connect(listener)
          return
        }
        const missed = store.events.since(seq, replayRows)
        seq = missed.at(-1)?.seq ?? lastSeq
        outlet.deliver(listener, { events: missed.map(toLive), deltas: [] })
        if (missed.length < replayRows) catchUp()
        else setImmediate(catchUpLater)
      }
      function catchUpLater(): void {
        try {
          catchUp()
        } catch (error) {
          // Nobody waits for this page: the listener has heard what could be read.
          isOver = true
          onListenerFault(error)
        }
      }
      catchUp()
      return () => {
        isOver = true
        leave?.()
      }
    },

    close: () => outlet.close(),
  }
}

type Dated = EventData & { readonly threadId: string; readonly at: number }

/** With the seqs that they get, each followed by what was taken out of it. */
function numbered(staged: readonly Dated[], lastSeq: number): readonly StoredEvent[] {
  const stored: StoredEvent[] = []
  for (const event of staged) {
    const next: StoredEvent = { ...event, seq: lastSeq + stored.length + 1 }
    stored.push(next)
    const redaction = redactionIn(next)
    const { threadId, at } = event
    if (redaction !== undefined) stored.push({ ...redaction, seq: next.seq + 1, threadId, at })
  }
  return stored
}

/** Collects for 16 ms or 100 events, then hands every listener one batch. Without listeners it costs nothing. */
function createOutlet(onListenerFault: (error: unknown) => void) {
  const listeners = new Set<(batch: EventBatch) => void>()
  let events: StoredEvent[] = []
  let deltas: LiveDelta[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (events.length === 0 && deltas.length === 0) return
    const batch = { events: events.map(toLive), deltas }
    events = []
    deltas = []
    for (const listener of listeners) deliver(listener, batch)
  }
  function deliver(listener: (batch: EventBatch) => void, batch: EventBatch): void {
    try {
      listener(batch)
    } catch (error) {
      // A commit that succeeded must never look failed because somebody who watches did.
      listeners.delete(listener)
      onListenerFault(error)
    }
  }
  function schedule(): void {
    timer ??= setTimeout(flush, flushMs)
  }

  return {
    get isIdle() {
      return listeners.size === 0
    },
    add(more: readonly StoredEvent[]): void {
      events.push(...more)
      if (events.length >= flushEvents) flush()
      else schedule()
    },
    addDelta(delta: LiveDelta): void {
      if (listeners.size === 0) return
      const last = deltas.at(-1)
      const joins = last?.threadId === delta.threadId && last.step === delta.step && last.kind === delta.kind
      if (joins && delta.kind !== 'call') deltas[deltas.length - 1] = { ...delta, text: last.text + delta.text }
      else deltas.push(delta)
      schedule()
    },
    flush,
    deliver,
    connect(listener: (batch: EventBatch) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close(): void {
      flush()
      listeners.clear()
    },
  }
}
