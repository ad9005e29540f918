import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { cadenceWords } from '../../../core/missions/cadence.ts'
import type { EventCadence } from '../../../core/missions/trigger-filter.ts'

test.each<[Omit<EventCadence, 'kind'>, string]>([
  [{ on: 'thread-done' }, 'When a thread has answered'],
  [{ on: 'thread-done', only: { each: 1 } }, 'When a thread has answered'],
  [{ on: 'thread-done', only: { each: 5 } }, 'When a thread has answered, each 5th'],
  [{ on: 'thread-done', only: { each: 22 } }, 'When a thread has answered, each 22nd'],
  [{ on: 'thread-done', only: { each: 13 } }, 'When a thread has answered, each 13th'],
  [
    { on: 'thread-ended', only: { projects: 'all', threads: 'all', outcomes: ['failed'], goal: 'tide' } },
    'When a thread has ended, in any project, begun by a person or a mission, that ended as failed, whose goal matches tide',
  ],
  [
    { on: 'file-changed', only: { paths: ['docs/**', 'a b.md'] } },
    'When files of the project change, in docs/** or a b.md',
  ],
  [{ on: 'app-start' }, 'When Threadsmith starts'],
  [{ on: 'idle' }, `When nothing happened for ${limits.missionIdleMs / 60_000} minutes`],
  [{ on: 'idle', only: { idleMs: 60_000 } }, 'When nothing happened for a minute'],
])('%j in words is: %s', (event, words) => {
  expect(cadenceWords({ kind: 'event', ...event })).toBe(words)
})
