import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ApiInput } from '../../../core/api.ts'
import type { Page } from '../../../core/domain/contract.ts'
import { type ErrorBody, errorBody } from '../../../core/domain/error.ts'
import type { LiveDelta } from '../../../core/domain/event.ts'
import type { ShellState } from '../../../core/domain/shell.ts'
import type { CallRow, ThreadHeader } from '../../../core/domain/thread.ts'
import { type EventFacts, factOf } from '../../timeline/fact.ts'
import {
  callAt,
  createTimeline,
  openChild,
  putCalls,
  putEvent,
  putFirstToken,
  putHeader,
  type Timeline,
} from '../../timeline/timeline.ts'

/** What a running model call has said so far; gone as soon as the finished call is on record. */
export interface Draft {
  readonly text: string
  readonly reasoning: string
}

export type SessionPhase = 'loading' | 'ready' | 'failed'

/** One thread as the inspector sees it. `timeline` is changed in place; `version` says that it was. */
export interface Session {
  readonly phase: SessionPhase
  readonly header: ThreadHeader | null
  readonly timeline: Timeline | null
  readonly version: number
  /** Pages still come in. */
  readonly isLoading: boolean
  readonly drafts: ReadonlyMap<number, Draft>
  readonly error: ErrorBody | null
}

/** What the window is told: the part of it that a session listens to. */
export type SessionPush =
  | {
      readonly type: 'engine'
      readonly batch: { readonly events: readonly EventFacts[]; readonly deltas: readonly LiveDelta[] }
    }
  | { readonly type: 'state'; readonly state: Pick<ShellState, 'phase'> }
  | { readonly type: 'command' | 'place' }

/** Where a session reads from; pages as in the contract. */
export interface SessionSources {
  readonly thread: (id: string) => Promise<ThreadHeader>
  readonly calls: (input: ApiInput<'thread.calls'>) => Promise<Page<CallRow>>
  readonly events: (input: ApiInput<'thread.events'>) => Promise<Page<EventFacts>>
  readonly subscribe: (listener: (push: SessionPush) => void) => () => void
  readonly now: () => number
}

export interface OpenSession {
  readonly store: StoreApi<Session>
  /** Reads everything again, after an error. */
  readonly reload: () => void
  /** Reads the calls of a child, to stand below its row from now on, live as well. */
  readonly openChild: (childId: string) => void
  readonly close: () => void
}

const firstPageRows = 400
const pageRows = 4_000
const eventRows = 1_000
const publishEveryMs = 100
const draftCharacters = 200_000

/**
 * Opens a thread: its header first, then the call index and the events page by page, and everything that happens from then
 * on. Facts are idempotent, so what arrives twice or out of order does no harm.
 */
export function openSession(threadId: string, sources: SessionSources): OpenSession {
  const reader = new ThreadReader(threadId, sources)
  reader.start()
  return {
    store: reader.store,
    reload: () => reader.start(),
    openChild: (id) => reader.openChild(id),
    close: () => reader.close(),
  }
}

const blank = { phase: 'loading', header: null, timeline: null, version: 0, isLoading: true, error: null } as const

class ThreadReader {
  readonly store: StoreApi<Session> = createStore<Session>(() => ({ ...blank, drafts: new Map() }))
  readonly #threadId: string
  readonly #sources: SessionSources
  readonly #unsubscribe: () => void
  /** The reading that is under way; what an older one still brings is dropped. */
  #reading: Reading = { at: null, waiting: [], drafts: new Map() }
  #timer: ReturnType<typeof setTimeout> | null = null
  readonly #opened = new Set<string>()
  #lastSeq = 0
  #wasOpen = true

  constructor(threadId: string, sources: SessionSources) {
    this.#threadId = threadId
    this.#sources = sources
    this.#unsubscribe = sources.subscribe((push) => this.#hear(push))
  }

