import { expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { MissionDefinition } from '../../../core/domain/mission.ts'
import { definitionProblems } from '../../../core/missions/check.ts'
import { definition } from './mission-world.ts'

const fields = (of: Partial<MissionDefinition>) => definitionProblems(definition(of)).map(({ field }) => field)

it.each<[Partial<MissionDefinition>, keyof MissionDefinition]>([
  [{ name: '' }, 'name'],
  [{ name: 'Two Words' }, 'name'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ goal: ' ' }, 'goal'],
  [{ goal: 'x'.repeat(limits.missionGoalCharacters + 1) }, 'goal'],
  [{ cadence: { kind: 'every', everyMs: limits.missionEveryMs - 1 } }, 'cadence'],
  [{ cadence: { kind: 'cron', expression: '61 * * * *' } }, 'cadence'],
  [{ zone: 'Moon/Crater' }, 'zone'],
  [{ catchUp: limits.missionCatchUp + 1 }, 'catchUp'],
  [{ dailyCap: 0 }, 'dailyCap'],
  [{ pauseAfter: 1_001 }, 'pauseAfter'],
])('%j is not saved, and the problem is at its field', (of, field) => {
  expect(fields(of)).toEqual([field])
})

it.each<Partial<MissionDefinition>>([
  { name: 'x'.repeat(64) },
  { goal: 'x'.repeat(limits.missionGoalCharacters) },
  { cadence: { kind: 'every', everyMs: limits.missionEveryMs } },
  { catchUp: limits.missionCatchUp },
])('what stands at its limit is saved', (of) => {
  expect(fields(of)).toEqual([])
})

it('all problems are told at once, and a cron expression has its place', () => {
  const problems = definitionProblems(
    definition({ name: '', goal: '', cadence: { kind: 'cron', expression: '0 26 * * *' } }),
  )
  expect(problems).toMatchObject([{ field: 'name' }, { field: 'goal' }, { field: 'cadence', position: 2 }])
})
