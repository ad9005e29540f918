import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallRow } from '../../../core/domain/thread.ts'
import { type EventFacts, factOf } from '../../../renderer/timeline/fact.ts'
import type { Span } from '../../../renderer/timeline/span.ts'
import { createTimeline, putCalls, putEvent, type Timeline } from '../../../renderer/timeline/timeline.ts'
import { actionFinished, actionStarted, event, header, modelCompleted, stepStarted } from './course.ts'

const arbitraryStep = fc.record({
  modelMs: fc.integer({ min: 0, max: 9_000 }),
  firstTokenMs: fc.option(fc.integer({ min: 0, max: 500 })),
  tokens: fc.integer({ min: 0, max: 30_000 }),
  retries: fc.array(fc.integer({ min: 1, max: 4_000 }), { maxLength: 2 }),
  actions: fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 300 }), ms: fc.integer({ min: 0, max: 5_000 }), ok: fc.boolean() }),
    {
      maxLength: 4,
    },
  ),
  idleMs: fc.constantFrom(0, 3, 700, 60_000),
  isQueued: fc.boolean(),
})
const arbitraryCourse = fc.array(arbitraryStep, { minLength: 1, maxLength: 6 }).map(eventsOf)

/** What the engine would append, in order: overlapping actions end in any order. */
function eventsOf(
  steps: readonly (typeof arbitraryStep extends fc.Arbitrary<infer Step> ? Step : never)[],
): readonly EventFacts[] {
  const made: { at: number; make: (seq: number) => EventFacts }[] = []
  let now = 0
  steps.forEach((one, step) => {
    const started = now
    const add = (at: number, make: (seq: number, at: number) => EventFacts) =>
      made.push({ at, make: (seq) => make(seq, at) })
    if (one.isQueued) {
      add(now, (seq, at) => event(seq, at, 'slot.queued', { ahead: 1 }))
      add(now, (seq, at) => event(seq, at, 'slot.acquired', { waitedMs: 0 }))
    }
    add(now, (seq, at) => stepStarted(seq, at, step))
    for (const [index, waitMs] of one.retries.entries()) {
      add(now + 1, (seq, at) =>
        event(seq, at, 'model.retried', { step, attempt: index + 1, waitMs, code: 'model.rate_limit' }),
      )
      now += 1 + waitMs
    }
    now += one.modelMs
    const firstTokenMs = one.firstTokenMs === null ? null : Math.min(one.firstTokenMs, now - started)
    const durationMs = now - started
    add(now, (seq, at) =>
      modelCompleted(seq, at, { step, durationMs, firstTokenMs, inputTokens: one.tokens, outputTokens: 3 }),
    )
    let end = now
    for (const [index, action] of one.actions.entries()) {
      const path = String(index + 1)
      const [from, to] = [now + action.afterMs, now + action.afterMs + action.ms]
      add(from, (seq, at) => actionStarted(seq, at, step, path))
      add(to, (seq, at) => actionFinished(seq, at, { step, path, ok: action.ok, durationMs: action.ms }))
      end = Math.max(end, to)
    }
    now = end + one.idleMs
  })
  const ordered = made.map((one, place) => ({ ...one, place })).sort((a, b) => a.at - b.at || a.place - b.place)
  return ordered.map(({ make }, index) => make(index + 1))
}

/** The call index as the store keeps it, written apart from the code under test. */
function indexOf(events: readonly EventFacts[]): readonly CallRow[] {
  const rows = new Map<string, CallRow>()
  for (const { seq, at, ...one } of events) {
    const fact = factOf(one)
    if (fact?.kind === 'step.started' || fact?.kind === 'action.started') {
      const isModel = fact.kind === 'step.started'
      const path = isModel ? '0' : fact.data.path
      rows.set(`${fact.data.step}/${path}`, {
        ...{
          step: fact.data.step,
          path,
          usd: null,
          childId: null,
          kind: isModel ? 'model' : 'action',
          name: isModel ? fact.data.model : fact.data.name,
        },
        ...{ state: 'started', startedAt: at, firstTokenAt: null, endedAt: null, inputTokens: 0, outputTokens: 0 },
        ...{ startSeq: seq, endSeq: null, summary: isModel ? '' : fact.data.summary },
      })
    } else if (fact?.kind === 'model.completed' || fact?.kind === 'action.finished') {
      const key = `${fact.data.step}/${fact.kind === 'model.completed' ? '0' : fact.data.path}`
      const known = rows.get(key)
      if (!known) throw new Error(`${key} ends before it began`)
      if (fact.kind === 'action.finished') {
        rows.set(key, { ...known, state: fact.data.ok ? 'done' : 'failed', endedAt: at, endSeq: seq })
        continue
      }
      const { firstTokenMs, inputTokens, outputTokens } = fact.data
      const firstTokenAt = firstTokenMs === null ? null : known.startedAt + firstTokenMs
      rows.set(key, { ...known, state: 'done', firstTokenAt, endedAt: at, inputTokens, outputTokens, endSeq: seq })
    }
  }
  return [...rows.values()]
}

/** Everything but ids, which tell only in which order the facts came. */
function facts(timeline: Timeline, leftOut: readonly (keyof Span)[] = []): unknown {
  const known = timeline.spans.map((span) => {
    const kept = Object.entries(span).filter(([name]) => !['id', 'parent', ...leftOut].includes(name))
    return [`${span.kind} ${span.step}/${span.path}`, Object.fromEntries(kept)] as const
  })
  return { spans: Object.fromEntries(known), pauses: timeline.pauses, notes: timeline.notes.map(({ seq }) => seq) }
}

function timelineOf(events: readonly EventFacts[], rows: readonly CallRow[] = []): Timeline {
  const timeline = createTimeline(header())
  putCalls(timeline, rows)
  for (const one of events) putEvent(timeline, one)
  return timeline
}

const isShuffle = (length: number) =>
  fc.shuffledSubarray([...Array(length).keys()], { minLength: length, maxLength: length })

test('events one by one give what all of them give in any order, cut off anywhere', () => {
  const cut = arbitraryCourse.chain((events) =>
    fc
      .integer({ min: 1, max: events.length })
      .chain((length) => isShuffle(length).map((order) => ({ events: events.slice(0, length), order }))),
  )
  fc.assert(
    fc.property(cut, ({ events, order }) => {
      const shuffled = order.flatMap((index) => events[index] ?? [])
      expect(facts(timelineOf(shuffled))).toEqual(facts(timelineOf(events)))
    }),
  )
})

test('the call index and the events together give what the events alone give', () => {
  fc.assert(
    fc.property(arbitraryCourse, (events) => {
      expect(facts(timelineOf(events, indexOf(events)))).toEqual(facts(timelineOf(events)))
    }),
  )
})

test('the call index alone already gives every bar, state and sum', () => {
  const beside: readonly (keyof Span)[] = ['outcome', 'summary', 'code', 'backOffs']
  fc.assert(
    fc.property(arbitraryCourse, (events) => {
      const [fromIndex, fromEvents] = [timelineOf([], indexOf(events)), timelineOf(events)]
      const spansOf = (timeline: Timeline) => ({ ...Object(facts(timeline, beside)), pauses: [], notes: [] })
      expect(spansOf(fromIndex)).toEqual(spansOf(fromEvents))
    }),
  )
})
