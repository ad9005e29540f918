import { AppError } from '../domain/error.ts'
import type { FiringClaimed } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { limits } from '../domain/limits.ts'
import { type Firing, type FiringTrigger, isByHand, type Mission, type MissionDefinition } from '../domain/mission.ts'
import type { Append } from '../events/events.ts'
import type { NewFiring } from '../store/store.ts'
import { dueOf, firstFree } from './due.ts'
import {
  cancelQueued,
  endQueued,
  firingEvent,
  type Known,
  knownOf,
  newFiring,
  requireMission,
  saveMission,
} from './facts.ts'
import type { MissionParts } from './parts.ts'

/** What a claim put into the ledger. */
export interface Claim {
  readonly firings: readonly Firing[]
  /** Threads that a later firing ends. */
  readonly stop: readonly string[]
}

/** By this reason its end is known as that of a firing that another one replaced. */
export const replacedReason = 'a later firing took its place'

/**
 * Puts every instant that is due into the ledger and moves the pointer, in one transaction: a crash between the two would fire it
 * twice, or never.
 */
export function claimDue(parts: MissionParts, missionId: string, now: number): Claim {
  faultPoint('mission.claim.before')
  const claim = parts.events.commit((append) => {
    const mission = parts.store.missions.get(missionId)
    const claimed = mission === undefined ? noClaim : claimIn(parts, mission, now, append).claim
    faultPoint('mission.claim.staged')
    return claimed
  })
  faultPoint('mission.claim.after')
  for (const threadId of claim.stop) parts.threads.stop(threadId, replacedReason)
  return claim
}

export const noClaim: Claim = { firings: [], stop: [] }

/** The same inside a transaction that is open. Answers the mission as it is then. */
export function claimIn(
  parts: MissionParts,
  mission: Mission,
  now: number,
  append: Append,
): { readonly mission: Mission; readonly claim: Claim } {
  const { store } = parts
  if (mission.nextFireAt === null || mission.nextFireAt > now) return { mission, claim: noClaim }
  const known = knownOf(store, mission)
  if (known?.timing == null) return { mission: unreadable(parts, mission, now, append), claim: noClaim }
  const { definition, timing } = known
  // The clock went back behind what is claimed: of that, what is on time runs, and nothing is told a second time.
  const isBehind = mission.claimedUntil > now
  const claimedUntil = isBehind ? earliestOf(mission, now - limits.firingGraceMs - 1) : mission.claimedUntil
  const plan = dueOf({ definition, timing, claimedUntil, now, known: instantsOf(parts, mission, claimedUntil) })
  const instants = isBehind ? plan.instants.filter(({ state }) => state === 'queued') : plan.instants
  const moved = {
    ...mission,
    claimedUntil: Math.max(mission.claimedUntil, plan.claimedUntil),
    nextFireAt: plan.nextFireAt,
    updatedAt: now,
  }
  const stop: string[] = []
  const firings: NewFiring[] = []
  // What is caught up runs one after the other: to each the one before would be an overlap.
  const isCatchUp = instants.filter(({ state }) => state === 'queued').length > 1
  if (isCatchUp) store.triggers.removeRetry(mission.id)
  for (const due of instants) {
    const verdict =
      due.state === 'queued' && !isCatchUp
        ? overlapOf(parts, { known, now, append, stop })
        : { state: due.state, reason: due.reason }
    const { instant, until } = due
    const firing = newFiring(mission, { id: parts.nextId('fir'), instant, until, claimedAt: now, ...verdict })
    if (store.missions.insertFiring(firing)) firings.push(firing)
  }
  store.missions.update(moved)
  const [first, last] = [firings[0], firings.at(-1)]
  if (first !== undefined && last !== undefined) append(mission.id, claimedEvent(moved, firings, [first, last]))
  return { mission: moved, claim: { firings, stop } }
}

/** It would stand as due at every tick, and all others behind it. */
function unreadable({ store }: MissionParts, mission: Mission, now: number, append: Append): Mission {
  const statusReason = 'its definition cannot be read by this version of Threadsmith'
  return saveMission(store, { ...mission, status: 'paused', statusReason, nextFireAt: null, updatedAt: now }, append)
}

function claimedEvent(mission: Mission, firings: readonly Firing[], [first, last]: readonly [Firing, Firing]) {
  const counts: Record<string, number> = {}
  for (const { state } of firings) counts[state] = (counts[state] ?? 0) + 1
  const { id: missionId, name, nextFireAt } = mission
  const data: FiringClaimed = {
    missionId,
    name,
    counts,
    from: first.instant,
    until: last.until ?? last.instant,
    nextFireAt,
  }
  return { kind: 'firing.claimed', data } as const
}

