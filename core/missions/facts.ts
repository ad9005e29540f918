import { AppError } from '../domain/error.ts'
import type { EventData } from '../domain/event.ts'
import { type Firing, type FiringState, isLive, type Mission, type MissionDefinition } from '../domain/mission.ts'
import type { Append } from '../events/events.ts'
import type { NewFiring, Store } from '../store/store.ts'
import { type Timing, timingOf } from './cadence.ts'
import { zoneOf } from './local-time.ts'

/** A mission with what it is now, inside a transaction. */
export interface Known {
  readonly mission: Mission
  readonly definition: MissionDefinition
  /** Null for what does not fire by the clock. */
  readonly timing: Timing | null
}

/** Null where the definition cannot be read, or its cadence not understood, by this version. */
export function knownOf(store: Store, mission: Mission): Known | null {
  const definition = store.missions.definition(mission.id, mission.version)
  if (definition === undefined || zoneOf(definition.zone) === null) return null
  try {
    return { mission, definition, timing: timingOf(definition, mission.anchorAt) }
  } catch {
    // A zone that this system does not know any more: the mission says so, all others go on.
    return null
  }
}

/** @throws AppError mission.not_found */
export function requireMission(store: Store, id: string): Mission {
  const mission = store.missions.get(id)
  if (mission !== undefined && mission.status !== 'removed') return mission
  throw new AppError('mission.not_found', {
    message: `there is no mission ${id}`,
    userMessage: 'That mission is not there any more. Nothing was changed.',
  })
}

/** The row and the fact together. */
export function saveMission(store: Store, mission: Mission, append: Append): Mission {
  store.missions.update(mission)
  append(mission.id, missionEvent(mission))
  return mission
}

export function missionEvent(mission: Mission): EventData {
  const { id: missionId, name, status, statusReason: reason, version, nextFireAt } = mission
  return { kind: 'mission.changed', data: { missionId, name, status, reason, version, nextFireAt } }
}

export function firingEvent(mission: Pick<Mission, 'name'>, firing: Firing): EventData {
  const { id: firingId, missionId, instant, state, reason, threadId } = firing
  return {
    kind: 'firing.changed',
    data: { missionId, firingId, name: mission.name, instant, state, reason, threadId },
  }
}

/** Ends a firing that has not begun. */
export function endQueued(
  store: Store,
  {
    mission,
    firing,
    to,
    reason,
    at,
  }: {
    readonly mission: Mission
    readonly firing: Firing
    readonly to: Exclude<FiringState, 'queued' | 'running'>
    readonly reason: string
    readonly at: number
  },
  append: Append,
): void {
  if (!store.missions.endFiring({ id: firing.id, from: 'queued', to, reason, at, outcome: null })) return
  append(mission.id, firingEvent(mission, { ...firing, state: to, reason }))
}

/** What waits of a mission that fires no more. */
export function cancelQueued(store: Store, mission: Mission, reason: string, at: number, append: Append): void {
  for (const firing of store.missions.liveOf(mission.id)) {
    if (firing.state === 'queued') endQueued(store, { mission, firing, to: 'cancelled', reason, at }, append)
  }
}

export function newFiring(
  mission: Mission,
  of: Pick<NewFiring, 'id' | 'instant' | 'state' | 'reason' | 'claimedAt'> & Partial<NewFiring>,
): NewFiring {
  return {
    ...{ missionId: mission.id, version: mission.version, until: null, trigger: 'schedule', startedAt: null },
    ...{ startedOn: null, threadId: null, causeDepth: 0, dedupeKey: null, attempt: 0, payload: null },
    endedAt: isLive(of.state) ? null : of.claimedAt,
    ...of,
  }
}
