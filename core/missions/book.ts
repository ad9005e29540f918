import { AppError } from '../domain/error.ts'
import { canonicalJson } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type {
  Mission,
  MissionDefinition,
  MissionDetail,
  MissionProposal,
  MissionSource,
  MissionSummary,
} from '../domain/mission.ts'
import type { Store } from '../store/store.ts'
import { cadenceWords, timingOf } from './cadence.ts'
import { type DefinitionProblem, definitionProblems } from './check.ts'
import { claimIn, notNow, pauseIn } from './claim.ts'
import { firstFree, isOverdue } from './due.ts'
import { cancelQueued, knownOf, missionEvent, requireMission, saveMission } from './facts.ts'
import { missionText } from './file-text.ts'
import type { MissionParts } from './parts.ts'
import { triggerKindOf } from './trigger-filter.ts'

export interface MissionToSave {
  readonly projectId: string
  readonly definition: MissionDefinition
  readonly source: MissionSource
  /** Of the mission that it is the next version of; one of the same name in the project where it is left out. */
  readonly id?: string | undefined
  /** The version that was seen, null for none: another one is not written over. Left out: whatever there is. */
  readonly follows?: number | null | undefined
  /** What a new one is; active where it is left out. A version of an old one leaves it as it is. */
  readonly begins?: { readonly status: 'proposed' | 'paused'; readonly reason: string } | undefined
  /** Where an agent's thread makes it. */
  readonly proposal?: MissionProposal | undefined
}

/**
 * Makes a mission, or its next version. What is due of the version before goes into the ledger first; then everything that
 * followed from it is forgotten: where its intervals are counted from, what comes next, its failures. The same definition again
 * changes nothing. @throws AppError mission.invalid, mission.not_found
 */
export function saveDefinition(
  parts: MissionParts,
  { projectId, definition, source, id, follows, begins, proposal }: MissionToSave,
): Mission {
  const { store } = parts
  const [first, ...others] = definitionProblems(definition)
  if (first !== undefined) throw invalid(definition, [first, ...others])
  return parts.events.commit((append) => {
    const now = parts.now()
    const known = id === undefined ? store.missions.byName(projectId, definition.name) : requireMission(store, id)
    const namesake = store.missions.byName(projectId, definition.name)
    if (namesake !== undefined && namesake.id !== known?.id)
      throw invalid(definition, [{ field: 'name', message: 'There is one of this name.' }])
    if (follows === null && known !== undefined)
      throw invalid(definition, [
        { field: 'name', message: 'There is one of this name: edit that one, or choose another name.' },
      ])
    if (follows != null && known?.version !== follows) throw outdated(definition.name, follows)
    if (known === undefined && begins?.status === 'proposed') assertRoom(store, definition, projectId)
    const next = timingOf(definition, now)
    // What was claimed before the clock went back is not due again.
    const claimedUntil = Math.max(now, known?.claimedUntil ?? now)
    const fresh = { anchorAt: now, claimedUntil, failures: 0, updatedAt: now, source }
    if (known === undefined) {
      const firstAt = next?.after(now) ?? null
      if (definition.cadence.kind === 'once' && firstAt === null)
        throw invalid(definition, [{ field: 'cadence', message: 'Its time is past.' }])
      const { status, reason: statusReason } = begins ?? { status: 'active', reason: null }
      const nextFireAt = status === 'active' ? firstAt : null
      const facts = {
        id: parts.nextId('mis'),
        projectId,
        name: definition.name,
        version: 1,
        nextFireAt,
        createdAt: now,
      }
      const state = { status, statusReason, focus: null, lastFiredAt: null }
      const mission: Mission = { ...fresh, ...facts, ...state }
      store.missions.insert(mission)
      store.missions.insertVersion({ missionId: mission.id, version: 1, at: now, source, definition })
      if (proposal !== undefined) store.missions.insertProposal(mission.id, proposal)
      listen(parts, mission.id, definition)
      append(mission.id, missionEvent(mission))
      return mission
    }
    const before = knownOf(store, known)
    if (before !== null && canonicalJson(before.definition) === canonicalJson(definition)) return known
    const { mission } = claimIn(parts, known, now, append)
    // What was approved for one goal was not approved for another.
    if (before?.definition.goal !== definition.goal) parts.revokeGrants(append, mission.id)
    const version = mission.version + 1
    store.missions.insertVersion({ missionId: mission.id, version, at: now, source, definition })
    store.triggers.removeRetry(mission.id)
    listen(parts, mission.id, definition)
    const nextFireAt =
      mission.status === 'active' && next !== null ? firstFree(next, now, ahead(parts, mission.id, now)) : null
    return saveMission(store, { ...mission, ...fresh, name: definition.name, version, nextFireAt }, append)
  })
}

function assertRoom(store: Store, definition: MissionDefinition, projectId: string): void {
  if (store.missions.countProposed(projectId) < limits.missionsProposed) return
  const message = `There are ${limits.missionsProposed} proposed missions already: start or remove some of them first.`
  throw invalid(definition, [{ field: 'name', message }])
}

/** What happened before it was made, or while it was paused, is none of its business; an edit loses nothing. */
function listen({ store }: MissionParts, missionId: string, { cadence }: MissionDefinition): void {
  const kind = triggerKindOf(cadence)
  if (kind === null) store.triggers.remove(missionId)
  else store.triggers.set(missionId, kind, kind === 'thread' ? store.events.lastSeq() : never)
}

