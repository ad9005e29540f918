import { z } from 'zod'
import { type Action, defineAction } from '../capabilities/capabilities.ts'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type {
  Firing,
  Mission,
  MissionDefinition,
  MissionDetail,
  MissionProposal,
  MissionSummary,
} from '../domain/mission.ts'
import type { MissionToSave } from './book.ts'
import type { Trigger } from './claim.ts'
import { missionOf } from './file.ts'
import { missionText } from './file-text.ts'
import type { MissionNotice } from './parts.ts'

/** Of all that there is to do with missions. */
interface MissionsToActOn {
  ofProject(projectId: string, max: number): readonly MissionSummary[]
  idOf(projectId: string, name: string): string
  named(projectId: string, name: string): Pick<MissionDetail, 'text' | 'status'> | null
  save(of: MissionToSave): Mission
  pause(id: string): Mission
  fire(trigger: Trigger): Promise<Firing>
}

export interface MissionActionParts {
  /** Missions are made after the actions (RULES 32). */
  readonly missions: () => MissionsToActOn
  /** Where a proposal names none. */
  readonly zone: string
  /** Threads of missions that led to this one, one by the other. */
  readonly causeDepth: (threadId: string) => number
  readonly notify: (notice: MissionNotice) => void
}

const name = z.string().min(1).max(64)

/** What an agent may do about missions. What it proposes is inert until a person starts it. Source: RULES 42. */
export function createMissionActions(parts: MissionActionParts): readonly Action[] {
  return [listAction(parts), proposeAction(parts), fireAction(parts), pauseAction(parts)]
}

function listAction({ missions }: MissionActionParts): Action {
  return defineAction({
    name: 'mission_list',
    description: 'The missions of this project: when each fires, and how it does.',
    parameters: z.strictObject({}),
    effects: ['ReadLocal'],
    isIdempotent: true,
    summarize: () => '',
    run: (_given, { projectId }) => ({
      missions: missions().ofProject(projectId, limits.missionsTold).map(told),
    }),
  })
}

function told({ name: mission, status, cadence, nextFireAt, streak, failures }: MissionSummary) {
  const next = nextFireAt === null ? null : new Date(nextFireAt).toISOString()
  return { name: mission, status, cadence, next, streak, failures }
}

function proposeAction(parts: MissionActionParts): Action {
  return defineAction({
    name: 'mission_propose',
    description: 'Proposes a mission: a goal to work on again and again. It does nothing until the user starts it.',
    parameters: z.strictObject({
      name: name.describe('weekly-report'),
      goal: z.string().trim().min(1).max(limits.missionGoalCharacters),
      cadence: z.string().max(200).describe('0 9 * * 1-5 | every 90 minutes | at 2027-01-31 09:00 | manual'),
      success: z.string().trim().min(1).max(2_000).exactOptional().describe('How one knows that it is done.'),
      actions: z.array(name).max(50).exactOptional().describe('All that it may use.'),
    }),
    effects: ['WriteLocal'],
    // The same proposal twice is one mission.
    isIdempotent: true,
    summarize: ({ name: mission, cadence }) => `${mission}, ${cadence}`.slice(0, limits.actionSummaryCharacters),
    run({ goal, ...fields }, { projectId, threadId, sources }) {
      const verdict = missionOf(fields, goal, parts.zone)
      if (!verdict.ok) throw invalid(verdict.problems.map(({ message }) => message).join(' '))
      return propose(parts, { projectId, definition: verdict.definition, proposal: { threadId, sources } })
    },
  })
}

interface Proposed {
  readonly projectId: string
  readonly definition: MissionDefinition
  readonly proposal: MissionProposal
}

function propose(parts: MissionActionParts, { projectId, definition, proposal }: Proposed) {
  const missions = parts.missions()
  const { name: mission } = definition
  const known = missions.named(projectId, mission)
  const said = { name: mission, note: 'The user decides whether it is started.' }
  if (known !== null) {
    const isSame = known.text === missionText(definition)
    if (isSame) return { ...said, status: known.status }
    throw invalid(`There is a mission ${mission} already, and only the user changes it. Use another name.`)
  }
  const begins = { status: 'proposed', reason: 'proposed by an agent' } as const
  const { id, status } = missions.save({ projectId, definition, source: 'agent', follows: null, begins, proposal })
  const text = `An agent proposes the mission ${mission}. It does nothing until you start it.`
  parts.notify({ text, missionId: id, threadId: null })
  return { ...said, status }
}

function fireAction({ missions, causeDepth }: MissionActionParts): Action {
  return defineAction({
    name: 'mission_fire',
    description: 'Sets a mission off once, now, in a thread of its own.',
    parameters: z.strictObject({ name }),
    effects: ['WriteLocal'],
    isIdempotent: false,
    summarize: (given) => given.name,
    review: ({ name: mission }) => ({
      ...{ verdict: 'ask', reason: `sets off the mission ${mission}` },
      ...{ scopeKey: `mission ${mission}`, isEachTime: false },
    }),
    async run(given, { projectId, threadId, callKey }) {
      const missionId = missions().idOf(projectId, given.name)
      const { state, reason } = await missions().fire({
        ...{ missionId, trigger: 'event', payload: null, dedupeKey: callKey, causeDepth: causeDepth(threadId) },
      })
      return { name: given.name, state, ...(reason !== null && { reason }) }
    },
  })
}

function pauseAction({ missions }: MissionActionParts): Action {
  return defineAction({
    name: 'mission_pause',
    description: 'Pauses a mission until the user goes on with it.',
    parameters: z.strictObject({ name }),
    effects: ['WriteLocal'],
    isIdempotent: false,
    summarize: (given) => given.name,
    review: ({ name: mission }) => ({
      ...{ verdict: 'ask', reason: `pauses the mission ${mission}` },
      ...{ scopeKey: `mission ${mission}`, isEachTime: false },
    }),
    run(given, { projectId }) {
      const { status } = missions().pause(missions().idOf(projectId, given.name))
      return { name: given.name, status }
    },
  })
}

function invalid(message: string): AppError {
  return new AppError('mission.invalid', { message, userMessage: `${message} Nothing was changed.` })
}
