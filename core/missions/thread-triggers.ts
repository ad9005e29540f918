import { type ErrorCode, isModelFailure } from '../domain/error.ts'
import type { EventHeader } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { limits } from '../domain/limits.ts'
import type { Firing, Mission } from '../domain/mission.ts'
import type { MissionEvent } from '../domain/mission-event.ts'
import { boundText } from '../domain/text.ts'
import { isTerminal, type Outcome, type ThreadHeader } from '../domain/thread.ts'
import type { Append } from '../events/events.ts'
import { depthAfter, firingBehind } from './causes.ts'
import { type Claim, carryOut, claimTriggerIn, insertFree, noClaim } from './claim.ts'
import { firingEvent } from './facts.ts'
import type { MissionParts } from './parts.ts'
import { type EventCadence, filterOf, goalPattern } from './trigger-filter.ts'

/** What the looks at the log of one engine have in common. */
export interface LogState {
  /** Nothing that could set anything off stands between what the missions have heard and this event. */
  lookedUntil: number
}

export interface LogClaim {
  readonly firings: readonly Firing[]
  /** The log goes on after what was looked at. */
  readonly isMore: boolean
}

/** Numbers of the log that one look reads, and after how many without anything of interest that is written down. */
const pageSeqs = 1_024
const quietSeqs = 8_192
/** Missions that listen to threads. */
const mostListening = 100_000

/**
 * Looks at the next page of the log for what sets off missions. How far a mission has heard moves in the transaction of its claims: a
 * crash in between neither loses an event nor hears it twice. `onFault`: what was wrong with one mission, which is then paused.
 */
export function claimFromLog(
  parts: MissionParts,
  state: LogState,
  onFault: (mission: Mission, error: unknown) => void,
): LogClaim {
  const { store } = parts
  const heard = store.triggers.lowest('thread')
  if (heard === null) return { firings: [], isMore: false }
  const last = store.events.lastSeq()
  const from = Math.max(heard, state.lookedUntil)
  if (from >= last) return { firings: [], isMore: false }
  const until = Math.min(from + pageSeqs, last)
  const happened = store.events.turnsBetween(from, until, pageSeqs).flatMap((event) => occurrenceOf(parts, event) ?? [])
  const firings = happened.length === 0 ? [] : claimAll(parts, { happened, until, onFault })
  state.lookedUntil = until
  if (happened.length > 0 || until - heard > quietSeqs) store.transaction(() => store.triggers.moveAll('thread', until))
  return { firings, isMore: until < last }
}

/** Something about a thread that a mission can listen to. */
interface Occurrence {
  readonly seq: number
  readonly names: readonly MissionEvent[]
  readonly thread: ThreadHeader
  readonly outcome: Outcome | null
  /** The firing that the thread works for. */
  readonly firing: Firing | undefined
}

/** Of threads that stand for themselves: what became of a child is told by its parent. */
function occurrenceOf({ store }: MissionParts, event: EventHeader): Occurrence | undefined {
  const thread = store.threads.get(event.threadId)
  if (thread === undefined || thread.parentId !== null) return undefined
  const names = namesOf(event, thread)
  if (names.length === 0) return undefined
  return { seq: event.seq, names, thread, outcome: thread.outcome, firing: firingBehind(store, thread.id) }
}

function namesOf(event: EventHeader, { outcome }: ThreadHeader): readonly MissionEvent[] {
  if (event.kind === 'trace.analysed') {
    const isWrong = event.data.issues.some(({ severity }) => severity !== 'Info')
    return isWrong && outcome !== 'stopped' && outcome !== 'interrupted' ? ['thread-issues'] : []
  }
  if (event.kind !== 'thread.state') return []
  if (event.data.to === 'Waiting') return ['thread-waiting']
  if (!isTerminal(event.data.to)) return []
  if (outcome === 'answered') return ['thread-done', 'thread-ended']
  const isFailed = outcome === 'failed' || outcome === 'budget' || outcome === 'maxSteps'
  return isFailed ? ['thread-failed', 'thread-ended'] : ['thread-ended']
}

interface Page {
  readonly happened: readonly Occurrence[]
  readonly until: number
  readonly onFault: (mission: Mission, error: unknown) => void
}

