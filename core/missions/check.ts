import { limits } from '../domain/limits.ts'
import type { MissionDefinition } from '../domain/mission.ts'
import { cadenceFault, durationWords } from './cadence.ts'
import { triggerFault } from './trigger-filter.ts'

/** Why a definition is not saved: which part of it, and one sentence for whoever wrote it. */
export interface DefinitionProblem {
  readonly field: keyof MissionDefinition
  readonly message: string
  /** Characters of a cron expression before the first wrong one. */
  readonly position?: number
}

/** All that is wrong, in the order in which a mission is written; empty for what can be saved. */
export function definitionProblems(definition: MissionDefinition): readonly DefinitionProblem[] {
  return [
    ...nameProblems(definition),
    ...goalProblems(definition),
    ...texts(definition),
    ...cadenceProblems(definition),
    ...counts(definition),
    ...durations(definition),
    ...budgetProblems(definition),
    ...listProblems(definition),
  ]
}

function nameProblems({ name }: MissionDefinition): readonly DefinitionProblem[] {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 64) return []
  return [
    {
      field: 'name',
      message: 'The name must be lower-case letters and digits with single hyphens, at most 64 characters.',
    },
  ]
}

function goalProblems({ goal }: MissionDefinition): readonly DefinitionProblem[] {
  if (goal.trim() === '') return [{ field: 'goal', message: 'There is no goal: what is each firing to do?' }]
  const most = limits.missionGoalCharacters
  return goal.length <= most ? [] : [{ field: 'goal', message: `The goal has more than ${most} characters.` }]
}

function cadenceProblems({ cadence, zone }: MissionDefinition): readonly DefinitionProblem[] {
  if (cadence.kind === 'every' && cadence.everyMs < limits.missionEveryMs)
    return [{ field: 'cadence', message: `It fires at most once in ${durationWords(limits.missionEveryMs)}.` }]
  const filter = triggerFault(cadence)
  if (filter !== null) return [{ field: 'cadence', message: filter.message }]
  const fault = cadenceFault({ cadence, zone })
  if (fault === null) return []
  const { code, message, position } = fault
  const field = code === 'cron.zone' ? 'zone' : 'cadence'
  return [{ field, message, ...(position !== undefined && { position }) }]
}

const ranges = [
  ['catchUp', limits.missionCatchUp, 'What is caught up'],
  ['dailyCap', 10_000, 'The daily cap'],
  ['pauseAfter', 1_000, 'The number of failures after which it is paused'],
] as const satisfies readonly (readonly [keyof MissionDefinition, number, string])[]

function counts(definition: MissionDefinition): readonly DefinitionProblem[] {
  return ranges.flatMap(([field, most, what]) => {
    const count = definition[field]
    return isWhole(count, 1, most) ? [] : [{ field, message: `${what} is a whole number from 1 to ${most}.` }]
  })
}

const longest = [
  ['description', limits.missionTextCharacters, 'What it is about'],
  ['success', limits.missionTextCharacters, 'By what it is known that the goal is reached'],
  // As long as one that a firing says itself.
  ['focus', limits.outcomeCharacters, 'What the first firing looks at'],
] as const satisfies readonly (readonly [keyof MissionDefinition, number, string])[]

function texts(definition: MissionDefinition): readonly DefinitionProblem[] {
  return longest.flatMap(([field, most, what]) =>
    (definition[field]?.length ?? 0) <= most ? [] : [{ field, message: `${what} has more than ${most} characters.` }],
  )
}

const durationFields = [
  ['maxLatenessMs', 'How late it may begin'],
  ['cooldownMs', 'The rest after a firing'],
  ['dedupeMs', 'The time in which the same is one'],
] as const satisfies readonly (readonly [keyof MissionDefinition, string])[]

const durationRange = `from nothing to ${durationWords(limits.missionDurationMs)}`

function durations(definition: MissionDefinition): readonly DefinitionProblem[] {
  return durationFields.flatMap(([field, what]) =>
    isWhole(definition[field] ?? 0, 0, limits.missionDurationMs)
      ? []
      : [{ field, message: `${what} is a time ${durationRange}.` }],
  )
}

function budgetProblems({ budget: { tokens, usd, steps, ms } }: MissionDefinition): readonly DefinitionProblem[] {
  const wrong = (message: string) => ({ field: 'budget', message }) as const
  return [
    ...(tokens === null || isWhole(tokens, 1, limits.missionTokens)
      ? []
      : [wrong(`The budget of tokens is a whole number from 1 to ${limits.missionTokens}.`)]),
    ...(usd === null || (usd >= 0 && usd <= limits.missionUsd)
      ? []
      : [wrong(`The budget of dollars is an amount from 0 to ${limits.missionUsd}.`)]),
    ...(steps === null || isWhole(steps, 1, limits.maxStepsCeiling)
      ? []
      : [wrong(`The budget of steps is a whole number from 1 to ${limits.maxStepsCeiling}.`)]),
    ...(ms === null || isWhole(ms, 1, limits.missionDurationMs)
      ? []
      : [wrong(`The budget of time is more than nothing and at most ${durationWords(limits.missionDurationMs)}.`)]),
  ]
}

function listProblems({ skills, actions }: MissionDefinition): readonly DefinitionProblem[] {
  const lists = [
    ['skills', skills],
    ['actions', actions ?? []],
  ] as const
  const { missionNames, actionNameCharacters: most } = limits
  return lists.flatMap(([field, names]) => {
    if (names.length > missionNames) return [{ field, message: `There are more than ${missionNames} ${field}.` }]
    const isNamed = names.every((name) => name.length >= 1 && name.length <= most)
    return isNamed
      ? []
      : [{ field, message: `A name among the ${field} is empty or has more than ${most} characters.` }]
  })
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most
}
