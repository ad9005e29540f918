import { faultPoint } from '../domain/fault-point.ts'
import { limits } from '../domain/limits.ts'
import {
  type Firing,
  type FiringState,
  isByHand,
  type Mission,
  type MissionDefinition,
  type ToldOutcome,
} from '../domain/mission.ts'
import { boundText } from '../domain/text.ts'
import type { Append } from '../events/events.ts'
import { pauseIn, replacedReason } from './claim.ts'
import { cancelQueued, firingEvent, knownOf, saveMission } from './facts.ts'
import { localTime } from './local-time.ts'
import { outcomeOf } from './outcome.ts'
import type { FiringThread, MissionNotice, MissionParts } from './parts.ts'
import { retryAt } from './retry.ts'

/**
 * What became of a firing whose thread has ended, or rests until a person goes on with it: its row, the mission's focus and failures in one transaction. Null where it is
 * none, has not ended, or was settled before.
 */
export function settleThread(parts: MissionParts, threadId: string): Firing | null {
  const firing = parts.store.missions.firingOfThread(threadId)
  // A firing of which nothing was known is known again once its thread was gone on with.
  if (firing === undefined || (firing.state !== 'running' && firing.state !== 'unknown')) return null
  const thread = parts.threads.stateOf(threadId)
  if (thread.kind === 'ended') return settle(parts, firing, { ...verdictOf(firing, thread), thread })
  if (thread.kind !== 'suspended' || firing.state !== 'running') return null
  // It would hold up those after it, for as long as nobody looks.
  return settle(parts, firing, { to: 'unknown', reason: 'its thread waits for you to go on with it', outcome: null })
}

type Ended = Extract<FiringThread, { readonly kind: 'ended' }>

interface Verdict {
  readonly to: Exclude<FiringState, 'queued' | 'running'>
  readonly reason: string | null
  readonly outcome: ToldOutcome | null
}

function verdictOf(firing: Firing, thread: Ended): Verdict {
  const failed = (reason: string): Verdict => ({ to: 'failed', reason, outcome: null })
  switch (thread.outcome) {
    case 'answered': {
      if (thread.steps === 0 || thread.answer === null) return failed('its thread ended without a step')
      const told = outcomeOf(thread.answer)
      if (!told.ok) return failed(told.reason)
      const isLate = firing.startedAt !== null && firing.startedAt - firing.instant > limits.firingGraceMs
      const to = isLate && firing.trigger === 'schedule' ? 'late' : 'ran'
      return { to, reason: firing.reason, outcome: { ...told.outcome, sources: thread.sources } }
    }
    case 'stopped': {
      const reason = firing.reason === replacedReason ? replacedReason : (thread.reason ?? 'stopped by you')
      return { to: 'cancelled', reason, outcome: null }
    }
    case 'denied':
      return { to: 'blocked', reason: thread.reason ?? 'what it asked for was denied', outcome: null }
    case 'interrupted':
      return { to: 'unknown', reason: thread.reason ?? 'its thread was interrupted', outcome: null }
    case 'budget':
      return failed(thread.reason ?? 'its budget was used up')
    case 'maxSteps':
      return failed(thread.reason ?? 'it took all the steps that it may')
    case 'failed':
      return failed(thread.reason ?? 'its thread failed')
  }
}

/** One that could not begin: as any failure, but without a thread. Null where it is not queued any more. */
export function failQueued(parts: MissionParts, firing: Firing, reason: string): Firing | null {
  return settle(parts, firing, { to: 'failed', reason: boundText(reason, limits.errorCharacters), outcome: null })
}

/** `thread`: where it has ended. */
function settle(
  parts: MissionParts,
  firing: Firing,
  { to, reason, outcome, thread }: Verdict & { readonly thread?: Ended },
): Firing | null {
  const { store } = parts
  const at = parts.now()
  const notices: MissionNotice[] = []
  faultPoint('mission.settle.before')
  const settled = parts.events.commit((append): Firing | null => {
    if (!store.missions.endFiring({ id: firing.id, from: firing.state, to, reason, at, outcome })) return null
    const ended: Firing = { ...firing, state: to, reason, endedAt: at }
    const mission = store.missions.get(firing.missionId)
    if (mission === undefined) return ended
    append(mission.id, firingEvent(mission, ended))
    const definition = knownOf(store, mission)?.definition
    // A thread that was gone on with much later says nothing about what the mission is at now.
    const isNewest =
      firing.startedAt === null || mission.lastFiredAt === null || mission.lastFiredAt === firing.startedAt
    if (definition !== undefined && mission.status !== 'removed' && isNewest)
      notices.push(
        ...afterwards(parts, { mission, definition, firing: ended, outcome, thread: thread ?? null }, append),
      )
    faultPoint('mission.settle.staged')
    return ended
  })
  faultPoint('mission.settle.after')
  for (const notice of notices) parts.notify(notice)
  return settled
}

interface Settled {
  readonly mission: Mission
  readonly definition: MissionDefinition
  readonly firing: Firing
  readonly outcome: ToldOutcome | null
  readonly thread: Ended | null
}

