import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MissionDefinition } from '../../../core/domain/mission.ts'
import { missionText } from '../../../core/missions/file-text.ts'
import { parseMission } from '../../../core/missions/missions.ts'
import { definition } from './mission-world.ts'

const read = (text: string) => parseMission(Buffer.from(text), { zone: 'UTC' })

const line = fc
  .string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })
  .map((text) => text.trim())
  .filter((text) => text !== '')
const duration = fc.integer({ min: 1, max: 10_000 }).map((seconds) => seconds * 1_000)
const cadence: fc.Arbitrary<MissionDefinition['cadence']> = fc.oneof(
  fc
    .constantFrom('0 9 * * 1-5', '*/15 * * * *', '30 2 1,15 * *')
    .map((expression) => ({ kind: 'cron', expression }) as const),
  fc.integer({ min: 1, max: 5_000 }).map((minutes) => ({ kind: 'every', everyMs: minutes * 60_000 }) as const),
  fc.constant({ kind: 'once', day: '2027-02-28', time: '09:05' } as const),
  fc.constant({ kind: 'manual' } as const),
  fc.constant({ kind: 'webhook' } as const),
  fc.constant({ kind: 'event', on: 'app-start' } as const),
  fc.constant({ kind: 'event', on: 'thread-done', only: { each: 5, projects: 'all', threads: 'missions' } } as const),
  fc.constant({ kind: 'event', on: 'thread-ended', only: { outcomes: ['stopped', 'budget'] } } as const),
  line.map((text) => {
    const goal = text.replace(/[^a-z0-9 :#"']/gi, '.')
    return { kind: 'event', on: 'thread-failed', only: { goal } } as const
  }),
  fc.constant({ kind: 'event', on: 'file-changed', only: { paths: ['docs/**/*.md', '*.{csv,tsv}'] } } as const),
  fc
    .integer({ min: 1, max: 500 })
    .map((minutes) => ({ kind: 'event', on: 'idle', only: { idleMs: minutes * 60_000 } }) as const),
)
const definitions: fc.Arbitrary<MissionDefinition> = fc.record({
  name: fc.constantFrom('digest', 'a1-b2'),
  description: fc.oneof(fc.constant(''), line),
  goal: line,
  success: fc.option(line),
  focus: fc.option(line),
  cadence,
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  missed: fc.constantFrom('skip', 'once', 'all'),
  catchUp: fc.integer({ min: 1, max: 10 }),
  maxLatenessMs: fc.option(duration),
  overlap: fc.constantFrom('skip', 'queue', 'cancel'),
  dailyCap: fc.integer({ min: 1, max: 100 }),
  cooldownMs: fc.oneof(fc.constant(0), duration),
  dedupeMs: fc.oneof(fc.constant(0), duration),
  pauseAfter: fc.integer({ min: 1, max: 9 }),
  budget: fc.record({
    tokens: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
    usd: fc.option(fc.integer({ min: 1, max: 10_000 }).map((cents) => cents / 100)),
    steps: fc.option(fc.integer({ min: 1, max: 100 })),
    ms: fc.option(duration),
  }),
  tier: fc.constantFrom('minuet', 'allegro', 'forte'),
  skills: fc.array(fc.constantFrom('github', 'web-research'), { maxLength: 2 }),
  actions: fc.option(fc.array(fc.constantFrom('read_file', 'http'), { maxLength: 2 })),
})

test('a definition that is written as a file and read again is the same', () => {
  fc.assert(
    fc.property(definitions, (of) => {
      expect(read(missionText(of))).toEqual({ ok: true, definition: of })
    }),
  )
})

test('texts that YAML would read otherwise keep what they say', () => {
  const of = definition({
    description: 'a: b # c',
    success: '- yes',
    focus: '"quoted" {x}',
    goal: 'First.\n\n---\nSecond.',
  })
  expect(read(missionText(of))).toEqual({ ok: true, definition: of })
})
