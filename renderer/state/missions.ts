import { limits } from '../../core/domain/limits.ts'
import type { MissionSummary } from '../../core/domain/mission.ts'
import { call } from '../engine/client.ts'
import { nowMs } from '../engine/clock.ts'
import { setApp } from './store.ts'

/** All missions that are not removed, by name, with what they did and are to do around today. */
export async function loadMissions(): Promise<void> {
  const [missions, days] = await Promise.all([readAll(), call('mission.days', shownDays(nowMs()))])
  setApp({ missions, missionDays: Object.fromEntries(days.map((each) => [each.missionId, each])) })
}

async function readAll(): Promise<readonly MissionSummary[]> {
  const all: MissionSummary[] = []
  for (;;) {
    const last = all.at(-1)
    const page = await call('mission.list', last === undefined ? {} : { after: { name: last.name, id: last.id } })
    all.push(...page)
    if (page.length < limits.pageRows) return all
  }
}

/** What the window says of missions wherever it is: the one that fires next, and those that wait for a decision. */
export async function loadMissionNews(): Promise<void> {
  const [nextMission, proposedMissions] = await Promise.all([call('mission.next', {}), call('mission.proposed', {})])
  setApp({ nextMission, proposedMissions })
}

const daysBefore = 4
const daysAfter = 2

/** The local midnights of the days that a strip shows, and the one after the last. */
export function midnightsAround(now: number): readonly number[] {
  const today = new Date(now)
  return Array.from({ length: daysBefore + daysAfter + 2 }, (_each, index) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysBefore + index).getTime(),
  )
}

function shownDays(now: number): { readonly from: number; readonly to: number } {
  const midnights = midnightsAround(now)
  return { from: midnights[0] ?? now, to: midnights.at(-1) ?? now + 1 }
}
