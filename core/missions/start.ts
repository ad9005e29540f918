import { AppError } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { limits } from '../domain/limits.ts'
import { type Firing, isByHand, type Mission } from '../domain/mission.ts'
import { type Brief, briefOf } from './brief.ts'
import { endQueued, firingEvent, type Known, knownOf } from './facts.ts'
import { localTime } from './local-time.ts'
import type { MissionParts } from './parts.ts'
import { afterBlocked, failQueued } from './settle.ts'

/** What the starts of one engine have in common. */
export interface StartState {
  /** By the monotonic clock; null before the first. */
  lastCatchUpAt: number | null
}

export interface Started {
  readonly firings: readonly Firing[]
  /** In so many ms another one may begin that waits for nothing but the time between two; null for none. */
  readonly againInMs: number | null
}

export interface Turn {
  readonly signal: AbortSignal
  /** What else is queued stays so. */
  readonly may: (firing: Firing) => boolean
}

/** More than all missions together ever have: a mission has at most ten. */
const queuedLooked = 1_000

/**
 * Begins what is queued, in the order in which it was claimed: as many at once as may be, one of a mission, and those that are
 * caught up with a pause between them. What may not begin ends with its reason. One call at a time.
 */
export async function startQueued(parts: MissionParts, state: StartState, { signal, may }: Turn): Promise<Started> {
  const { store } = parts
  const firings: Firing[] = []
  let againInMs: number | null = null
  for (const firing of store.missions.queued(queuedLooked)) {
    if (!may(firing)) continue
    if (signal.aborted || store.missions.countRunning() >= parts.atOnce()) break
    if (store.missions.liveOf(firing.missionId).some((live) => live.state === 'running')) continue
    if (isLate(firing, parts.now()) && state.lastCatchUpAt !== null) {
      const leftMs = state.lastCatchUpAt + limits.catchUpStaggerMs - parts.monotonic()
      if (leftMs > 0) {
        againInMs = leftMs
        continue
      }
    }
    const ended = await startGuarded(parts, firing, signal)
    if (ended === null) continue
    if (ended.state === 'running' && isLate(ended, parts.now())) state.lastCatchUpAt = parts.monotonic()
    firings.push(ended)
  }
  return { firings, againInMs }
}

/** It is caught up: nobody was there at its instant. */
function isLate({ trigger, instant, claimedAt, attempt }: Firing, now: number): boolean {
  return attempt === 0 && trigger === 'schedule' && Math.max(now, claimedAt) - instant > limits.firingGraceMs
}

/** What goes wrong with one must not keep all others from beginning: it would stand first at every tick. */
async function startGuarded(parts: MissionParts, firing: Firing, signal: AbortSignal): Promise<Firing | null> {
  try {
    return await startOne(parts, firing, signal)
  } catch (error) {
    // The store's own errors are of no firing.
    if (error instanceof AppError && error.code.startsWith('store.')) throw error
    parts.onFault(error)
    return failQueued(parts, firing, `it could not begin: ${wordsOf(error)}`)
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof AppError) return error.userMessage
  return error instanceof Error ? error.message : String(error)
}

/** The firing as it is then: running, or ended with a reason; null where somebody else had it. */
async function startOne(parts: MissionParts, firing: Firing, signal: AbortSignal): Promise<Firing | null> {
  const { store } = parts
  const mission = store.missions.get(firing.missionId)
  const known = mission === undefined ? null : knownOf(store, mission)
  if (mission === undefined) return null
  if (known === null) return refuse(parts, mission, firing, { to: 'blocked', reason: 'its definition cannot be read' })
  const refusal = refusalOf(parts, known, firing)
  if (refusal !== null) return refuse(parts, mission, firing, refusal)
  const brief = await briefFor(parts, known, firing)
  if (signal.aborted) return null
  faultPoint('mission.start.before')
  const running = parts.events.commit((append): Firing | null => {
    // A person may have paused or changed it meanwhile.
    const current = store.missions.firing(firing.id)
    const now = parts.now()
    if (current?.state !== 'queued') return null
    const order = { ...known, firing: current, brief: brief.text, sources: brief.sources }
    const threadId = parts.threads.insert(append, order)
    const { day } = localTime(now, known.definition.zone)
    const late = isLate(firing, now) ? lateReason(firing, now, known.definition.zone) : null
    const reason = firing.attempt > 0 ? firing.reason : late
    const moved = { reason, version: mission.version, startedAt: now, startedOn: day, threadId }
    store.missions.startFiring(firing.id, moved)
    const latest = store.missions.get(mission.id) ?? mission
    store.missions.update({ ...latest, lastFiredAt: now, updatedAt: now })
    const begun: Firing = { ...current, ...moved, state: 'running' }
    append(mission.id, firingEvent(mission, begun))
    faultPoint('mission.start.staged')
    return begun
  })
  faultPoint('mission.start.after')
  if (running?.threadId != null) parts.threads.start(running.threadId)
  return running
}

