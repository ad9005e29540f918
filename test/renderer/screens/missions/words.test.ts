import { expect, test } from 'vitest'
import type { MissionSummary } from '../../../../core/domain/mission.ts'
import { groupsOf } from '../../../../renderer/screens/missions/mission-list.tsx'
import { missionLook, nextText } from '../../../../renderer/screens/missions/words.ts'
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
  [{ cadenceKind: 'cron', nextFireAt: noon + 24 * minute }, 'Active', 'in 24 min, 15:00'],
  [{ cadenceKind: 'cron', nextFireAt: noon + 18 * 60 * minute }, 'Active', 'in 18 h, tomorrow 08:36'],
  [{ cadenceKind: 'once' }, 'Active', 'nothing to come'],
  [{ cadenceKind: 'cron', nextFireAt: noon - minute, isOverdue: true }, 'Overdue', 'overdue'],
  [{ failures: 2 }, '2 failures', 'by hand only'],
  [{ status: 'paused', failures: 5 }, 'Paused after 5 failures', 'paused after 5 failures'],
  [{ status: 'paused' }, 'Paused', 'paused'],
  [{ status: 'proposed' }, 'Proposed', 'waits for you'],
  [{ status: 'completed' }, 'Goal reached', 'goal reached'],
])('%j reads as %s, %s', (of, word, next) => {
  expect(missionLook(mission(of)).word).toBe(word)
  expect(nextText(mission(of), noon)).toBe(next)
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