  /** Reads everything anew. What is shown stays until the first page of the new reading is there. */
  start(): void {
    this.#reading = { at: null, waiting: [], drafts: new Map() }
    if (this.store.getState().phase === 'failed') this.store.setState({ ...blank, drafts: new Map() })
    else this.store.setState({ isLoading: true, error: null })
    void this.#load(this.#reading)
  }

  openChild(childId: string): void {
    this.#opened.add(childId)
    void this.#loadChild(this.#reading, childId)
  }

  close(): void {
    this.#reading = { at: null, waiting: [], drafts: new Map() }
    if (this.#timer) clearTimeout(this.#timer)
    this.#unsubscribe()
  }

  async #load(reading: Reading): Promise<void> {
    const isStale = () => reading !== this.#reading
    try {
      const header = await this.#sources.thread(this.#threadId)
      if (isStale()) return
      reading.at = { header, timeline: createTimeline(header) }
      for (const event of reading.waiting.splice(0)) this.#take(reading, event)
      await this.#loadCalls(reading, reading.at.timeline, header.id)
      if (isStale()) return
      await this.#loadEvents(reading, header.id)
      for (const childId of this.#opened) await this.#loadChild(reading, childId)
      if (isStale()) return
      this.#publish()
      this.store.setState({ phase: 'ready', isLoading: false })
    } catch (error) {
      if (isStale()) return
      this.#publish()
      this.store.setState({ phase: 'failed', isLoading: false, error: errorBody(error) })
    }
  }

  async #loadCalls(reading: Reading, timeline: Timeline, id: string): Promise<void> {
    let afterStep: number | null = -1
    let limit = firstPageRows
    while (afterStep !== null) {
      const page: Page<CallRow> = await this.#sources.calls({ id, afterStep, limit })
      if (reading !== this.#reading) return
      putCalls(timeline, page.rows, id)
      this.#publish()
      this.store.setState({ phase: 'ready' })
      afterStep = page.next
      limit = pageRows
    }
  }

  async #loadChild(reading: Reading, childId: string): Promise<void> {
    const { at } = reading
    if (at === null || !isOpenChild(at.timeline, childId)) return
    try {
      await this.#loadCalls(reading, at.timeline, childId)
      if (reading === this.#reading) await this.#loadEvents(reading, childId)
    } catch (error) {
      if (reading === this.#reading) this.store.setState({ error: errorBody(error) })
    }
  }

  async #loadEvents(reading: Reading, id: string): Promise<void> {
    let after: number | null = 0
    while (after !== null) {
      const page: Page<EventFacts> = await this.#sources.events({ id, after, limit: eventRows })
      if (reading !== this.#reading) return
      for (const event of page.rows) this.#take(reading, event)
      this.#publishSoon()
      after = page.next
    }
  }

  #hear(push: SessionPush): void {
    if (push.type === 'state') {
      const isOpen = push.state.phase === 'ready' || push.state.phase === 'readOnly'
      if (isOpen && !this.#wasOpen) this.start()
      this.#wasOpen = isOpen
    }
    if (push.type !== 'engine') return
    const { events, deltas } = push.batch
    // Pushes were lost, as when the engine was restarted: what is missing can only be read again.
    if (hasGap(this.#lastSeq, events)) this.start()
    this.#lastSeq = Math.max(this.#lastSeq, events.at(-1)?.seq ?? 0)
    const reading = this.#reading
    const isOurs = ({ threadId }: { readonly threadId: string }) =>
      reading.at === null || threadId === reading.at.header.id || this.#opened.has(threadId)
    const [ours, said] = [events.filter(isOurs), deltas.filter(isOurs)]
    if (ours.length + said.length === 0) return
    for (const event of ours) this.#take(reading, event)
    for (const delta of said) this.#takeDelta(reading, delta)
    this.#publishSoon()
    const isResting = reading.at !== null && reading.at.header.state !== 'Running'
    const moved = new Set(ours.filter(({ kind }) => kind === 'thread.state').map(({ threadId }) => threadId))
    for (const childId of this.#opened) if (moved.has(childId)) void this.#loadChild(reading, childId)
    if (isResting && reading.at !== null && moved.has(reading.at.header.id)) void this.#settle(reading)
  }

  #take(reading: Reading, event: EventFacts): void {
    const { at } = reading
    if (at === null) {
      reading.waiting.push(event)
      return
    }
    if (event.threadId !== at.header.id) {
      putEvent(at.timeline, event)
      return
    }
    at.header = foldHeader(at.header, event)
    if (!putEvent(at.timeline, event)) return
    if (event.kind === 'thread.state') putHeader(at.timeline, at.header)
    const fact = factOf(event)
    if (fact?.kind === 'model.completed' || fact?.kind === 'model.failed') reading.drafts.delete(fact.data.step)
  }

  #takeDelta({ at, drafts }: Reading, delta: LiveDelta): void {
    if (at === null || delta.threadId !== at.header.id) return
    const { step, kind, text } = delta
    const hasEnded = (callAt(at.timeline, step, '0')?.endedAt ?? null) !== null
    if (hasEnded) return
    putFirstToken(at.timeline, step, this.#sources.now())
    if (kind === 'call') return
    const old = drafts.get(step) ?? { text: '', reasoning: '' }
    drafts.set(step, { ...old, [kind]: (old[kind] + text).slice(-draftCharacters) })
  }

  /** A thread came to rest: what was cut off ends without an event, and the store counts the totals. */
  async #settle(reading: Reading): Promise<void> {
    const { at } = reading
    if (at === null) return
    const { id } = at.header
    const afterStep = Math.max(-1, at.timeline.stepIds.size - 2)
    try {
      const [header, page] = await Promise.all([this.#sources.thread(id), this.#sources.calls({ id, afterStep })])
      if (reading !== this.#reading) return
      at.header = header
      putCalls(at.timeline, page.rows)
      putHeader(at.timeline, header)
      this.#publishSoon()
    } catch (error) {
      if (reading === this.#reading) this.store.setState({ error: errorBody(error) })
    }
  }

  #publishSoon(): void {
    this.#timer ??= setTimeout(() => this.#publish(), publishEveryMs)
  }

  #publish(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const { at, drafts } = this.#reading
    if (at !== null) this.store.setState({ ...at, version: at.timeline.version, drafts: new Map(drafts) })
  }
}

interface Reading {
  at: { header: ThreadHeader; readonly timeline: Timeline } | null
  /** Events that were pushed before the header was there. */
  readonly waiting: EventFacts[]
  readonly drafts: Map<number, Draft>
}

/** Its row is there, and it is open now or was before. */
function isOpenChild(timeline: Timeline, childId: string): boolean {
  return openChild(timeline, childId) || timeline.openChildren.has(childId)
}

/** Numbers are given without holes: a hole means that something was missed. */
function hasGap(lastSeq: number, events: readonly EventFacts[]): boolean {
  const next = events.find(({ seq }) => seq > lastSeq)
  return lastSeq > 0 && next !== undefined && next.seq > lastSeq + 1
}

/** The header after an event; an event that is older than the header changes nothing. */
function foldHeader(header: ThreadHeader, event: EventFacts): ThreadHeader {
  const fact = factOf(event)
  if (event.at < header.updatedAt) return header
  if (fact?.kind === 'thread.state') {
    const { to, outcome, reason } = fact.data
    const hasEnded = to === 'Completed' || to === 'Done' || to === 'Failed'
    const rest = { outcome: outcome ?? (hasEnded ? header.outcome : null), reason: reason ?? null }
    return {
      ...header,
      ...rest,
      state: to,
      updatedAt: event.at,
      endedAt: hasEnded ? (header.endedAt ?? event.at) : null,
    }
  }
  if (fact?.kind === 'step.started') return { ...header, steps: Math.max(header.steps, fact.data.step + 1) }
  return header
}