/** After `since`: what a person skipped, and what was claimed before the clock went back, among them. */
function instantsOf({ store }: MissionParts, { id }: Mission, since: number): ReadonlySet<number> {
  return new Set(store.missions.instantsBetween(id, since, Number.MAX_SAFE_INTEGER, 4 * limits.firingRows))
}

interface Overlap {
  readonly known: Known
  readonly now: number
  readonly append: Append
  /** Gets the threads that are to end. */
  readonly stop: string[]
}

/** What becomes of a firing where another one of the mission has not ended. What was to be tried again is not: this one is. */
function overlapOf(
  { store }: MissionParts,
  { known: { mission, definition }, now, append, stop }: Overlap,
): { readonly state: 'queued' | 'skipped'; readonly reason: string | null } {
  store.triggers.removeRetry(mission.id)
  const live = store.missions.liveOf(mission.id)
  if (live.length === 0) return { state: 'queued', reason: null }
  switch (definition.overlap) {
    case 'skip':
      return { state: 'skipped', reason: 'overlap: the firing before has not ended' }
    case 'queue':
      // One at work, or next at work, and one behind it.
      return live.length > 1
        ? { state: 'skipped', reason: 'overlap: another firing waits already' }
        : { state: 'queued', reason: 'overlap: it waits for the firing before' }
    case 'cancel':
      for (const firing of live) {
        if (firing.state === 'queued')
          endQueued(store, { mission, firing, to: 'cancelled', reason: replacedReason, at: now }, append)
        else store.missions.noteReason(firing.id, replacedReason)
        if (firing.threadId !== null) stop.push(firing.threadId)
      }
      return { state: 'queued', reason: null }
  }
}

/** No instant up to then is one of it: before it was made, or this version was, there is none, whatever a clock says. */
function earliestOf({ createdAt, anchorAt }: Mission, at: number): number {
  return Math.max(at, createdAt, anchorAt)
}

/**
 * The clock went back behind what is claimed: the next instant is one that is to come by it. How far was claimed stays, and what is
 * in the ledger does: once the clock is right again nothing of the time between was missed.
 */
export function rewind(parts: MissionParts, mission: Mission, now: number): void {
  parts.events.commit((append) => {
    const known = knownOf(parts.store, mission)
    if (known?.timing == null) return unreadable(parts, mission, now, append)
    // What is on time now is still to come.
    const from = earliestOf(mission, now - limits.firingGraceMs - 1)
    const nextFireAt = firstFree(known.timing, from, instantsOf(parts, mission, from))
    if (nextFireAt === mission.nextFireAt) return mission
    return saveMission(parts.store, { ...mission, nextFireAt, updatedAt: now }, append)
  })
}

export interface Trigger {
  readonly missionId: string
  readonly trigger: Exclude<FiringTrigger, 'schedule'>
  /** JSON of what happened; null for nothing. */
  readonly payload: string | null
  /** The same happening has the same key; null where each is one of its own. */
  readonly dedupeKey: string | null
  /** Threads of missions that led to it, one by the other. */
  readonly causeDepth: number
}

/** A firing that something else than the clock sets off. @throws AppError mission.not_found, mission.state, mission.payload */
export function claimTrigger(parts: MissionParts, trigger: Trigger, now: number): Claim {
  faultPoint('mission.claim.before')
  const claim = parts.events.commit((append) => {
    const claimed = claimTriggerIn(parts, trigger, now, append)
    faultPoint('mission.claim.staged')
    return claimed
  })
  return carryOut(parts, claim)
}

/** What a claim asks of threads, once it is committed. */
export function carryOut(parts: MissionParts, claim: Claim): Claim {
  faultPoint('mission.claim.after')
  for (const threadId of claim.stop) parts.threads.stop(threadId, replacedReason)
  return claim
}

/** The same inside a transaction that is open. */
export function claimTriggerIn(parts: MissionParts, trigger: Trigger, now: number, append: Append): Claim {
  const { payload } = trigger
  if (payload !== null && Buffer.byteLength(payload) > limits.firingPayloadBytes) throw tooLarge()
  const mission = requireMission(parts.store, trigger.missionId)
  const known = knownOf(parts.store, mission)
  if (known === null) throw notNow(mission, 'its definition cannot be read')
  if (!isByHand(trigger) && mission.status !== 'active') throw notNow(mission, `it is ${mission.status}`)
  if (mission.status === 'proposed') throw notNow(mission, 'it is proposed, and nobody has started it')
  const stop: string[] = []
  const refusal = refusalOf(parts, { trigger, definition: known.definition, now })
  const verdict =
    refusal === null ? overlapOf(parts, { known, now, append, stop }) : ({ state: 'skipped', reason: refusal } as const)
  const firing = insertAt(parts, { mission, trigger, now, ...verdict })
  append(mission.id, firingEvent(mission, firing))
  return { firings: [firing], stop }
}

