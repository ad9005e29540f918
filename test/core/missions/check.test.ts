import { expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { MissionDefinition } from '../../../core/domain/mission.ts'
import { definitionProblems } from '../../../core/missions/check.ts'
import { definition } from './mission-world.ts'

const noBudget = { tokens: null, usd: null, steps: null, ms: null }
const budget = (of: Partial<MissionDefinition['budget']>) => ({ budget: { ...noBudget, ...of } })
const names = (count: number) => Array.from({ length: count }, (_, n) => `name-${n}`)

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
  [{ pauseAfter: 1.5 }, 'pauseAfter'],
  [{ dailyCap: Number.NaN }, 'dailyCap'],
  [{ description: 'x'.repeat(limits.missionTextCharacters + 1) }, 'description'],
  [{ success: 'x'.repeat(limits.missionTextCharacters + 1) }, 'success'],
  [{ focus: 'x'.repeat(limits.outcomeCharacters + 1) }, 'focus'],
  [{ maxLatenessMs: -1 }, 'maxLatenessMs'],
  [{ maxLatenessMs: limits.missionDurationMs + 1 }, 'maxLatenessMs'],
  [{ cooldownMs: -1 }, 'cooldownMs'],
  [{ dedupeMs: limits.missionDurationMs + 1 }, 'dedupeMs'],
  [budget({ steps: 1.5 }), 'budget'],
  [budget({ steps: 0 }), 'budget'],
  [budget({ steps: limits.maxStepsCeiling + 1 }), 'budget'],
  [budget({ tokens: -1 }), 'budget'],
  [budget({ tokens: limits.missionTokens + 1 }), 'budget'],
  [budget({ usd: -0.01 }), 'budget'],
  [budget({ usd: limits.missionUsd + 0.01 }), 'budget'],
  [budget({ ms: 0 }), 'budget'],
  [budget({ ms: limits.missionDurationMs + 1 }), 'budget'],
  [{ skills: names(limits.missionNames + 1) }, 'skills'],
  [{ actions: names(limits.missionNames + 1) }, 'actions'],
  [{ actions: ['x'.repeat(limits.actionNameCharacters + 1)] }, 'actions'],
])('%j is not saved, and the problem is at its field', (of, field) => {
  expect(fields(of)).toEqual([field])
})

it.each<Partial<MissionDefinition>>([
  { name: 'x'.repeat(64) },
  { goal: 'x'.repeat(limits.missionGoalCharacters) },
  { cadence: { kind: 'every', everyMs: limits.missionEveryMs } },
  { catchUp: limits.missionCatchUp },
  { description: 'x'.repeat(limits.missionTextCharacters), success: 'x'.repeat(limits.missionTextCharacters) },
  { focus: 'x'.repeat(limits.outcomeCharacters) },
  { maxLatenessMs: 0, cooldownMs: limits.missionDurationMs, dedupeMs: limits.missionDurationMs },
  budget({ steps: 1, tokens: 1, usd: 0, ms: 1 }),
  budget({
    ...{ steps: limits.maxStepsCeiling, tokens: limits.missionTokens, usd: limits.missionUsd },
    ms: limits.missionDurationMs,
  }),
  { skills: names(limits.missionNames), actions: names(limits.missionNames) },
])('what stands at its limit is saved', (of) => {
  expect(fields(of)).toEqual([])
})

it('all problems are told at once, and a cron expression has its place', () => {
  const problems = definitionProblems(
    definition({ name: '', goal: '', cadence: { kind: 'cron', expression: '0 26 * * *' } }),
  )
  expect(problems).toMatchObject([{ field: 'name' }, { field: 'goal' }, { field: 'cadence', position: 2 }])
})