/** What its end changes about the mission. Answers what a person should hear. */
function afterwards(parts: MissionParts, of: Settled, append: Append): readonly MissionNotice[] {
  const { mission, firing, outcome } = of
  const facts = { missionId: mission.id, threadId: firing.threadId }
  // Who rehearses it looks on, and says no where it goes wrong: that is no failure of the mission.
  if (firing.state === 'failed') return firing.trigger === 'rehearsal' ? [] : afterFailure(parts, of, append)
  if (firing.state === 'blocked') return afterBlocked(parts, of, append)
  if (firing.state === 'unknown') {
    const why = firing.reason ?? 'its thread was interrupted'
    return [{ ...facts, text: `Whether the mission ${mission.name} finished its work is not known: ${why}.` }]
  }
  if (outcome === null) return []
  const focus = outcome.nextFocus ?? mission.focus
  const next = { ...mission, focus, failures: 0, updatedAt: parts.now() }
  const done = doneReason(of)
  if (done === null) {
    saveMission(parts.store, next, append)
    return []
  }
  cancelQueued(parts.store, mission, 'the mission is done', parts.now(), append)
  parts.store.triggers.removeRetry(mission.id)
  saveMission(parts.store, { ...next, status: 'completed', statusReason: done, nextFireAt: null }, append)
  return [{ ...facts, text: `The mission ${mission.name} is done: ${done}.` }]
}

/** What something else sets off stays ready for it. */
function doneReason({ mission, definition: { cadence }, outcome }: Settled): string | null {
  if (mission.status !== 'active') return null
  if (cadence.kind === 'event' || cadence.kind === 'webhook') return null
  if (outcome?.goalReached === true) return 'its goal is reached'
  return cadence.kind === 'once' && mission.nextFireAt === null ? 'it was to fire once' : null
}

/** At the first of them a person hears of it, and when they are too many. A try that fails again is the same failure. */
function afterFailure(parts: MissionParts, of: Settled, append: Append): readonly MissionNotice[] {
  const { mission, definition, firing, thread } = of
  const failures = mission.failures + (firing.attempt === 0 ? 1 : 0)
  const next = { ...mission, failures, updatedAt: parts.now() }
  const facts = { missionId: mission.id, threadId: firing.threadId }
  const why = firing.reason ?? 'it failed'
  // A person paused it, or it is done: nothing of that changes, and they hear of each.
  if (mission.status !== 'active') return [{ ...facts, text: `The mission ${mission.name} failed: ${why}.` }]
  if (failures >= definition.pauseAfter && firing.attempt === 0) {
    pauseIn(parts, { mission: next, reason: `${failures} firings in a row failed`, at: parts.now() }, append)
    return [{ ...facts, text: `The mission ${mission.name} is paused: ${failures} firings in a row failed (${why}).` }]
  }
  const at = thread === null ? null : retryAt(parts, firing, thread)
  if (at !== null) parts.store.triggers.setRetry({ missionId: mission.id, at, firingId: firing.id })
  saveMission(parts.store, next, append)
  if (failures !== 1 || firing.attempt > 0) return []
  const then = at === null ? '' : ` It had no effect yet, and is tried again at ${timeIn(at, definition.zone)}.`
  return [{ ...facts, text: `The mission ${mission.name} failed: ${why}.${then}` }]
}

/** A person hears of it where it is not the same as before, and the mission rests where nothing changes about it by itself. */
export function afterBlocked(
  parts: MissionParts,
  { mission, firing, passes = false }: Pick<Settled, 'mission' | 'firing'> & { readonly passes?: boolean },
  append: Append,
): readonly MissionNotice[] {
  const facts = { missionId: mission.id, threadId: firing.threadId }
  const why = firing.reason ?? 'something is missing'
  const pauseAfter = knownOf(parts.store, mission)?.definition.pauseAfter ?? limits.missionFailures
  const before = parts.store.missions.newestOutcomes(mission.id, firing.id, pauseAfter)
  const end = before.findIndex(({ state }) => state !== 'blocked')
  const inRow = 1 + (end < 0 ? before.length : end)
  if (inRow >= pauseAfter && !passes && mission.status === 'active' && !isByHand(firing)) {
    const reason = `${inRow} firings in a row could not work: ${why}`
    pauseIn(parts, { mission, reason, at: parts.now() }, append)
    return [{ ...facts, text: `The mission ${mission.name} is paused: ${reason}.` }]
  }
  const [last] = before
  if (last?.state === 'blocked' && last.reason === why) return []
  return [{ ...facts, text: `The mission ${mission.name} could not work: ${why}.` }]
}

function timeIn(at: number, zone: string): string {
  return localTime(at, zone).time
}

/**
 * After a start: what stands as running and is not. A thread that ended is settled; one that nobody goes on with is unknown, so
 * that it never holds up the firings after it. What was claimed and has no thread yet is still queued, and begins as any other.
 */
export function recoverFirings(parts: MissionParts): readonly Firing[] {
  const { store, threads } = parts
  const found = store.missions.running(10_000).flatMap((firing) => {
    const thread = firing.threadId === null ? ({ kind: 'lost' } as const) : threads.stateOf(firing.threadId)
    // Whoever replaced it was killed before it could stop it.
    if (thread.kind === 'running' && firing.reason === replacedReason && firing.threadId !== null)
      threads.stop(firing.threadId, replacedReason)
    if (thread.kind === 'running') return []
    if (thread.kind === 'ended') return [settle(parts, firing, { ...verdictOf(firing, thread), thread })]
    const reason =
      thread.kind === 'lost'
        ? 'Threadsmith ended while it ran, and its thread is not there'
        : 'Threadsmith ended while it ran; its thread waits for you to go on with it'
    return [settle(parts, firing, { to: 'unknown', reason, outcome: null })]
  })
  faultPoint('mission.recover.after')
  return found.filter((firing) => firing !== null)
}
