import { expect, test } from 'vitest'
import type { Cadence, MissionSummary } from '../../../../core/domain/mission.ts'
import { previewCadence } from '../../../../core/missions/cadence.ts'
import { groupsOf } from '../../../../renderer/screens/missions/mission-list.tsx'
import { upcomingFrom } from '../../../../renderer/screens/missions/next-five.tsx'
import { firingLook, missionLook, nextText, pausedText } from '../../../../renderer/screens/missions/words.ts'
import { noon } from '../../support.ts'

const minute = 60_000
function mission(of: Partial<MissionSummary> = {}): MissionSummary {
  return {
    ...{ id: 'mis_1', projectId: 'p1', name: 'digest', status: 'active', statusReason: null, version: 1 },
    ...{ source: 'person', anchorAt: noon, claimedUntil: noon, nextFireAt: null, focus: null, failures: 0 },
    ...{ lastFiredAt: null, createdAt: noon, updatedAt: noon, description: '', cadence: 'By hand' },
    ...{ cadenceKind: 'manual', zone: 'UTC', isOverdue: false, streak: 0 },
    ...of,
  }
}

test.each<[Partial<MissionSummary>, string, string]>([
  [{}, 'Active', 'by hand only'],
  [{ cadenceKind: 'event' }, 'Active', 'listening'],
  [{ cadenceKind: 'cron', nextFireAt: noon + 24 * minute }, 'Active', 'in 24 min, 20:30'],
  [{ cadenceKind: 'cron', nextFireAt: noon + 18 * 60 * minute }, 'Active', 'in 18 h, tomorrow 14:06'],
  [{ cadenceKind: 'once' }, 'Active', 'nothing to come'],
  [{ cadenceKind: 'cron', nextFireAt: noon - minute, isOverdue: true }, 'Overdue', 'overdue'],
  [{ failures: 2 }, '2 failures', 'by hand only'],
  [{ status: 'paused', failures: 5 }, 'Paused after 5 failures', 'paused after 5 failures'],
  [{ status: 'paused' }, 'Paused', 'paused'],
  [{ status: 'proposed' }, 'Proposed', 'waits for you'],
  [{ status: 'completed' }, 'Goal reached', 'goal reached'],
])('%j reads as %s, %s', (of, word, next) => {
  expect(missionLook(mission(of), false).word).toBe(word)
  expect(nextText(mission({ zone: 'Asia/Kolkata', ...of }), noon, false)).toBe(next)
})

test.each<[Partial<MissionSummary>, string, string]>([
  [{ cadenceKind: 'cron', nextFireAt: noon + 24 * minute }, 'Held', 'held'],
  [{ cadenceKind: 'cron', nextFireAt: noon - minute, isOverdue: true }, 'Held', 'held'],
  [{ cadenceKind: 'event' }, 'Held', 'held'],
  [{ cadenceKind: 'event', failures: 1 }, '1 failure', 'held'],
  [{}, 'Held', 'by hand only'],
  [{ status: 'paused' }, 'Paused', 'paused'],
  [{ status: 'proposed' }, 'Proposed', 'waits for you'],
])('while missions are held nothing is promised: %j is %s, %s', (of, word, next) => {
  expect(missionLook(mission(of), true).word).toBe(word)
  expect(nextText(mission(of), noon, true)).toBe(next)
})

test.each<Cadence>([
  { kind: 'cron', expression: '*/15 9-16 * * 1-5' },
  { kind: 'every', everyMs: 90 * minute },
  { kind: 'once', day: '2026-11-26', time: '15:15' },
])('the next five begin with the instant at which it fires next, not with one that was skipped: %j', (cadence) => {
  const nextFireAt = Date.parse('2026-11-26T15:15:00Z')
  const from = upcomingFrom(cadence, nextFireAt) ?? expect.fail('none by the clock')
  const preview = previewCadence({ cadence, zone: 'UTC' }, { from, count: 5 })
  expect(preview.ok && preview.next[0]?.at).toBe(nextFireAt)
  expect(upcomingFrom(cadence, null)).toBeNull()
})

test('what the clock does not set off has no next', () => {
  for (const cadence of [{ kind: 'manual' }, { kind: 'webhook' }, { kind: 'event', on: 'idle' }] as const)
    expect(upcomingFrom(cadence, noon)).toBeNull()
})

test('a firing whose thread waits for an approval waits for the person', () => {
  expect(firingLook('running', 'Waiting')).toEqual({ status: 'waiting', word: 'Waits for you' })
  expect(firingLook('running', 'Running').word).toBe('At work')
  expect(firingLook('running').word).toBe('At work')
  expect(firingLook('ran', 'Waiting').word).toBe('Ran')
})

test('what waits for a decision stands first, what ships with the app last, and no group is empty', () => {
  const missions = [
    mission({ id: 'a', source: 'file' }),
    mission({ id: 'b' }),
    mission({ id: 'c', source: 'agent', status: 'proposed' }),
    mission({ id: 'd', source: 'agent' }),
  ]
  expect(groupsOf(missions).map(({ title, rows }) => [title, rows.map(({ id }) => id)])).toEqual([
    ['Proposed by the agent', ['c']],
    ['Yours', ['b', 'd']],
    ['Learning, built in', ['a']],
  ])
  expect(groupsOf([])).toEqual([])
})

test('a pause says what it cancelled, because to resume does not bring it back', () => {
  expect(pausedText('digest', 0)).toBe('digest is paused')
  expect(pausedText('digest', 1)).toBe('digest is paused; 1 firing that waited was cancelled')
  expect(pausedText('digest', 3)).toBe('digest is paused; 3 firings that waited were cancelled')
})
