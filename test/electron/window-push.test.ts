import { expect, test } from 'vitest'
import type { EventBatch, LiveEvent } from '../../core/domain/contract.ts'
import type { LiveDelta } from '../../core/domain/event.ts'
import { limits } from '../../core/domain/limits.ts'
import { pushesOf } from '../../electron/window-push.ts'

function events(count: number): LiveEvent[] {
  return Array.from({ length: count }, (_, seq) => {
    return { seq, threadId: 't', at: 0, kind: 'status', data: { text: `${seq}` }, bodyBytes: 0 }
  })
}
const delta: LiveDelta = { threadId: 't', step: 1, kind: 'text', text: 'Hello' }

function partsOf(batch: EventBatch): readonly EventBatch[] {
  return [...pushesOf(batch)].flatMap((push) => (push.type === 'engine' ? [push.batch] : []))
}

test('a batch of the engine goes on as it is', () => {
  const batch = { events: events(limits.pushEvents), deltas: [delta] }
  expect(partsOf(batch)).toEqual([batch])
  expect(partsOf({ events: [], deltas: [delta] })).toEqual([{ events: [], deltas: [delta] }])
})

test('one that is too large for a message goes on in several, in order; live text comes before all of its events', () => {
  const batch = { events: events(2 * limits.pushEvents + 1), deltas: [delta] }
  const parts = partsOf(batch)
  expect(parts.map((part) => [part.events.length, part.deltas.length])).toEqual([
    [limits.pushEvents, 1],
    [limits.pushEvents, 0],
    [1, 0],
  ])
  expect(parts.flatMap((part) => part.events)).toEqual(batch.events)
})
