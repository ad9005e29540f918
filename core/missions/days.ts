import { limits } from '../domain/limits.ts'
import type { Mission, MissionDays } from '../domain/mission.ts'
import type { Store } from '../store/store.ts'
import { knownOf } from './facts.ts'
import { instantOf, localTime } from './local-time.ts'
import type { MissionParts } from './parts.ts'

/** How many days before today and after it. */
export interface DaysAsked {
  readonly before: number
  readonly after: number
}

/** What was and what is to come in the days around today, by the clocks of the mission's zone. Changes nothing. */
export function daysOf(
  { store, now }: Pick<MissionParts, 'store' | 'now'>,
  mission: Mission,
  asked: DaysAsked,
): MissionDays {
  const at = now()
  const zone = knownOf(store, mission)?.definition.zone ?? 'UTC'
  const midnights = midnightsAround(at, zone, asked)
  const from = midnights[0] ?? at
  const to = midnights.at(-1) ?? at
  return {
    ...{ missionId: mission.id, zone, midnights },
    ...firingsOf(store, mission, { from, to }),
    ...plannedOf(store, mission, { from: at, to }),
  }
}

const dayMs = 86_400_000

function midnightsAround(now: number, zone: string, { before, after }: DaysAsked): readonly number[] {
  const today = Date.parse(`${localTime(now, zone).day}T00:00Z`)
  return Array.from({ length: before + after + 2 }, (_each, index) => {
    const day = new Date(today + (index - before) * dayMs).toISOString().slice(0, 10)
    return instantOf(day, '00:00', zone)
  })
}

interface Stretch {
  readonly from: number
  readonly to: number
}

function firingsOf({ missions }: Store, { id }: Mission, { from, to }: Stretch) {
  const most = limits.missionDayRows
  const found = missions.ledger(id, from, to, most + 1)
  const isCut = found.length > most
  const rows = found.slice(0, most)
  return {
    firings: rows.map(({ id: each, instant, until, state, reason, threadId }) => {
      return { id: each, instant, until, state, reason, threadId }
    }),
    firingsFrom: isCut ? (rows.at(-1)?.instant ?? from) : from,
  }
}

function plannedOf(store: Store, mission: Mission, { from, to }: Stretch) {
  const { nextFireAt } = mission
  const timing = nextFireAt === null ? null : (knownOf(store, mission)?.timing ?? null)
  if (nextFireAt === null || timing === null) return { planned: [], plannedUntil: to }
  const known = new Set(store.missions.instantsBetween(mission.id, from, to, 4 * limits.firingRows))
  const planned: number[] = []
  let at: number | null = nextFireAt > from ? nextFireAt : timing.after(from)
  while (at !== null && at < to) {
    if (planned.length === limits.missionDayRows) return { planned, plannedUntil: at }
    if (!known.has(at)) planned.push(at)
    at = timing.after(at)
  }
  return { planned, plannedUntil: to }
}
