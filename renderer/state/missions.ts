import { useEffect } from 'react'
import { limits } from '../../core/domain/limits.ts'
import type { MissionDays, MissionSummary } from '../../core/domain/mission.ts'
import { call } from '../engine/client.ts'
import { gather } from './gather.ts'
import { getApp, type ReadDays, setApp, useApp } from './store.ts'

const delayMs = 100

/** All missions that are not removed, by name. */
export async function loadMissions(): Promise<void> {
  const before = getApp().known.missionSeqs
  const missions = await readAll()
  setApp({ missions })
  // What changed while the pages were read may stand in them as it was.
  const after = getApp().known.missionSeqs
  missionsChanged(Object.keys(after).filter((id) => after[id] !== before[id]))
}

async function readAll(): Promise<readonly MissionSummary[]> {
  const all: MissionSummary[] = []
  for (;;) {
    const last = all.at(-1)
    const page = await call('mission.list', last === undefined ? {} : { after: { name: last.name, id: last.id } })
    all.push(...page)
    if (page.length < limits.missionPageRows) return all
  }
}

const rows = gather(
  async (ids) => {
    const read = await call('mission.list', { ids })
    setApp(({ missions }) => ({ missions: missions && withRows(missions, ids, read) }))
  },
  { max: limits.missionsAsked, delayMs, restMs: 300 },
)

/** Reads these again, a moment later, where their list is known at all. */
export function missionsChanged(ids: Iterable<string>): void {
  if (getApp().missions !== null) rows.want(ids)
}

/** One that was just removed. */
export function forgetMission(id: string): void {
  setApp(({ missions }) => ({ missions: missions && withRows(missions, [id], []) }))
}

/** With the rows of `ids` as they were read; one that was not found is gone. */
export function withRows(
  missions: readonly MissionSummary[],
  ids: readonly string[],
  read: readonly MissionSummary[],
): readonly MissionSummary[] {
  const asked = new Set(ids)
  return [...missions.filter(({ id }) => !asked.has(id)), ...read].sort(byName)
}

/** As the store has them: by code points, not by any language. */
function byName(a: MissionSummary, b: MissionSummary): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** What the window says of missions wherever it is: the one that fires next, and those that wait for a decision. */
export async function loadMissionNews(): Promise<void> {
  const [nextMission, proposedMissions] = await Promise.all([call('mission.next', {}), call('mission.proposed', {})])
  setApp({ nextMission, proposedMissions })
}

const shownDays = { before: 4, after: 2 } as const

const days = gather(
  async (ids) => {
    const { missionSeqs } = getApp().known
    const read = await call('mission.days', { ids, ...shownDays })
    const found = read.map((each) => [each.missionId, { seq: missionSeqs[each.missionId] ?? 0, days: each }] as const)
    setApp(({ missionDays }) => ({ missionDays: { ...missionDays, ...Object.fromEntries(found) } }))
  },
  { max: limits.missionsAsked, delayMs, restMs: 1_000 },
)

/** The days of a mission that is shown: read once it is, and again when an event names it or its day is over. */
export function useMissionDays(id: string, now: number): MissionDays | undefined {
  const read = useApp((state) => state.missionDays[id])
  const seq = useApp((state) => state.known.missionSeqs[id] ?? 0)
  const isNeeded = isOld(read, seq, now)
  useEffect(() => {
    if (!isNeeded) return
    days.want([id])
    return () => days.drop(id)
  }, [id, seq, isNeeded])
  return read?.days
}

/** Whether what was read of a mission's days says nothing of its newest event, or of today. */
export function isOld(read: ReadDays | undefined, seq: number, now: number): boolean {
  return read === undefined || read.seq !== seq || now >= (read.days.midnights[shownDays.before + 1] ?? 0)
}
