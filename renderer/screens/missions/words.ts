import type {
  FiringState,
  FiringTrigger,
  MissionDefinition,
  MissionSource,
  MissionSummary,
} from '../../../core/domain/mission.ts'
import type { ThreadState } from '../../../core/domain/thread.ts'
import type { StatusLook, StatusName } from '../../components/status.tsx'
import { untilText, zonedMoment } from '../../format/dates.ts'
import { counted } from '../../format/figures.ts'

/**
 * How a mission stands. Overdue and failing are said before anything else: nobody would look for them. `isHeld`: after crashes no
 * mission fires before a person lets them.
 */
export function missionLook(
  mission: Pick<MissionSummary, 'status' | 'failures' | 'isOverdue'>,
  isHeld: boolean,
): StatusLook {
  switch (mission.status) {
    case 'proposed':
      return { status: 'waiting', word: 'Proposed' }
    case 'paused':
      return mission.failures > 0
        ? { status: 'failed', word: `Paused after ${counted(mission.failures, 'failure')}` }
        : { status: 'queued', word: 'Paused' }
    case 'completed':
      return { status: 'done', word: 'Goal reached' }
    case 'removed':
      return { status: 'queued', word: 'Removed' }
    case 'active':
      if (isHeld && mission.failures === 0) return { status: 'waiting', word: 'Held' }
      if (mission.isOverdue) return { status: 'failed', word: 'Overdue' }
      return mission.failures > 0
        ? { status: 'failed', word: counted(mission.failures, 'failure') }
        : { status: 'done', word: 'Active' }
  }
}

/** in 24 min, 15:00; listening; paused: what is to come, in a row, by the clocks of the mission's zone. */
export function nextText(mission: MissionSummary, now: number, isHeld: boolean): string {
  if (mission.status === 'proposed') return 'waits for you'
  if (mission.status !== 'active') return missionLook(mission, isHeld).word.toLowerCase()
  if (isHeld && mission.cadenceKind !== 'manual') return 'held'
  if (mission.nextFireAt !== null)
    return mission.isOverdue
      ? 'overdue'
      : `${untilText(mission.nextFireAt, now)}, ${zonedMoment(mission.nextFireAt, now, mission.zone)}`
  switch (mission.cadenceKind) {
    case 'event':
    case 'webhook':
      return 'listening'
    case 'manual':
      return 'by hand only'
    case 'cron':
    case 'every':
    case 'once':
      return 'nothing to come'
  }
}

const firingStatuses: Readonly<Record<FiringState, readonly [StatusName, string]>> = {
  queued: ['queued', 'In line'],
  running: ['running', 'At work'],
  ran: ['done', 'Ran'],
  late: ['done', 'Ran late'],
  coalesced: ['queued', 'Merged'],
  skipped: ['queued', 'Skipped'],
  missed: ['queued', 'Missed'],
  blocked: ['denied', 'Blocked'],
  cancelled: ['queued', 'Cancelled'],
  failed: ['failed', 'Failed'],
  unknown: ['failed', 'Unknown'],
}
/** One at work whose thread waits for an approval goes on when a person has answered. */
export function firingLook(state: FiringState, threadState?: ThreadState): StatusLook {
  if (state === 'running' && threadState === 'Waiting') return { status: 'waiting', word: 'Waits for you' }
  const [status, word] = firingStatuses[state]
  return { status, word }
}

/** To resume is no undo: what waited stays cancelled, and failures are counted from none. */
export function pausedText(name: string, waiting: number): string {
  if (waiting === 0) return `${name} is paused`
  return `${name} is paused; ${counted(waiting, 'firing', 'firings')} that waited ${waiting === 1 ? 'was' : 'were'} cancelled`
}

export const triggerWords: Readonly<Record<FiringTrigger, string>> = {
  schedule: 'by the clock',
  manual: 'by hand',
  rehearsal: 'to rehearse it',
  event: 'by an event',
  webhook: 'by a webhook',
}

export const sourceWords: Readonly<Record<MissionSource, string>> = {
  file: 'ships with Threadsmith',
  person: 'written by you',
  agent: 'proposed by the agent',
}

export function missedText({ missed, catchUp, maxLatenessMs }: MissionDefinition): string {
  const until = maxLatenessMs === null ? '' : `, at most ${durationText(maxLatenessMs)} late`
  switch (missed) {
    case 'skip':
      return 'An instant that nobody was there for is left out'
    case 'once':
      return `One run stands for all that were missed${until}`
    case 'all':
      return `The newest ${catchUp} are caught up${until}`
  }
}

export function overlapText({ overlap }: MissionDefinition): string {
  switch (overlap) {
    case 'skip':
      return 'The new one is skipped'
    case 'queue':
      return 'The new one waits for its turn'
    case 'cancel':
      return 'The old one is cancelled'
  }
}

/** 10 a day, then off after 5 failures in a row. */
export function limitTexts({
  dailyCap,
  cooldownMs,
  dedupeMs,
  pauseAfter,
  budget,
}: MissionDefinition): readonly string[] {
  const each = [
    budget.tokens === null ? '' : `${budget.tokens.toLocaleString('en')} tokens`,
    budget.usd === null ? '' : `$${budget.usd}`,
    budget.steps === null ? '' : counted(budget.steps, 'step'),
    budget.ms === null ? '' : durationText(budget.ms),
  ].filter((text) => text !== '')
  return [
    `At most ${dailyCap} a day`,
    each.length === 0 ? 'Each firing within the budget of any thread' : `Each firing: ${each.join(', ')}`,
    cooldownMs === 0 ? '' : `Rests ${durationText(cooldownMs)} after it fired`,
    dedupeMs === 0 ? '' : `The same trigger within ${durationText(dedupeMs)} is one`,
    `Paused after ${counted(pauseAfter, 'failure')} in a row`,
  ].filter((text) => text !== '')
}

export function skillsText({ skills }: MissionDefinition): string {
  return skills.length === 0 ? 'chosen by goal, none must be there' : skills.join(', ')
}

export function actionsText({ actions }: MissionDefinition): string {
  if (actions === null) return 'what any thread may; whatever needs your approval asks'
  return actions.length === 0 ? 'none' : actions.join(', ')
}

export function successText({ success }: MissionDefinition): string {
  return success ?? 'never: it goes on until you pause it'
}

export function firstFocusText({ focus }: MissionDefinition): string {
  return focus ?? 'finds out where things stand'
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

function durationText(ms: number): string {
  const [name, unit] = units.find(([, size]) => ms >= size && ms % size === 0) ?? ['millisecond', 1]
  return counted(ms / unit, name)
}