interface Weighed {
  readonly trigger: Trigger
  readonly definition: MissionDefinition
  readonly now: number
}

function refusalOf({ store }: MissionParts, { trigger, definition, now }: Weighed): string | null {
  if (trigger.causeDepth >= limits.causeDepth) return `a chain of ${trigger.causeDepth} missions led to it`
  const { missionId, dedupeKey, payload } = trigger
  if (definition.dedupeMs === 0) return null
  const since = now - definition.dedupeMs
  const isSame =
    (dedupeKey !== null && store.missions.sameKey(missionId, dedupeKey, since) !== undefined) ||
    (payload !== null && store.missions.hasPayload(missionId, payload, since))
  return isSame ? 'it is the same as one a moment ago' : null
}

/**
 * Two of them in one millisecond are two instants, and none is that of the clock's own next firing. A duplicate does not prolong the
 * time in which there can be none; what a webhook delivered stays known, whatever became of it.
 */
function insertAt(parts: MissionParts, of: Verdict & { readonly mission: Mission; readonly trigger: Trigger }): Firing {
  const { mission, trigger, now, state, reason } = of
  const isForgotten = state !== 'queued' && trigger.trigger !== 'webhook'
  return insertFree(parts, mission, {
    ...{ state, reason, trigger: trigger.trigger, payload: trigger.payload, causeDepth: trigger.causeDepth },
    ...{ dedupeKey: isForgotten ? null : trigger.dedupeKey, claimedAt: now },
  })
}

interface Verdict {
  readonly now: number
  readonly state: 'queued' | 'skipped'
  readonly reason: string | null
}

/** At the first free instant from its claim on. */
export function insertFree(
  { store, nextId }: Pick<MissionParts, 'store' | 'nextId'>,
  mission: Mission,
  facts: Omit<Parameters<typeof newFiring>[1], 'id' | 'instant'>,
): Firing {
  for (let instant = facts.claimedAt; ; instant += 1) {
    if (instant === mission.nextFireAt) continue
    const firing = newFiring(mission, { id: nextId('fir'), instant, ...facts })
    if (store.missions.insertFiring(firing)) return firing
  }
}

/** The next instant is left out, and stands in the ledger as such. @throws AppError mission.not_found, mission.state */
export function skipNext(parts: MissionParts, missionId: string, now: number): Mission {
  return parts.events.commit((append) => {
    const { mission } = claimIn(parts, requireMission(parts.store, missionId), now, append)
    const known = knownOf(parts.store, mission)
    if (mission.nextFireAt === null || known?.timing == null) throw notNow(mission, 'no firing is to come')
    const facts = { instant: mission.nextFireAt, state: 'skipped', reason: 'skipped by you' } as const
    const firing = newFiring(mission, { id: parts.nextId('fir'), claimedAt: now, ...facts })
    parts.store.missions.insertFiring(firing)
    append(mission.id, firingEvent(mission, firing))
    const nextFireAt = firstFree(known.timing, now, instantsOf(parts, mission, now))
    return saveMission(parts.store, { ...mission, nextFireAt, updatedAt: now }, append)
  })
}

export function pauseIn(
  parts: MissionParts,
  { mission, reason, at }: { readonly mission: Mission; readonly reason: string; readonly at: number },
  append: Append,
): Mission {
  cancelQueued(parts.store, mission, 'the mission was paused', at, append)
  parts.store.triggers.removeRetry(mission.id)
  const paused = { ...mission, status: 'paused', statusReason: reason, nextFireAt: null, updatedAt: at } as const
  return saveMission(parts.store, paused, append)
}

export function notNow(mission: Mission, why: string): AppError {
  return new AppError('mission.state', {
    message: `mission ${mission.name}: ${why}`,
    userMessage: `That cannot be done with the mission ${mission.name} now: ${why}. Nothing was changed.`,
  })
}

function tooLarge(): AppError {
  return new AppError('mission.payload', {
    message: `a trigger brought more than ${limits.firingPayloadBytes} bytes`,
    userMessage: `What came with it is larger than ${limits.firingPayloadBytes / 1_024} KiB, so the mission did not fire.`,
  })
}
