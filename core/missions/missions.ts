import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import {
  type Firing,
  isByHand,
  type Mission,
  type MissionDays,
  type MissionDetail,
  type MissionSummary,
  type Rehearsal,
} from '../domain/mission.ts'
import {
  detailOf,
  type MissionToSave,
  pauseByHand,
  pauseMission,
  removeMission,
  resumeMission,
  saveDefinition,
  summaryOf,
} from './book.ts'
import type { Brief } from './brief.ts'
import { type Claim, claimDue, claimTrigger, notNow, rewind, skipNext, type Trigger } from './claim.ts'
import { type DaysAsked, daysOf } from './days.ts'
import { claimDelivery, type Delivered, type Delivery } from './delivery.ts'
import { knownOf, requireMission } from './facts.ts'
import type { MissionParts } from './parts.ts'
import { claimIdle, claimStart } from './presence.ts'
import { rehearsalOf } from './rehearsal.ts'
import { claimRetries } from './retry.ts'
import { recoverFirings, settleThread } from './settle.ts'
import { briefFor, type StartState, startQueued } from './start.ts'
import { claimFromLog, type LogState } from './thread-triggers.ts'

export { createMissionActions } from './actions.ts'
export type { MissionToSave } from './book.ts'
export type { Brief } from './brief.ts'
export { previewCadence } from './cadence.ts'
export { depthAfter, firingBehind } from './causes.ts'
export type { Trigger } from './claim.ts'
export { previewCron } from './cron.ts'
export { type MissionVerdict, parseMission } from './file.ts'
export { createFileTriggers } from './file-triggers.ts'
export type { FiringOrder, FiringThread, FiringThreads, MissionNotice, MissionParts } from './parts.ts'
export { createTicker, type Ticker } from './tick.ts'
export { createWebhooks, type Webhooks } from './webhooks.ts'

export interface TickReport {
  /** What this tick put into the ledger. */
  readonly claimed: readonly Firing[]
  /** What it began, or ended with a reason. */
  readonly begun: readonly Firing[]
  /** Another tick has work to do in so many ms; null where the usual one is soon enough. */
  readonly againInMs: number | null
}

/** Missions: what is due, what became of it, and nothing twice. Source: seed E, Missions; RULES 23, 24. */
export interface Missions {
  /** Claims what is due up to `now` and begins what may run. Twice the same `now` is once. Costs what is due, not what there is. */
  tick(now: number): Promise<TickReport>
  /** Sets one off now. @throws AppError mission.not_found, mission.state, mission.payload */
  fire(trigger: Trigger): Promise<Firing>
  /** A thread has come to its end, or was suspended; any thread may be told. */
  threadEnded(threadId: string): Promise<void>
  /** What a webhook brought, once it is known to be authentic. @throws AppError mission.not_found, mission.state */
  deliver(delivery: Delivery): Delivered
  /** After recovery: those that fire when the app starts. A second call does nothing. */
  appStarted(): Promise<readonly Firing[]>
  /** Once, after the threads were recovered: what stood as running and is not. Answers what it settled. */
  recover(): readonly Firing[]
  /** @throws AppError mission.invalid, mission.not_found */
  save(of: MissionToSave): Mission
  pause(id: string): Mission
  /** `version`: the one that a person has seen; of a proposed one it must be said. @throws AppError mission.not_found, mission.state */
  resume(id: string, version?: number): Mission
  skipNext(id: string): Mission
  remove(id: string): void
  /** By name; a page after the last one of the page before. Changes nothing. */
  list(after?: Pick<Mission, 'name' | 'id'>, max?: number): readonly MissionSummary[]
  /** Those of these that there are, not removed. */
  some(ids: readonly string[]): readonly MissionSummary[]
  /** Those that agents proposed and nobody has decided about, the oldest first. */
  proposed(): readonly MissionSummary[]
  /** The one that fires next by the clock; null where none does. */
  next(): MissionSummary | null
  /** @throws AppError mission.not_found */
  get(id: string): MissionDetail
  /** By name, at most so many. */
  ofProject(projectId: string, max: number): readonly MissionSummary[]
  /** Null where the project has none of this name. */
  named(projectId: string, name: string): MissionDetail | null
  /** @throws AppError mission.not_found where the project has none of this name. */
  idOf(projectId: string, name: string): string
  /** Of those of these that there are, what was and what is to come in the days around today. */
  days(ids: readonly string[], asked: DaysAsked): readonly MissionDays[]
  /** The newest first; instants from `from` to before `to`. */
  firings(of: { readonly id: string; readonly from?: number; readonly to?: number }): readonly Firing[]
  /** What the newest rehearsal used; null where there was none. @throws AppError mission.not_found */
  rehearsal(id: string): Rehearsal | null
  /** What its next firing would be sent. @throws AppError mission.not_found, mission.state */
  preview(id: string): Promise<Brief>
  /** Nothing begins after it. */
  stop(): Promise<void>
}

