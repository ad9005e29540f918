import {
  type Approvals,
  type Capability,
  learningActions,
  leasesForChild,
  selfModification,
} from '../capabilities/capabilities.ts'
import { canonicalActionName, effectTypes, type Lease } from '../domain/action.ts'
import { type EventData, type MissionMark, previewOf, type StoredEvent, type ThreadCreated } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import { profileText } from '../domain/profile.ts'
import type { Settings } from '../domain/settings.ts'
import type { Source } from '../domain/source.ts'
import { type ThreadHeader, type Tier, titleOf } from '../domain/thread.ts'
import type { Append, Events } from '../events/events.ts'
import type { Prompts } from '../orchestrator/orchestrator.ts'
import type { ProjectRow, Store } from '../store/store.ts'
import { applyMove, moveEvent, requireProject } from './lifecycle.ts'

export interface SpawnParts {
  readonly store: Store
  readonly events: Events
  /** What there is to lease. */
  readonly groups: readonly Capability[]
  readonly approvals: Pick<Approvals, 'grantAll'>
  readonly prompts: Prompts
  /** What a person says may hold a key: the model reads, and the record holds, its mark. */
  readonly redactor: Redactor
  /** What the system message says of skills. */
  readonly catalogue: (projectId: string) => string
  /** What it says of earlier threads. */
  readonly learnt: (projectId: string) => string
  readonly settings: () => Settings
  readonly now: () => number
  readonly nextId: (prefix: string) => string
}

export interface SpawnInput {
  readonly projectId: string
  /** The chat that it goes on with; a new one begins without. */
  readonly conversationId?: string | undefined
  readonly goal: string
  readonly tier: Tier
  readonly model: string | null
  readonly maxSteps: number | null
  /** Of the thread with all its children; null where the settings say. */
  readonly budget: ThreadHeader['budget'] | null
  /** Every ordinary action of this thread runs without asking. */
  readonly approvesAll: boolean
  /** False where the goal was already said in this chat: it is the last message there is. */
  readonly isNewMessage: boolean
  /** A thread of the same chat that a model's failure ended: this one goes on with its record. */
  readonly retryOf?: string | undefined
}

export interface Spawned {
  readonly thread: ThreadHeader
  /** Of the message, or of the thread's first event where there is no new message. */
  readonly seq: number
}

/** Makes a thread that is Running: its first events, its row and its lease in one transaction. @throws AppError project.not_found */
export function spawnThread(parts: SpawnParts, input: SpawnInput): Spawned {
  const { store, events } = parts
  const project = requireProject(store, input.projectId)
  // Skills may have to be read from disk first, which no transaction waits for.
  parts.catalogue(input.projectId)
  return events.commit((append) => appendThread(parts, input, project, append))
}

/** The same inside a transaction that is open. */
export function appendThread(parts: SpawnParts, input: SpawnInput, project: ProjectRow, append: Append): Spawned {
  const thread = newThread(parts, input)
  parts.store.threads.insert(thread)
  const created = appendBeginning(parts, { thread, project, append, retryOf: input.retryOf })
  const said = input.isNewMessage ? append(thread.id, messageEvent('user', thread.goal)) : created
  grantLeases(parts, thread.id, append)
  if (input.approvesAll) parts.approvals.grantAll(append, thread)
  faultPoint('thread.inserted')
  return { thread: begin(parts, thread, append), seq: said.seq }
}

interface ChildWishes {
  readonly parent: ThreadHeader
  readonly goal: string
  readonly maxSteps: number
  /** What its parent had read that was not from a person: the goal may be made of it. */
  readonly sources: readonly Source[]
}

/** Made, but not yet on disk. */
export interface PlannedChild {
  readonly child: ThreadHeader
  readonly insert: (append: Append) => void
}

/** A thread that another one's code asks for: it draws from the same meter, with leases that are never wider. */
export function planChild(parts: SpawnParts, { parent, goal, maxSteps, sources }: ChildWishes): PlannedChild {
  const { store } = parts
  const { projectId, conversationId, model } = parent
  const wishes = { projectId, conversationId, goal, tier: tierBelow(parent.tier), model, maxSteps }
  const child: ThreadHeader = {
    ...newThread(parts, { ...wishes, budget: parent.budget, approvesAll: false, isNewMessage: true }),
    ...{ parentId: parent.id, rootId: parent.rootId, depth: parent.depth + 1 },
  }
  const insert = (append: Append) => {
    const project = requireProject(store, projectId)
    store.threads.insert(child)
    appendBeginning(parts, { thread: child, project, append })
    append(child.id, messageEvent('user', goal, { sources }))
    lendLeases(parts, { parent, child }, append)
    begin(parts, child, append)
  }
  return { child, insert }
}

interface Lending {
  readonly parent: ThreadHeader
  readonly child: ThreadHeader
  /** Names of actions; without it all that the parent has. */
  readonly only?: readonly string[]
}

