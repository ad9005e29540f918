import { afterEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '../../../../core/domain/error.ts'
import type { LiveDelta } from '../../../../core/domain/event.ts'
import type { CallRow, ThreadHeader } from '../../../../core/domain/thread.ts'
import { type OpenSession, openSession, type SessionPush } from '../../../../renderer/screens/thread/session.ts'
import type { EventFacts } from '../../../../renderer/timeline/fact.ts'
import {
  actionFinished,
  actionStarted,
  call,
  event,
  header,
  modelCompleted,
  row,
  startAt,
  stepStarted,
} from '../../timeline/course.ts'

interface Store {
  thread: ThreadHeader
  rows: readonly CallRow[]
  events: readonly EventFacts[]
}

const opened: OpenSession[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

/** A session over a store that answers in small pages; `push` is what the engine would send. */
function open(store: Store, { fails = '' }: { fails?: string } = {}) {
  let listener: (push: SessionPush) => void = () => undefined
  const asked: string[] = []
  const failing = { name: fails }
  const ask = (name: string) => {
    asked.push(name)
    if (name === failing.name)
      throw new AppError('store.corrupt', { message: 'page 7', userMessage: 'Two pages are damaged.' })
  }
  const session = openSession('t1', {
    thread: async () => {
      ask('thread')
      return store.thread
    },
    calls: async ({ afterStep = -1 }) => {
      ask('calls')
      const step = afterStep + 1
      const hasMore = store.rows.some((one) => one.step > step)
      return { rows: store.rows.filter((one) => one.step === step), next: hasMore ? step : null }
    },
    events: async ({ after = 0 }) => {
      ask('events')
      const later = store.events.filter(({ seq }) => seq > after)
      const rows = later.slice(0, 2)
      return { rows, next: later.length > 2 ? (rows.at(-1)?.seq ?? null) : null }
    },
    subscribe: (next) => {
      listener = next
      return () => {
        listener = () => undefined
      }
    },
    now: () => startAt + 500,
  })
  opened.push(session)
  const push = (events: readonly EventFacts[], deltas: readonly LiveDelta[] = []) =>
    listener({ type: 'engine', batch: { events, deltas } })
  const state = (phase: 'starting' | 'ready') => listener({ type: 'state', state: { phase } })
  const settled = () => vi.waitFor(() => expect(session.store.getState().isLoading).toBe(false), { timeout: 60_000 })
  return { session, push, state, settled, asked, failing }
}

const timelineOf = (session: OpenSession) => {
  const { timeline } = session.store.getState()
  if (!timeline) throw new Error('no timeline yet')
  return timeline
}

const threeSteps: Store = {
  thread: header({ steps: 3 }),
  rows: [0, 1, 2].map((step) => row({ step, from: step * 100, to: step * 100 + 50 })),
  events: [
    event(1, 0, 'thread.state', { from: 'Created', to: 'Running' }),
    event(2, 0, 'slot.queued', { ahead: 1 }),
    event(3, 0, 'slot.acquired', { waitedMs: 0 }),
  ],
}

describe('opening', () => {
  test('reads header, every page of the index and every page of the events', async () => {
    const { session, settled } = open(threeSteps)
    await settled()
    expect(session.store.getState()).toMatchObject({ phase: 'ready', error: null, header: { number: 1 } })
    expect(timelineOf(session).stepIds.size).toBe(3)
    expect(timelineOf(session).notes.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  test('what happens while it reads is not lost', async () => {
    const { session, push, settled } = open(threeSteps)
    push([stepStarted(10, 400, 3)])
    await settled()
    expect(call(timelineOf(session), 3, '0')).toMatchObject({ state: 'started', startedAt: startAt + 400 })
  })

  test('a page that cannot be read leaves what was read, with the error; reading again mends it', async () => {
    const { session, settled, failing } = open(threeSteps, { fails: 'events' })
    await settled()
    expect(session.store.getState()).toMatchObject({ phase: 'failed', error: { code: 'store.corrupt' } })
    expect(timelineOf(session).stepIds.size).toBe(3)
    failing.name = ''
    session.reload()
    await settled()
    expect(session.store.getState()).toMatchObject({ phase: 'ready', error: null })
  })

  test('a thread that is not there has no header, only the error', async () => {
    const { session, settled } = open(threeSteps, { fails: 'thread' })
    await settled()
    expect(session.store.getState()).toMatchObject({ phase: 'failed', header: null, timeline: null })
  })
})

describe('live', () => {
  test('events move the timeline on, those of other threads do not', async () => {
    const { session, push, settled } = open(threeSteps)
    await settled()
    push([actionStarted(10, 60, 0, '1'), { ...actionStarted(11, 60, 0, '2'), threadId: 't2' }])
    push([actionFinished(12, 90, { step: 0, path: '1', ok: true, durationMs: 30 })])
    expect(call(timelineOf(session), 0, '1').state).toBe('done')
    expect(timelineOf(session).callIds.has('0/2')).toBe(false)
  })

  test('what a model says is kept until its answer is on record, and its first piece is the first token', async () => {
    const { session, push, settled } = open(threeSteps)
    await settled()
    push([stepStarted(10, 400, 3)])
    push(
      [],
      [
        { threadId: 't1', step: 3, kind: 'text', text: 'All four' },
        { threadId: 't1', step: 3, kind: 'text', text: 'teen' },
      ],
    )
    await vi.waitFor(() => expect(session.store.getState().drafts.get(3)?.text).toBe('All fourteen'), {
      timeout: 60_000,
    })
    expect(call(timelineOf(session), 3, '0').firstTokenAt).toBe(startAt + 500)
    push([modelCompleted(11, 600, { step: 3, durationMs: 200 })])
    await vi.waitFor(() => expect(session.store.getState().drafts.size).toBe(0), { timeout: 60_000 })
  })

  test('a thread that comes to rest is read once more: what was cut off ends without an event', async () => {
    const store: Store = { ...threeSteps }
    const { session, push, settled } = open(store)
    await settled()
    push([actionStarted(10, 260, 2, '1')])
    store.rows = [
      ...store.rows,
      row({ step: 2, path: '1', from: 260, to: 300, state: 'cancelled', startSeq: 10, endSeq: null }),
    ]
    store.thread = header({
      state: 'Done',
      outcome: 'stopped',
      steps: 3,
      endedAt: startAt + 300,
      updatedAt: startAt + 300,
    })
    push([event(11, 300, 'thread.state', { from: 'Running', to: 'Completed', outcome: 'stopped' })])
    await vi.waitFor(() => expect(call(timelineOf(session), 2, '1').state).toBe('cancelled'), { timeout: 60_000 })
    await vi.waitFor(
      () => expect(session.store.getState().header).toMatchObject({ state: 'Done', outcome: 'stopped' }),
      { timeout: 60_000 },
    )
  })

  test('lost pushes and an engine that opens again make it read everything anew', async () => {
    const { push, state, settled, asked } = open(threeSteps)
    await settled()
    const reads = () => asked.filter((name) => name === 'thread').length
    push([event(10, 0, 'status', { text: 'a' })])
    expect(reads()).toBe(1)
    push([event(14, 0, 'status', { text: 'b' })])
    expect(reads()).toBe(2)
    await settled()
    state('starting')
    state('ready')
    expect(reads()).toBe(3)
  })
})