function claimAll(parts: MissionParts, page: Page): readonly Firing[] {
  return parts.store.triggers.listening('thread', mostListening).flatMap(({ mission, heard }) => {
    try {
      const fitting = fittingOf(
        parts,
        mission,
        page.happened.filter(({ seq }) => seq > heard),
      )
      return fitting.length === 0 ? [] : claimFor(parts, mission.id, fitting, page.until).firings
    } catch (error) {
      page.onFault(mission, error)
      return []
    }
  })
}

/** What of it this mission asked for. Its own threads do not set it off. */
function fittingOf({ store }: MissionParts, mission: Mission, happened: readonly Occurrence[]): readonly Occurrence[] {
  const cadence = eventCadenceOf(store, mission)
  if (cadence === null) return []
  const { projects, threads, outcomes, goal } = filterOf(cadence)
  const pattern = goal === null ? null : goalPattern(goal)
  if (goal !== null && pattern === null) throw new Error(`${mission.name}: ${goal} is no pattern`)
  return happened.filter(({ names, thread, outcome, firing }) => {
    if (!names.includes(cadence.on) || firing?.missionId === mission.id) return false
    if (projects === 'own' && thread.projectId !== mission.projectId) return false
    if (threads !== 'all' && (threads === 'missions') !== (firing !== undefined)) return false
    if (outcomes !== null && (outcome === null || !outcomes.includes(outcome))) return false
    if (cadence.on === 'thread-issues' && wasModelAway(store, thread)) return false
    return pattern === null || pattern.matcher(thread.goal).find()
  })
}

function eventCadenceOf(store: MissionParts['store'], mission: Mission): EventCadence | null {
  const cadence = store.missions.definition(mission.id, mission.version)?.cadence
  return cadence?.kind === 'event' ? cadence : null
}

/** An outage says nothing about how the work is done. */
function wasModelAway({ events }: MissionParts['store'], { id, outcome }: ThreadHeader): boolean {
  if (outcome !== 'failed') return false
  const code: ErrorCode | undefined = events.lastState(id)?.code
  return code !== undefined && isModelFailure(code)
}

/** All of one mission and how far it has heard, in one transaction. */
function claimFor(parts: MissionParts, missionId: string, fitting: readonly Occurrence[], until: number): Claim {
  const { store } = parts
  faultPoint('mission.claim.before')
  const claim = parts.events.commit((append): Claim => {
    const mission = store.missions.get(missionId)
    const row = store.triggers.get(missionId)
    const cadence = mission === undefined ? null : eventCadenceOf(store, mission)
    if (mission?.status !== 'active' || row === undefined || cadence === null) return noClaim
    const { each } = filterOf(cadence)
    const due = fitting.filter((_one, at) => (row.counted + at + 1) % each === 0)
    const claims = due
      .slice(0, limits.triggerRows)
      .map((one) => claimTriggerIn(parts, triggerOf(mission, one, cadence), parts.now(), append))
    const rest = due.slice(limits.triggerRows)
    const together = rest.length === 0 ? [] : [coalesce(parts, mission, rest.length, append)]
    store.triggers.move(missionId, until, (row.counted + fitting.length) % each)
    faultPoint('mission.claim.staged')
    return {
      firings: [...claims.flatMap(({ firings }) => firings), ...together],
      stop: claims.flatMap(({ stop }) => stop),
    }
  })
  return carryOut(parts, claim)
}

function coalesce(parts: MissionParts, mission: Mission, count: number, append: Append): Firing {
  const reason = `${count} more of the same came at once`
  const facts = { state: 'coalesced', reason, trigger: 'event', claimedAt: parts.now() } as const
  const firing = insertFree(parts, mission, facts)
  append(mission.id, firingEvent(mission, firing))
  return firing
}

function triggerOf(mission: Mission, { seq, thread, outcome, firing }: Occurrence, { on, only }: EventCadence) {
  // What a mission's thread was told may hold anybody's text; what a person asked for is theirs.
  const said = firing === undefined ? { title: thread.title, goal: boundText(thread.goal, goalCharacters) } : {}
  const facts = { event: on, threadId: thread.id, number: thread.number, outcome, steps: thread.steps, ...said }
  const payload = JSON.stringify({ ...facts, ...(only?.each !== undefined && { each: only.each }) })
  const causeDepth = depthAfter(firing)
  return { missionId: mission.id, trigger: 'event', payload, dedupeKey: `event:${seq}`, causeDepth } as const
}

const goalCharacters = 500
