import type { Settings } from './domain/settings.ts'
import {
  createFileTriggers,
  createWebhooks,
  type MissionNotice,
  type Missions,
  type Webhooks,
} from './missions/missions.ts'
import type { Secrets } from './secrets.ts'
import type { Store } from './store/store.ts'

/** What sets off missions from outside, while an engine stays open. */
export interface MissionTriggers {
  readonly webhooks: Webhooks
  /** Those that wait for the start of the app fire, and the door for webhooks opens where a person wants it. */
  start(): Promise<void>
  /** What is watched follows what missions there are; costs next to nothing where that is the same. */
  sync(): void
  /** The settings may have changed. */
  settingsChanged(): Promise<void>
  close(): Promise<void>
}

export function createMissionTriggers(parts: {
  readonly store: Store
  readonly missions: Missions
  readonly secrets: Secrets
  readonly randomBytes: (count: number) => Uint8Array
  readonly now: () => number
  readonly monotonic: () => number
  readonly wanted: () => Settings['webhooks']
  readonly notify: (notice: MissionNotice) => void
  readonly onFault: (error: unknown) => void
}): MissionTriggers {
  const { missions, wanted } = parts
  const webhooks = createWebhooks({ ...parts, deliver: (delivery) => missions.deliver(delivery) })
  const files = createFileTriggers({ ...parts, fire: (trigger) => missions.fire(trigger) })
  let isOpen = false
  return {
    webhooks,
    sync: () => (isOpen ? files.sync() : undefined),
    async start() {
      isOpen = true
      files.sync()
      await missions.appStarted()
      await webhooks.apply(wanted())
    },
    async settingsChanged() {
      if (isOpen) await webhooks.apply(wanted())
    },
    async close() {
      isOpen = false
      files.close()
      await webhooks.close()
    },
  }
}
