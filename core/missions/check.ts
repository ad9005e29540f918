import { limits } from '../domain/limits.ts'
import type { MissionDefinition } from '../domain/mission.ts'
import { cadenceFault, durationWords } from './cadence.ts'

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
    ...cadenceProblems(definition),
    ...counts(definition),
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
    return count >= 1 && count <= most ? [] : [{ field, message: `${what} is a whole number from 1 to ${most}.` }]
  })
}