/** Before any moment since which it could have been quiet, or in which a secret could have been made. */
const never = -1

function ahead({ store }: MissionParts, missionId: string, now: number): ReadonlySet<number> {
  return new Set(store.missions.instantsBetween(missionId, now, Number.MAX_SAFE_INTEGER, 4 * limits.firingRows))
}

type Problems = readonly [DefinitionProblem, ...DefinitionProblem[]]

function invalid({ name }: MissionDefinition, problems: Problems): AppError {
  const [{ message }] = problems
  return new AppError('mission.invalid', {
    message: `mission ${name}: ${problems.map((each) => `${each.field}: ${each.message}`).join(' ')}`,
    userMessage: `The mission ${name} was not saved: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    data: { problems: problems.map((each) => ({ ...each })) },
  })
}

/** What waits is cancelled; what runs goes on. What is due is put into the ledger first. @throws AppError mission.not_found, mission.state */
export function pauseByHand(parts: MissionParts, id: string): Mission {
  return parts.events.commit((append) => {
    const mission = requireMission(parts.store, id)
    if (mission.status !== 'active') throw notNow(mission, `it is ${mission.status}`)
    const at = parts.now()
    const claimed = claimIn(parts, mission, at, append).mission
    return pauseIn(parts, { mission: claimed, reason: 'paused by you', at }, append)
  })
}

/** The same for a mission of which not even that can be said. */
export function pauseMission(parts: MissionParts, id: string, reason: string): Mission {
  return parts.events.commit((append) => {
    const mission = requireMission(parts.store, id)
    return pauseIn(parts, { mission, reason, at: parts.now() }, append)
  })
}

/**
 * From now on: what would have been due meanwhile never was. `version`: what a person has seen of it; of a proposed one it must be
 * said, because this is its approval. @throws AppError mission.not_found, mission.state
 */
export function resumeMission(parts: MissionParts, id: string, version?: number): Mission {
  return parts.events.commit((append) => {
    const mission = requireMission(parts.store, id)
    if (mission.status === 'active') throw notNow(mission, 'it is active')
    const isSeen = version === undefined ? mission.status !== 'proposed' : version === mission.version
    if (!isSeen) throw notNow(mission, 'it is not the version that you have seen')
    const known = knownOf(parts.store, mission)
    if (known === null) throw notNow(mission, 'its definition cannot be read')
    const at = parts.now()
    const nextFireAt = known.timing === null ? null : firstFree(known.timing, at, ahead(parts, id, at))
    const claimedUntil = Math.max(at, mission.claimedUntil)
    const state = { status: 'active', statusReason: null, failures: 0 } as const
    if (triggerKindOf(known.definition.cadence) === 'thread') parts.store.triggers.remove(id)
    listen(parts, id, known.definition)
    return saveMission(parts.store, { ...mission, ...state, claimedUntil, nextFireAt, updatedAt: at }, append)
  })
}

/** Its ledger and its versions stay. A thread of it that runs goes on. @throws AppError mission.not_found */
export function removeMission(parts: MissionParts, id: string): void {
  parts.events.commit((append) => {
    const mission = requireMission(parts.store, id)
    const at = parts.now()
    cancelQueued(parts.store, mission, 'the mission was removed', at, append)
    parts.store.triggers.remove(id)
    parts.store.triggers.removeRetry(id)
    parts.revokeGrants(append, id)
    saveMission(
      parts.store,
      { ...mission, status: 'removed', statusReason: null, nextFireAt: null, updatedAt: at },
      append,
    )
  })
}

/** Reads and nothing else: a pointer is only ever moved by a claim. */
export function summaryOf({ store, now }: Pick<MissionParts, 'store' | 'now'>, mission: Mission): MissionSummary {
  const definition = store.missions.definition(mission.id, mission.version)
  const facts = { isOverdue: isOverdue(mission, now()), streak: streakOf(store, mission.id) }
  if (definition === undefined)
    return { ...mission, ...facts, description: '', cadence: 'cannot be read', cadenceKind: 'manual', zone: 'UTC' }
  const { description, cadence, zone } = definition
  return { ...mission, ...facts, description, cadence: cadenceWords(cadence), cadenceKind: cadence.kind, zone }
}

function streakOf(store: Store, missionId: string): number {
  const states = store.missions.newestEnds(missionId, streakLooked)
  const end = states.findIndex((state) => state !== 'ran' && state !== 'late')
  return end < 0 ? states.length : end
}
const streakLooked = 50

/** Everything of it that one screen shows. */
export function detailOf(parts: Pick<MissionParts, 'store' | 'now'>, mission: Mission): MissionDetail {
  const { store } = parts
  const definition = store.missions.definition(mission.id, mission.version) ?? null
  return {
    ...summaryOf(parts, mission),
    ...{ definition, text: definition && missionText(definition) },
    proposal: store.missions.proposal(mission.id),
    versions: store.missions
      .versions(mission.id, limits.pageRows)
      .map(({ version, at, source }) => ({ version, at, source })),
    approaches: store.missions.told(mission.id, Number.MAX_SAFE_INTEGER, 4 * limits.briefApproaches),
  }
}

function outdated(name: string, follows: number): AppError {
  return new AppError('mission.state', {
    message: `mission ${name} is not at version ${follows} any more`,
    userMessage: `The mission ${name} was changed since you began to edit v${follows}. Nothing was saved and nothing is lost: look at what it is now, then save yours again or discard it.`,
  })
}