export function lendLeases(parts: SpawnParts, { parent, child, only }: Lending, append: Append): void {
  const nextId = () => parts.nextId('lea')
  const held = parts.store.leases
    .ofThread(parent.id)
    .map((lease) => ({ ...lease, actions: among(lease.actions, only) }))
  const lent = held.filter(({ actions }) => actions.length > 0)
  for (const lease of leasesForChild(lent, { threadId: child.id, now: parts.now(), nextId })) {
    appendLease(parts, lease, append)
  }
}

function among(actions: readonly string[], only: readonly string[] | undefined): readonly string[] {
  if (only === undefined) return actions
  const wanted = new Set(only.map(canonicalActionName))
  return actions.filter((name) => wanted.has(canonicalActionName(name)))
}

/** Depth > 0 uses the tier below (RULES 3). */
function tierBelow(tier: Tier): Tier {
  return tier === 'forte' ? 'allegro' : 'minuet'
}

interface Beginning {
  readonly thread: ThreadHeader
  readonly project: ProjectRow
  readonly append: Append
  readonly retryOf?: string | undefined
  readonly mission?: MissionMark
}

export function appendBeginning(parts: SpawnParts, beginning: Beginning): StoredEvent {
  const { thread, project, append, retryOf, mission } = beginning
  const { id, projectId, depth, createdAt } = thread
  const created = append(id, createdEvent(thread, { ...(retryOf && { retryOf }), ...(mission && { mission }) }))
  const { runsCode, profile } = parts.settings()
  const { name: projectName, folder, goals } = project
  const about = { projectName, folder, goals, profile: profileText(profile) }
  const told = { catalogue: parts.catalogue(projectId), learnt: parts.learnt(projectId) }
  const facts = { startedAt: createdAt, ...about, runsCode, depth, ...told }
  append(id, messageEvent('system', parts.prompts.system(facts), { origin: 'orientation' }))
  return created
}

export function createdEvent(
  { number, projectId, conversationId, title, tier, parentId, depth, goal }: ThreadHeader,
  more: Pick<ThreadCreated, 'run' | 'retryOf' | 'mission'>,
): EventData {
  const child = parentId === null ? {} : { parentId, depth }
  const data = { number, projectId, conversationId, title, tier, ...child, ...more }
  return { kind: 'thread.created', data, body: { goal } }
}

/** Created to Running, with the row. */
export function begin(parts: SpawnParts, thread: ThreadHeader, append: Append): ThreadHeader {
  const move = moveEvent('Created', 'Running')
  append(thread.id, move)
  applyMove(parts.store, { threadId: thread.id, move: move.data, at: thread.createdAt })
  return { ...thread, state: 'Running' }
}

export function messageEvent(
  role: 'system' | 'user' | 'assistant',
  content: string,
  more: { readonly origin?: 'orientation' | 'knowledge' | 'final'; readonly sources?: readonly Source[] } = {},
): EventData & { kind: 'message.added' } {
  const { origin, sources = [] } = more
  return {
    kind: 'message.added',
    data: { role, preview: previewOf(content), ...(origin && { origin }), ...(sources.length > 0 && { sources }) },
    body: { content },
  }
}

/** Not in the store yet. */
export function newThread(parts: SpawnParts, input: SpawnInput): ThreadHeader {
  const at = parts.now()
  const id = parts.nextId('thr')
  const usual = parts.settings().budgets.thread
  return {
    id,
    number: parts.store.threads.nextNumber(),
    projectId: input.projectId,
    conversationId: input.conversationId ?? id,
    title: titleOf(input.goal),
    goal: input.goal,
    state: 'Created',
    outcome: null,
    reason: null,
    tier: input.tier,
    model: input.model,
    maxSteps: input.maxSteps ?? usual.steps,
    parentId: null,
    rootId: id,
    depth: 0,
    missionId: null,
    budget: input.budget ?? { tokens: usual.tokens, usd: usual.usd, ms: usual.ms },
    usd: 0,
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    createdAt: at,
    updatedAt: at,
    endedAt: null,
  }
}

/** What a person's thread may touch, by capability; what asks, asks all the same. What is of learning alone must be named. */
export function grantLeases(parts: SpawnParts, threadId: string, append: Append, only?: readonly string[]): void {
  const { selfModify } = parts.settings().orchestrator
  for (const { name, actions: all } of parts.groups) {
    const actions = among(all, only)
    if (actions.length === 0 || (name === selfModification && !selfModify)) continue
    if (name === learningActions && only === undefined) continue
    const grantedAt = parts.now()
    const scope = { id: parts.nextId('lea'), threadId, capability: name, actions, effects: effectTypes }
    const bounds = { grantedAt, expiresAt: grantedAt + limits.leaseMs, usesLeft: null, revokedAt: null }
    appendLease(parts, { ...scope, ...bounds, argsHash: null, parentLeaseId: null }, append)
  }
}

function appendLease({ store }: SpawnParts, lease: Lease, append: Append): void {
  store.leases.insert(lease)
  const { id: leaseId, capability, actions, effects, expiresAt, usesLeft, parentLeaseId } = lease
  const parent = parentLeaseId === null ? {} : { parentLeaseId }
  append(lease.threadId, {
    kind: 'lease.granted',
    data: { leaseId, capability, actions, effects, expiresAt, usesLeft, ...parent },
  })
}
