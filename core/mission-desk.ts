import { heldAfter, watchCrashes } from './crash-loop.ts'
import { AppError } from './domain/error.ts'
import { limits } from './domain/limits.ts'
import type { Settings } from './domain/settings.ts'
import type { Clock } from './engine-options.ts'
import { createMissionFiles } from './mission-files.ts'
import { createMissionTriggers, type MissionTriggers } from './mission-triggers.ts'
import { createMissions, createTicker, type MissionParts, type Missions, type Ticker } from './missions/missions.ts'
import type { Secrets } from './secrets.ts'

/** Missions of one engine, with what sets them off. */
export interface MissionDesk {
  readonly missions: Missions
  readonly triggers: MissionTriggers
  /** Why they do not fire by themselves though this engine stays open; null where they do, or never do here. */
  readonly held: string | null
  /** Those that ship with the app, for a project that is new. */
  addTo(projectId: string): void
  /** What it settles, and what it sets off. */
  threadEnded(threadId: string): Promise<void>
  /** Counts this start. Whether missions are held: too many starts before it did not come to their end. */
  countStart(): boolean
  /** From now on they fire by themselves, unless they are held. */
  open(): void
  /** They were held: a person lets them fire. */
  release(): void
  /** Something may be due now. */
  poke(): void
  close(): Promise<void>
}

export interface MissionDeskParts extends Omit<MissionParts, 'now' | 'monotonic' | 'beginning'> {
  readonly clock: Clock
  /** Where a mission's file names none. */
  readonly zone: string
  readonly contentDir: string
  readonly readOnly: boolean
  readonly secrets: Secrets
  readonly settings: () => Settings
  readonly randomBytes: (count: number) => Uint8Array
  /** Work that nobody waits for. */
  readonly supervise: (work: Promise<void>) => void
}

export function createMissionDesk(parts: MissionDeskParts): MissionDesk {
  const { clock, store, settings, onFault, contentDir, zone, supervise } = parts
  const beginning = () => (held !== null ? 'asked' : ticker === undefined ? 'ticks' : 'all')
  const missions = createMissions({ ...parts, ...clock, beginning })
  const triggers = createMissionTriggers({ ...parts, ...clock, missions, wanted: () => settings().webhooks })
  const files = createMissionFiles({ contentDir, zone, store, missions })
  if (!parts.readOnly) addToAll()
  let ticker: Ticker | undefined
  let held: string | null = null
  let onEnd: () => void = () => undefined

  function addToAll(): void {
    try {
      for (const { id } of store.projects.list()) files.addTo(id)
    } catch (error) {
      // A store that is damaged in a place is opened all the same; its check says so, with the way to a backup.
      if (!(error instanceof AppError) || error.code !== 'store.corrupt') throw error
    }
  }
  function tick(at: number) {
    triggers.sync()
    return missions.tick(at)
  }
  function start(): void {
    held = null
    ticker ??= createTicker({ ...clock, tick, onFault })
    supervise(triggers.start())
  }

  return {
    missions,
    triggers,
    get held() {
      return held
    },
    addTo: files.addTo,
    async threadEnded(threadId) {
      await missions.threadEnded(threadId)
      ticker?.poke()
    },
    countStart() {
      const { crashes, ended } = watchCrashes(store, { now: clock.now(), withinMs: limits.crashLoopMs })
      onEnd = ended
      const most = settings().missions.holdAfterCrashes
      if (most > 0 && crashes >= most) held = heldAfter(crashes)
      return held !== null
    },
    open() {
      if (held === null) start()
    },
    release() {
      if (held !== null) start()
    },
    poke: () => ticker?.poke(),
    async close() {
      await ticker?.stop()
      await triggers.close()
      await missions.stop()
      onEnd()
    },
  }
}
