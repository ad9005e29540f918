import { describe, expect, test } from 'vitest'
import { errorBody } from '../../../../core/domain/error.ts'
import type { Cadence, MissionDefinition } from '../../../../core/domain/mission.ts'
import {
  definitionOf,
  draftFrom,
  emptyDraft,
  type MissionDraft,
} from '../../../../renderer/screens/missions/editor-draft.ts'
import { problemsIn } from '../../../../renderer/screens/missions/mission-editor.tsx'

const minute = 60_000
const definition: MissionDefinition = {
  name: 'issue-triage',
  description: 'Labels issues.',
  goal: 'Read the new issues.',
  success: null,
  focus: 'the newest',
  cadence: { kind: 'cron', expression: '*/15 9-16 * * 1-5' },
  zone: 'Europe/Lisbon',
  missed: 'all',
  catchUp: 3,
  maxLatenessMs: 90 * minute,
  overlap: 'queue',
  dailyCap: 40,
  cooldownMs: 5 * minute,
  dedupeMs: 0,
  pauseAfter: 5,
  budget: { tokens: 5_000, usd: 0.05, steps: null, ms: 5 * minute },
  tier: 'minuet',
  skills: ['github'],
  actions: ['read_file', 'grep'],
}

describe('the form of a mission', () => {
  test.each<[string, Partial<MissionDefinition>]>([
    ['as it is', {}],
    ['without actions', { actions: [] }],
    ['with any action', { actions: null, skills: [] }],
    ['each weekday', { cadence: { kind: 'cron', expression: '5 9 * * 1-5' } }],
    ['each day', { cadence: { kind: 'cron', expression: '0 17 * * *' } }],
    ['every 90 minutes', { cadence: { kind: 'every', everyMs: 90 * minute } }],
    ['every 90 seconds', { cadence: { kind: 'every', everyMs: 90_000 } }],
    ['every two days', { cadence: { kind: 'every', everyMs: 2_880 * minute } }],
    ['once', { cadence: { kind: 'once', day: '2027-02-28', time: '07:30' } }],
    ['by an event', { cadence: { kind: 'event', on: 'thread-done' } }],
    ['by each fifth of them', { cadence: { kind: 'event', on: 'thread-done', only: { each: 5 } } }],
    ['with parts of a minute', { cooldownMs: 30_000, maxLatenessMs: 100_000 }],
    ['by files', { cadence: { kind: 'event', on: 'file-changed', only: { paths: ['a/**', 'b.md'] } } }],
    [
      'by files whose names have spaces',
      { cadence: { kind: 'event', on: 'file-changed', only: { paths: ['My notes/*.md', 'b.md'] } } },
    ],
    ['by webhook', { cadence: { kind: 'webhook' } }],
    ['by hand', { cadence: { kind: 'manual' }, success: 'all read', focus: null, maxLatenessMs: null }],
  ])('means the mission that it was filled from: %s', (_name, of) => {
    const whole = { ...definition, ...of }
    expect(definitionOf(draftFrom(whole))).toEqual({ ok: true, definition: whole })
  })

  test.each<[Partial<MissionDraft>, Cadence]>([
    [
      { when: 'weekdays', time: '09:05' },
      { kind: 'cron', expression: '5 9 * * 1-5' },
    ],
    [
      { when: 'daily', time: '00:00' },
      { kind: 'cron', expression: '0 0 * * *' },
    ],
    [
      { when: 'every', everyCount: '2', everyUnit: 'hours' },
      { kind: 'every', everyMs: 120 * minute },
    ],
  ])('a preset is a cadence: %j', (of, cadence) => {
    const verdict = definitionOf({ ...emptyDraft(), name: 'x', goal: 'y', ...of })
    expect(verdict).toMatchObject({ ok: true, definition: { cadence } })
  })

  test.each<[Partial<MissionDraft>, string]>([
    [{ when: 'weekdays', time: '' }, 'cadence'],
    [{ when: 'every', everyCount: 'often' }, 'cadence'],
    [{ when: 'every', everyCount: '0' }, 'cadence'],
    [{ when: 'once', day: '2027-02-30' }, 'cadence'],
    [{ dailyCap: '' }, 'dailyCap'],
    [{ dailyCap: '1.5' }, 'dailyCap'],
    [{ lateness: 'soon' }, 'maxLatenessMs'],
    [{ usd: '-1' }, 'budget'],
  ])('what is no value at all is said at its field, and nothing is sent: %j', (of, field) => {
    const verdict = definitionOf({ ...emptyDraft(), ...of })
    expect(verdict).toMatchObject({ ok: false })
    expect(Object.keys(verdict.ok ? {} : verdict.problems)).toEqual([field])
  })

  test('an error of the engine is told at the fields that it names', () => {
    const problems = [
      { field: 'name', message: 'There is one of this name.' },
      { field: 'cadence', message: 'An hour is 0 to 23.', position: 2 },
    ]
    expect(problemsIn({ data: { problems } })).toEqual({
      name: 'There is one of this name.',
      cadence: 'An hour is 0 to 23.',
    })
    expect(problemsIn(errorBody(new Error('the store is gone')))).toEqual({})
    expect(problemsIn(null)).toEqual({})
  })
})