/** `due 09:30, began 11:12` */
function lateReason({ instant }: Firing, now: number, zone: string): string {
  const [due, began] = [localTime(instant, zone), localTime(now, zone)]
  return due.day === began.day
    ? `due ${due.time}, began ${began.time}`
    : `due ${due.day} ${due.time}, began ${began.day} ${began.time}`
}

interface Refusal {
  readonly to: 'skipped' | 'missed' | 'blocked'
  readonly reason: string
  /** It is over by itself, so that the mission need not rest. */
  readonly passes?: boolean
}

function refusalOf(
  { store, blocker, spent, now }: MissionParts,
  { mission, definition }: Known,
  firing: Firing,
): Refusal | null {
  const at = now()
  if (at - firing.claimedAt > limits.firingWaitMs)
    return { to: 'missed', reason: 'it waited for its turn for too long' }
  const missing = blocker(definition, mission.projectId)
  if (missing !== null) return { to: 'blocked', reason: missing }
  const usedUp = spent(mission.projectId)
  if (usedUp !== null) return { to: 'blocked', reason: usedUp, passes: true }
  const { day } = localTime(at, definition.zone)
  if (store.missions.countStartedOn(mission.id, day) >= definition.dailyCap)
    return { to: 'skipped', reason: `it may fire ${definition.dailyCap} times a day, and has on ${day}` }
  const sinceMs = mission.lastFiredAt === null ? null : at - mission.lastFiredAt
  const isResting = sinceMs !== null && sinceMs >= 0 && sinceMs < definition.cooldownMs
  if (isResting && !isByHand(firing) && firing.attempt === 0)
    return { to: 'skipped', reason: 'it fired a moment ago, and rests' }
  return null
}

function refuse(parts: MissionParts, mission: Mission, firing: Firing, refusal: Refusal): Firing {
  const { to, reason, passes = false } = refusal
  const at = parts.now()
  const ended: Firing = { ...firing, state: to, reason, endedAt: at }
  const notices = parts.events.commit((append) => {
    endQueued(parts.store, { mission, firing, to, reason, at }, append)
    return to === 'blocked' ? afterBlocked(parts, { mission, firing: ended, passes }, append) : []
  })
  for (const notice of notices) parts.notify(notice)
  return ended
}

/** What a firing of it would be sent now, or is. */
export async function briefFor(
  parts: MissionParts,
  { mission, definition }: Known,
  firing: Pick<Firing, 'id' | 'instant' | 'trigger'> | null,
): Promise<Brief> {
  const { store } = parts
  const question = [definition.goal, mission.focus ?? definition.focus ?? ''].join('\n')
  const docs = await parts.knowledge({ projectId: mission.projectId, question, max: limits.briefDocs })
  return briefOf({
    ...{ definition, focus: mission.focus, docs },
    approaches: store.missions.told(mission.id, Number.MAX_SAFE_INTEGER, 4 * limits.briefApproaches),
    trigger: firing?.trigger ?? 'schedule',
    payload: firing === null ? null : store.missions.payloadOf(firing.id),
    instant: firing?.instant ?? mission.nextFireAt ?? parts.now(),
  })
}
