import { compileGlob } from '../capabilities/capabilities.ts'
import { limits } from '../domain/limits.ts'
import type { Firing, Mission } from '../domain/mission.ts'
import type { Store } from '../store/store.ts'
import { depthAfter } from './causes.ts'
import { type FolderWatch, stampOf, watchFolder } from './file-watch.ts'
import type { MissionNotice } from './parts.ts'
import { filterOf } from './trigger-filter.ts'

export interface FileTriggerParts {
  readonly store: Store
  readonly fire: (trigger: {
    readonly missionId: string
    readonly trigger: 'event'
    readonly payload: string
    readonly dedupeKey: null
    readonly causeDepth: number
  }) => Promise<Firing>
  readonly notify: (notice: MissionNotice) => void
  readonly onFault: (error: unknown) => void
  /** From the first change to when all of that time are told together. */
  readonly gatherMs?: number
}

/** Files that change in the folders of projects, for the missions that wait for that. */
export interface FileTriggers {
  /** What is watched follows what missions there are. To be called when they, or projects, may have changed. */
  sync(): void
  close(): void
}

/** Missions that wait for files. */
const mostListening = 1_000
const usualGatherMs = 2_000

/** What changed in one project since it was told last. */
interface Pending {
  readonly files: Set<string>
  /** Firings that were at work in the project while it changed. */
  readonly causes: Map<string, Firing>
  timer: NodeJS.Timeout | undefined
}

/** The first of them, as many as may come with a firing. */
function payloadOf(files: readonly string[]): string {
  for (let count = files.length; ; count -= 1) {
    const more = files.length - count
    const text = JSON.stringify({ event: 'file-changed', files: files.slice(0, count), ...(more > 0 && { more }) })
    if (count === 0 || Buffer.byteLength(text) <= limits.firingPayloadBytes) return text
  }
}

export function createFileTriggers(parts: FileTriggerParts): FileTriggers {
  const { store, onFault, gatherMs = usualGatherMs } = parts
  const watches = new Map<string, FolderWatch & { readonly stamp: string }>()
  const pending = new Map<string, Pending>()

  const listening = () => store.triggers.listening('file', mostListening).map(({ mission }) => mission)

  function changed(projectId: string, file: string): void {
    const one = pending.get(projectId) ?? { files: new Set(), causes: new Map(), timer: undefined }
    pending.set(projectId, one)
    if (one.files.size < limits.changedFiles) one.files.add(file)
    // Who is at work now may be the cause, and is gone when it is told.
    for (const firing of store.missions.atWorkIn(projectId)) one.causes.set(firing.missionId, firing)
    one.timer ??= setTimeout(() => settle(projectId), gatherMs).unref()
  }
  function settle(projectId: string): void {
    const one = pending.get(projectId)
    pending.delete(projectId)
    if (one === undefined) return
    for (const mission of listening()) {
      if (mission.projectId === projectId) tell(mission, one).catch(onFault)
    }
  }
  async function tell(mission: Mission, { files, causes }: Pending): Promise<void> {
    // What changed while its own thread was at work may be its own doing: it would set itself off for ever.
    if (causes.has(mission.id)) return
    const fitting = filesFor(mission, [...files])
    if (fitting.length === 0) return
    const causeDepth = Math.max(0, ...[...causes.values()].map((firing) => depthAfter(firing)))
    const facts = { missionId: mission.id, trigger: 'event', dedupeKey: null, causeDepth } as const
    await parts.fire({ ...facts, payload: payloadOf(fitting) })
  }
  function filesFor(mission: Mission, files: readonly string[]): readonly string[] {
    const cadence = store.missions.definition(mission.id, mission.version)?.cadence
    if (cadence?.kind !== 'event') return []
    const globs = filterOf(cadence).paths.map(compileGlob)
    return files.filter((file) => globs.some((glob) => glob.matches(file)))
  }
  function watch(projectId: string): void {
    const folder = folderOf(projectId)
    const stamp = stampOf(folder)
    if (stamp === null) return
    const onTooMany = () => {
      const text = `Only the first ${limits.watchedFolders} folders of ${folder} are watched for missions. What changes in the others sets off nothing.`
      const [mission] = listening().filter((each) => each.projectId === projectId)
      if (mission !== undefined) parts.notify({ text, missionId: mission.id, threadId: null })
    }
    const opened = watchFolder(folder, { onChange: (file) => changed(projectId, file), onTooMany, onFault })
    watches.set(projectId, { ...opened, stamp })
  }
  function folderOf(projectId: string): string {
    return store.projects.get(projectId)?.folder ?? ''
  }

  return {
    sync() {
      const wanted = new Set(listening().map(({ projectId }) => projectId))
      for (const [projectId, each] of watches) {
        // Of another folder in the same place the old watch knows nothing.
        if (wanted.has(projectId) && stampOf(folderOf(projectId)) === each.stamp) continue
        each.close()
        watches.delete(projectId)
      }
      for (const projectId of wanted) if (!watches.has(projectId)) watch(projectId)
    },
    close() {
      for (const each of watches.values()) each.close()
      watches.clear()
      for (const { timer } of pending.values()) clearTimeout(timer)
      pending.clear()
    },
  }
}
