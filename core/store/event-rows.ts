import { hash } from 'node:crypto'
import { AppError } from '../domain/error.ts'
import type { EventHeader, EventKind, SkillJoined, StateChanged, StoredEvent } from '../domain/event.ts'
import { noRedactor, type Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import type { Source } from '../domain/source.ts'
import type { Connection, Values } from './connection.ts'
import { factsFrom, storedFacts } from './event-facts.ts'

interface HeaderRow {
  readonly seq: number
  readonly threadId: string
  readonly at: number
  readonly kind: EventKind
  readonly data: string
  readonly bodyBytes: number
}
interface EventRow extends HeaderRow {
  readonly body: string | null
  readonly content: string | null
}

const headerColumns = 'seq, threadId, at, kind, data, bodyBytes'
const withBlob = 'LEFT JOIN blob ON blob.sha256 = event.bodyHash'
const wholeEvent = `SELECT seq, threadId, at, kind, data, bodyBytes, body, content
  FROM event ${withBlob}`

/** A stretch is so many numbers of the log; schema-engine.ts has the same. */
const stretchBits = 7

const stretchOf = (seq: number) => Math.floor(seq / 2 ** stretchBits)

/** Parameters: the thread, after which seq (twice), how many. In the order of the log, without sorting. */
function pageOfThread(columns: string, joined: string): string {
  return `SELECT ${columns.replace('threadId', 'event.threadId')}
    FROM event_stretch CROSS JOIN event
      ON event.seq BETWEEN stretch << ${stretchBits} AND ((stretch + 1) << ${stretchBits}) - 1
      AND event.threadId = event_stretch.threadId ${joined}
    WHERE event_stretch.threadId = ? AND stretch >= (? >> ${stretchBits}) AND event.seq > ?
    ORDER BY stretch, event.seq LIMIT ?`
}

/**
 * The append-only log. Only `events/` appends; everybody may read. Whatever module forgot it: no event is written with a secret
 * in it, and what was written is answered.
 */
export function createEventRows(connection: Connection, redactor: Redactor) {
  const last = connection.prepare<{ seq: number | null }>('SELECT max(seq) AS seq FROM event')
  const insert = connection.prepare(
    'INSERT INTO event (seq, threadId, at, kind, data, body, bodyHash, bodyBytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    looked,
  )
  const insertBlob = connection.prepare(
    'INSERT INTO blob (sha256, content) VALUES (?, ?) ON CONFLICT DO NOTHING',
    looked,
  )
  const one = connection.prepare<EventRow>(`${wholeEvent} WHERE seq = ?`)
  const ofThread = connection.prepare<EventRow>(pageOfThread(`${headerColumns}, body, content`, withBlob))
  const since = connection.prepare<EventRow>(`${wholeEvent} WHERE seq > ? ORDER BY seq LIMIT ?`)
  const headers = connection.prepare<HeaderRow>(pageOfThread(headerColumns, ''))
  const insertStretch = connection.prepare(
    'INSERT INTO event_stretch (threadId, stretch) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  /** The newest stretch of each thread that is surely on disk. */
  const stretches = new Map<string, number>()
  const isInStretch = ({ threadId, seq }: StoredEvent) => stretches.get(threadId) === stretchOf(seq)
  const messages = connection.prepare<EventRow>(
    `SELECT event.seq, event.threadId, at, kind, data, bodyBytes, body, content
     FROM thread CROSS JOIN event ON event.threadId = thread.id AND event.kind = 'message.added'
     LEFT JOIN blob ON blob.sha256 = event.bodyHash
     WHERE thread.conversationId = ? AND thread.parentId IS NULL AND event.seq < ? ORDER BY thread.number DESC, event.seq DESC LIMIT ?`,
  )

  const lastMessages = connection.prepare<EventRow>(
    `${wholeEvent} WHERE threadId = ? AND kind = 'message.added' ORDER BY seq DESC LIMIT 5`,
  )

  const lastState = connection.prepare<HeaderRow>(
    `SELECT seq, event.threadId, at, kind, data, bodyBytes
     FROM event_stretch CROSS JOIN event
       ON event.seq BETWEEN stretch << ${stretchBits} AND ((stretch + 1) << ${stretchBits}) - 1
       AND event.threadId = event_stretch.threadId AND kind = 'thread.state'
     WHERE event_stretch.threadId = ? ORDER BY stretch DESC, event.seq DESC LIMIT 1`,
  )

  const moves = connection.prepare<HeaderRow>(
    `SELECT ${headerColumns} FROM event WHERE seq > ? AND seq <= ? AND kind = 'thread.state' ORDER BY seq`,
  )

  const skills = connection.prepare<HeaderRow>(
    `SELECT seq, event.threadId, at, kind, data, bodyBytes
     FROM event_stretch CROSS JOIN event
       ON event.seq BETWEEN stretch << ${stretchBits} AND ((stretch + 1) << ${stretchBits}) - 1
       AND event.threadId = event_stretch.threadId AND kind IN ('skill.selected', 'skill.loaded')
     WHERE event_stretch.threadId = ? ORDER BY stretch, event.seq`,
  )

  // The words of the partial index, so that it is read.
  const turns = connection.prepare<HeaderRow>(
    `SELECT ${headerColumns} FROM event
     WHERE kind IN ('thread.state', 'trace.analysed') AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )

  /** One statement for each number of rows: together they are a transaction by themselves. */
  const together = Array.from({ length: mostTogether }, (_, at) =>
    connection.prepare(
      `INSERT INTO event (seq, threadId, at, kind, data, body, bodyHash, bodyBytes)
       VALUES ${Array.from({ length: at + 1 }, () => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
      looked,
    ),
  )

  /** What the thread answered, and what that may rest on that was not from a person. */
  function answerOf(threadId: string): { readonly text: string; readonly sources: readonly Source[] } | undefined {
    for (const event of lastMessages.all(threadId).map(eventOrMark)) {
      if (event.kind === 'message.added' && event.data.origin === 'final')
        return { text: event.body.content, sources: event.data.sources ?? [] }
    }
    return undefined
  }

  return {
    lastSeq: (): number => last.get()?.seq ?? 0,

    /** One row, and one blob where the body is over 4 kB. Must run in a transaction. */
    append(given: StoredEvent): StoredEvent {
      const { event, row, blob } = valuesOf(given, redactor)
      if (!isInStretch(event)) {
        const stretch = stretchOf(event.seq)
        insertStretch.run(event.threadId, stretch)
        if (stretches.size > mostStretches) stretches.clear()
        stretches.set(event.threadId, stretch)
      }
      if (blob !== null) insertBlob.run(...blob)
      insert.run(...row)
      return event
    },

    /**
     * All of them in one statement, which is its own transaction: a step's commit at half the price. Answers null, and
     * does nothing, where they are too many, one has a large body or begins a stretch; they then need a transaction around
     * `append`.
     */
    appendTogether(events: readonly StoredEvent[]): readonly StoredEvent[] | null {
      const statement = together[events.length - 1]
      if (statement === undefined) return null
      const values: Values[number][] = []
      const written: StoredEvent[] = []
      for (const given of events) {
        if (!isInStretch(given)) return null
        const { event, row, blob } = valuesOf(given, redactor)
        if (blob !== null) return null
        values.push(...row)
        written.push(event)
      }
      statement.run(...values)
      return written
    },

    /** A transaction was rolled back: what it wrote of the stretches is not on disk. */
    forgetStretches: () => stretches.clear(),

    /** @throws AppError store.corrupt when the row is not there or cannot be read. */
    get(seq: number): StoredEvent {
      const row = one.get(seq)
      if (row === undefined) throw unreadable(seq, new Error('no such event'))
      return toEvent(row)
    },

    /**
     * Whole events of one thread, oldest first: what a thread goes on from.
     * @throws AppError store.corrupt when one of them cannot be read: half a record must not be taken for the whole.
     */
    ofThread: (threadId: string, after: number, max: number) => ofThread.all(threadId, after, after, max).map(toEvent),

    /** The newest move of the thread: read from the end of its log, and without any body. */
    lastState(threadId: string): StateChanged | undefined {
      const row = lastState.get(threadId)
      const header = row && headerOrMark(row)
      return header?.kind === 'thread.state' ? header.data : undefined
    },

    /** A person said of the thread, after its end, that it was wrong. */
    isCorrected(threadId: string): boolean {
      const end = lastState.get(threadId)?.seq
      if (end === undefined) return false
      return headers.all(threadId, end, end, limits.pageRows).some(({ kind }) => kind === 'thread.corrected')
    },

    /** Moves of all threads after `seq`, among the next so many events of the log. */
    movesAfter: (seq: number, events: number): readonly EventHeader[] => moves.all(seq, seq + events).map(headerOrMark),

    /** How its skills were chosen, and which were loaded, oldest first, without the tables. */
    skillsOf: (threadId: string): readonly SkillJoined[] =>
      skills.all(threadId).flatMap((row) => {
        const header = headerOrMark(row)
        return header.kind === 'skill.selected' || header.kind === 'skill.loaded' ? [header] : []
      }),

    /** Moves of all threads and what was found wrong with them, after `from` and up to `to`, oldest first. */
    turnsBetween: (from: number, to: number, max: number): readonly EventHeader[] =>
      turns.all(from, to, max).map(headerOrMark),

    /** What the thread answered; undefined for one that gave no answer. */
    lastAnswer: (threadId: string): string | undefined => answerOf(threadId)?.text,
    answerOf,

    // Lists, for whoever looks on: one that cannot be read stands in its place as `unreadable`.
    /** Whole events of the whole store, oldest first. */
    since: (seq: number, max: number) => since.all(seq, max).map(eventOrMark),
    /** Without bodies, oldest first. */
    headersOf: (threadId: string, after: number, max: number) =>
      headers.all(threadId, after, after, max).map(headerOrMark),
    /** What was said in a chat before `before`, newest first. */
    messagesBefore: (conversationId: string, before: number, max: number) =>
      messages.all(conversationId, before, max).map(eventOrMark),
  }
}

/** A step with one action has four. */
const mostTogether = 8
const mostStretches = 1_000

/** `valuesOf` looks at them by text of the event, before they are JSON: once is enough. */
const looked = { isLookedAt: true } as const

interface EventValues {
  /** As it is written. */
  readonly event: StoredEvent
  readonly row: Values
  /** A body over 4 kB, by its hash. */
  readonly blob: readonly [sha256: string, content: string] | null
}

function valuesOf(event: StoredEvent, redactor: Redactor): EventValues {
  const { seq, threadId, at, kind, body } = event
  const text = body === undefined ? null : JSON.stringify(body)
  const data = storedFacts(event)
  if (redactor.mayHold(data) || (text !== null && redactor.mayHold(text))) {
    const { value, hits } = redactor.redact(event)
    if (hits.length > 0) return valuesOf(value, noRedactor)
  }
  const bytes = text === null ? 0 : Buffer.byteLength(text)
  const facts = [seq, threadId, at, kind, data] as const
  if (text === null || bytes <= limits.inlineBodyBytes) return { event, row: [...facts, text, null, bytes], blob: null }
  const sha256 = hash('sha256', text)
  return { event, row: [...facts, null, sha256, bytes], blob: [sha256, text] }
}

function headerOrMark(row: HeaderRow): EventHeader {
  const { seq, threadId, at, kind, data, bodyBytes } = row
  const parsed = parse(`{"kind":${JSON.stringify(kind)},"data":${data}}`)
  if ('problem' in parsed) return { ...markOf(row, parsed.problem), bodyBytes: 0 }
  return { ...parsed.fact, seq, threadId, at, bodyBytes }
}

function toEvent(row: EventRow): StoredEvent {
  const event = eventOrMark(row)
  if (event.kind === 'unreadable') throw unreadable(row.seq, new Error(event.data.problem))
  return event
}

function eventOrMark(row: EventRow): StoredEvent {
  const { seq, threadId, at } = row
  const text = row.body ?? row.content
  if (text === null && row.bodyBytes > 0) return markOf(row, 'its body is gone')
  const body = text === null ? '' : `,"body":${text}`
  const parsed = parse(`{"kind":${JSON.stringify(row.kind)},"data":${row.data}${body}}`)
  if ('problem' in parsed) return markOf(row, parsed.problem)
  return { ...parsed.fact, seq, threadId, at }
}

function markOf({ seq, threadId, at }: HeaderRow, problem: string) {
  return { kind: 'unreadable', data: { problem }, seq, threadId, at } as const
}

/** Every kind: a new one does not compile without a line here. */
const kinds: Readonly<Record<EventKind, true>> = {
  'thread.created': true,
  'thread.state': true,
  'thread.recovered': true,
  'thread.corrected': true,
  'message.added': true,
  'lease.granted': true,
  'lease.revoked': true,
  'grant.given': true,
  'grant.revoked': true,
  'budget.checked': true,
  'docs.retrieved': true,
  'skill.selected': true,
  'skill.loaded': true,
  'skill.ran': true,
  'skill.proposed': true,
  'skill.mined': true,
  'skill.decided': true,
  'skill.versioned': true,
  'skill.used': true,
  'canvas.emitted': true,
  'context.compacted': true,
  'context.warned': true,
  'slot.queued': true,
  'slot.acquired': true,
  'step.started': true,
  'step.restarted': true,
  'model.retried': true,
  'model.completed': true,
  'model.failed': true,
  'action.started': true,
  'action.finished': true,
  'approval.requested': true,
  'approval.decided': true,
  'effect.undone': true,
  'code.started': true,
  'code.finished': true,
  'query.started': true,
  'query.finished': true,
  'child.spawned': true,
  'child.finished': true,
  'repeat.noticed': true,
  'trace.analysed': true,
  'learnt.changed': true,
  'mission.changed': true,
  'firing.claimed': true,
  'firing.changed': true,
  'secret.redacted': true,
  'orchestrator.chosen': true,
  'orchestrator.failed': true,
  'orchestrator.rolledBack': true,
  'orchestrator.diverged': true,
  status: true,
  unreadable: true,
}

/**
 * Our own text, written by `append`: its shape is the union's. What a damaged row can be instead is checked: no JSON, no
 * kind of ours, no facts.
 */
function parse(text: string) {
  try {
    const fact = JSON.parse(text)
    if (!Object.hasOwn(kinds, fact.kind)) return { problem: 'its kind is unknown' }
    fact.data = factsFrom(fact.kind, fact.data)
    if (typeof fact.data !== 'object' || fact.data === null) return { problem: 'its facts are gone' }
    return { fact }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function unreadable(seq: number, cause: unknown): AppError {
  return new AppError('store.corrupt', {
    message: `event ${seq} cannot be read`,
    userMessage: `Event ${seq} cannot be read. Everything else of the thread is safe. Restore a backup to get it back.`,
    cause,
    data: { seq },
  })
}