/** A tick that left work behind is followed by another one: at most five a second. */
const soonMs = 200

export function createMissions(parts: MissionParts): Missions {
  const { store } = parts
  const state: StartState = { lastCatchUpAt: null }
  const log: LogState = { lookedUntil: 0 }
  const startedAt = parts.now()
  let isStarted = false
  /** Of the newest tick: an earlier one comes of a clock that went back. What it was before this process began nobody knows. */
  let clockAt = Number.POSITIVE_INFINITY
  const ending = new AbortController()
  let turn: Promise<unknown> = Promise.resolve()

  /** One after the other: two that begin at once would both find the last free place. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }
  /** What this process was asked for, and has not begun. */
  const asked = new Set<string>()
  function begin(occasion: 'tick' | 'moment') {
    const how = parts.beginning()
    const isAll = how === 'all' || (how === 'ticks' && occasion === 'tick')
    return inTurn(async () => {
      const may = ({ id }: Firing) => isAll || asked.has(id)
      const started = await startQueued(parts, state, { signal: ending.signal, may })
      for (const { id } of started.firings) asked.delete(id)
      return started
    })
  }

  /** Those that were claimed, and whether more is due. */
  function claimAll(now: number): Pick<Claim, 'firings'> & { readonly isMore: boolean } {
    if (now < clockAt) for (const mission of store.missions.ahead(now, rewoundAtOnce)) rewind(parts, mission, now)
    clockAt = now
    const firings: Firing[] = []
    while (firings.length < limits.tickRows) {
      const [mission] = store.missions.due(now, 1)
      if (mission === undefined) return { firings, isMore: false }
      firings.push(...claimOf(mission, now))
    }
    return { firings, isMore: store.missions.due(now, 1).length > 0 }
  }

  /** What threads set off, as far as one tick goes. */
  function claimEvents(): Pick<Claim, 'firings'> & { readonly isMore: boolean } {
    const firings: Firing[] = []
    for (let page = 0; page < pagesAtOnce && firings.length < limits.tickRows; page += 1) {
      const { firings: more, isMore } = claimFromLog(parts, log, notHeard)
      firings.push(...more)
      if (!isMore) return { firings, isMore }
    }
    return { firings, isMore: true }
  }

  const present = (ids: readonly string[]) =>
    ids.flatMap((id) => store.missions.get(id) ?? []).filter(({ status }) => status !== 'removed')

  /** What goes wrong with one mission must not keep all others from firing: it would stand first at every tick. */
  function claimOf(mission: Mission, now: number): readonly Firing[] {
    try {
      return claimDue(parts, mission.id, now).firings
    } catch (error) {
      failed(mission, error, 'its next instant cannot be worked out')
      return []
    }
  }
  function notHeard(mission: Mission, error: unknown): void {
    failed(mission, error, 'what sets it off cannot be worked out')
  }
  function failed(mission: Mission, error: unknown, reason: string): void {
    // The store's own errors are of no mission.
    if (error instanceof AppError && !error.code.startsWith('mission.')) throw error
    parts.onFault(error)
    pauseMission(parts, mission.id, reason)
  }

  /** One summary of what nobody was there for: not one a row. */
  function tellMissed(claimed: readonly Firing[]): void {
    const gone = claimed.filter(({ state: each }) => each === 'missed' || each === 'coalesced')
    const [first] = gone
    if (first === undefined) return
    const missions = new Set(gone.map(({ missionId }) => missionId)).size
    const instants = gone.length === 1 ? 'One instant' : `${gone.length} instants`
    const whose = missions === 1 ? 'a mission' : `${missions} missions`
    parts.notify({
      text: `${instants} of ${whose} passed while Threadsmith was not there.`,
      missionId: first.missionId,
      threadId: null,
    })
  }

  return {
    async tick(now) {
      if (ending.signal.aborted) return { claimed: [], begun: [], againInMs: null }
      const byClock = claimAll(now)
      tellMissed(byClock.firings)
      const byEvents = claimEvents()
      const retries = claimRetries(parts, now)
      const byQuiet = claimIdle(parts, startedAt, notHeard)
      const { firings: begun, againInMs } = await begin('tick')
      const isMore = byClock.isMore || byEvents.isMore
      return {
        claimed: [...byClock.firings, ...byEvents.firings, ...byQuiet, ...retries],
        begun,
        againInMs: isMore ? soonMs : againInMs,
      }
    },
    async fire(trigger) {
      const [firing] = claimTrigger(parts, trigger, parts.now()).firings
      if (firing === undefined) throw new Error('a trigger was claimed without a row')
      if (isByHand(firing) || parts.beginning() === 'ticks') asked.add(firing.id)
      await begin('moment')
      return store.missions.firing(firing.id) ?? firing
    },
    deliver(delivery) {
      const delivered = claimDelivery(parts, delivery, parts.now())
      // Whoever delivered it waits for the claim, not for what comes of it.
      begin('moment').catch(parts.onFault)
      return delivered
    },
    async appStarted() {
      if (isStarted) return []
      isStarted = true
      const firings = claimStart(parts, notHeard)
      await begin('moment')
      return firings
    },
    async threadEnded(threadId) {
      if (settleThread(parts, threadId) !== null) await begin('moment')
    },
    recover: () => recoverFirings(parts),
    save: (of) => saveDefinition(parts, of),
    pause: (id) => pauseByHand(parts, id),
    resume: (id, version) => resumeMission(parts, id, version),
    skipNext: (id) => skipNext(parts, id, parts.now()),
    remove: (id) => removeMission(parts, id),
    list: (after = { name: '', id: '' }, max = limits.pageRows) =>
      store.missions.page(after, max).map((mission) => summaryOf(parts, mission)),
    some: (ids) => present(ids).map((mission) => summaryOf(parts, mission)),
    proposed: () => store.missions.proposals(limits.pageRows).map((mission) => summaryOf(parts, mission)),
    next() {
      const [mission] = store.missions.due(Number.MAX_SAFE_INTEGER, 1)
      return mission === undefined ? null : summaryOf(parts, mission)
    },
    get: (id) => detailOf(parts, requireMission(store, id)),
    idOf: (projectId, name) => requireMission(store, store.missions.byName(projectId, name)?.id ?? name).id,
    ofProject: (projectId, max) => store.missions.ofProject(projectId, max).map((each) => summaryOf(parts, each)),
    named(projectId, name) {
      const mission = store.missions.byName(projectId, name)
      return mission === undefined ? null : detailOf(parts, mission)
    },
    days: (ids, asked) => present(ids).map((each) => daysOf(parts, each, asked)),
    firings: ({ id, from = 0, to = Number.MAX_SAFE_INTEGER }) => store.missions.ledger(id, from, to, limits.pageRows),
    rehearsal: (id) => rehearsalOf(store, requireMission(store, id).id),
    preview(id) {
      const mission = requireMission(store, id)
      const known = knownOf(store, mission)
      if (known === null) throw notNow(mission, 'its definition cannot be read')
      return briefFor(parts, known, null)
    },
    async stop() {
      ending.abort()
      await turn
    },
  }
}

/** Of the log, in one tick. */
const pagesAtOnce = 8
/** Missions of which instants to come are claimed, where the clock went back. */
const rewoundAtOnce = 10_000
