import type { DocsRetrieved, SkillRunMark, StoredEvent } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { ActiveSkill } from '../domain/skill.ts'
import type { Source } from '../domain/source.ts'
import type { ThreadHeader, Tier } from '../domain/thread.ts'
import type { Append } from '../events/events.ts'
import { requireProject } from './lifecycle.ts'
import {
  begin,
  createdEvent,
  grantLeases,
  lendLeases,
  messageEvent,
  newThread,
  type PlannedChild,
  type Spawned,
  type SpawnInput,
  type SpawnParts,
} from './spawn.ts'

/** A skill's run: what its thread is told, and all that it may ever use. */
export interface RunWish {
  readonly mark: SkillRunMark
  /** Those whose functions, hosts and ceiling hold in it. */
  readonly skills: readonly ActiveSkill[]
  /** The objective. */
  readonly goal: string
  readonly tier: Tier
  /** The skill itself says which: that counts more than a model that the thread which waits for it is held to. */
  readonly hasOwnTier: boolean
  readonly maxSteps: number
  /** Names; what there is no lease on is left out. */
  readonly actions: readonly string[]
  /** The whole system message, and what in it is not from a person. */
  readonly system: string
  readonly sources: readonly Source[]
  /** The conversation that it is part of, as it is told; null for none. It stands apart: its sources are not the skill's. */
  readonly conversation: { readonly text: string; readonly sources: readonly Source[] } | null
  readonly docs: DocsRetrieved['docs']
}

export interface RunInput
  extends Pick<SpawnInput, 'projectId' | 'conversationId' | 'model' | 'budget' | 'approvesAll'> {
  readonly wish: RunWish
  readonly retryOf?: string | undefined
}

/** A skill's run that nobody waits for: a thread of its own, Running. @throws AppError project.not_found */
export function spawnRun(parts: SpawnParts, input: RunInput): Spawned {
  const { wish, retryOf, ...wishes } = input
  const { goal, tier, maxSteps } = wish
  const { store } = parts
  requireProject(store, input.projectId)
  return parts.events.commit((append) => {
    const thread = newThread(parts, { ...wishes, goal, tier, maxSteps, isNewMessage: true })
    store.threads.insert(thread)
    const { seq } = appendRunBeginning({ thread, wish, append, retryOf, sources: [] })
    grantLeases(parts, thread.id, append, wish.actions)
    if (input.approvesAll) parts.approvals.grantAll(append, thread)
    faultPoint('thread.inserted')
    return { thread: begin(parts, thread, append), seq }
  })
}

/** A skill's run that a call of another thread waits for: it draws from the same meter, with leases that are never wider. */
export function planRun(
  parts: SpawnParts,
  {
    parent,
    wish,
    sources,
  }: { readonly parent: ThreadHeader; readonly wish: RunWish; readonly sources: readonly Source[] },
): PlannedChild {
  const { store } = parts
  const { projectId, conversationId, budget } = parent
  const { goal, tier, maxSteps } = wish
  const model = wish.hasOwnTier ? null : parent.model
  const wishes = { projectId, conversationId, goal, tier, model, maxSteps, budget, approvesAll: false }
  const child: ThreadHeader = {
    ...newThread(parts, { ...wishes, isNewMessage: true }),
    ...{ parentId: parent.id, rootId: parent.rootId, depth: parent.depth + 1 },
  }
  const insert = (append: Append) => {
    store.threads.insert(child)
    appendRunBeginning({ thread: child, wish, append, sources })
    lendLeases(parts, { parent, child, only: wish.actions }, append)
    begin(parts, child, append)
  }
  return { child, insert }
}

interface RunBeginning {
  readonly thread: ThreadHeader
  readonly wish: RunWish
  readonly append: Append
  readonly retryOf?: string | undefined
  /** What the objective may be made of that is not from a person. */
  readonly sources: readonly Source[]
}

/** Answers the event that holds the objective. */
function appendRunBeginning({ thread, wish, append, retryOf, sources }: RunBeginning): StoredEvent {
  const { id, goal } = thread
  append(id, createdEvent(thread, { run: wish.mark, ...(retryOf && { retryOf }) }))
  append(id, messageEvent('system', wish.system, { origin: 'orientation', sources: wish.sources }))
  const said = append(id, messageEvent('user', goal, { sources }))
  if (wish.conversation !== null) {
    const { text, sources: quoted } = wish.conversation
    append(id, messageEvent('system', text, { origin: 'knowledge', sources: quoted }))
  }
  const data = { step: 0, skills: wish.skills, looked: wish.skills.length, unavailable: [] }
  append(id, { kind: 'skill.selected', data, body: { table: [] } })
  if (wish.docs.length > 0) append(id, { kind: 'docs.retrieved', data: { step: 0, docs: wish.docs } })
  return said
}
