import { learningActions } from '../capabilities/capabilities.ts'
import type { MissionMark } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { Source } from '../domain/source.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Append } from '../events/events.ts'
import type { Store } from '../store/store.ts'
import { requireProject } from './lifecycle.ts'
import {
  appendBeginning,
  begin,
  grantLeases,
  messageEvent,
  newThread,
  type SpawnInput,
  type SpawnParts,
} from './spawn.ts'

/** A thread that a mission's firing asks for: nobody sits in front of it. */
export interface FiringWish extends Pick<SpawnInput, 'projectId' | 'tier' | 'maxSteps' | 'budget'> {
  readonly mark: MissionMark
  /** Its goal. */
  readonly brief: string
  /** What of the brief was not from a person. */
  readonly sources: readonly Source[]
  /** All that it may ever use; null for what any thread may. */
  readonly actions: readonly string[] | null
  /** Then it may use all that any thread may as well: what it needs is to be found out. */
  readonly isRehearsal: boolean
}

/** Makes it inside a transaction that is open: Running, but nothing runs it yet. Answers its id. @throws AppError project.not_found */
export function insertFiringThread(parts: SpawnParts, wish: FiringWish, append: Append): string {
  const { mark, brief: goal, sources, actions, isRehearsal, ...wishes } = wish
  const project = requireProject(parts.store, wish.projectId)
  const thread: ThreadHeader = {
    ...newThread(parts, { ...wishes, goal, model: null, approvesAll: false, isNewMessage: true }),
    title: mark.name,
    missionId: mark.missionId,
  }
  parts.store.threads.insert(thread)
  appendBeginning(parts, { thread, project, append, mission: mark })
  append(thread.id, messageEvent('user', goal, { sources }))
  if (isRehearsal) grantWide(parts, thread.id, append, actions ?? [])
  else grantLeases(parts, thread.id, append, actions ?? undefined)
  faultPoint('thread.inserted')
  begin(parts, thread, append)
  return thread.id
}

/** All that any thread may use, and what is of learning alone where it is named. */
function grantWide(parts: SpawnParts, threadId: string, append: Append, named: readonly string[]): void {
  grantLeases(parts, threadId, append)
  const ofLearning = parts.groups.find(({ name }) => name === learningActions)?.actions ?? []
  const own = named.filter((name) => ofLearning.includes(name))
  if (own.length > 0) grantLeases(parts, threadId, append, own)
}

/** Of which mission a thread is a firing; undefined for any other thread. */
function missionMarkOf(store: Store, threadId: string): MissionMark | undefined {
  const [created] = store.events.ofThread(threadId, 0, 1)
  return created?.kind === 'thread.created' ? created.data.mission : undefined
}

/** What a person said when they began a thread: of a firing, what its mission is for, and nothing else of the brief. */
export function saidAtBeginning(store: Store, thread: ThreadHeader): readonly string[] {
  const mark = missionMarkOf(store, thread.id)
  if (mark === undefined) return [thread.goal]
  const definition = store.missions.definition(mark.missionId, mark.version)
  if (definition === undefined) return []
  return [definition.goal, ...(definition.success === null ? [] : [definition.success])]
}
