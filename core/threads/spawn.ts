import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Lease } from '../domain/action.ts'
import { AppError } from '../domain/error.ts'
import { type EventData, previewOf } from '../domain/event.ts'
import { type ThreadHeader, type Tier, titleOf } from '../domain/thread.ts'
import type { Append, Events } from '../events/events.ts'
import type { Prompts } from '../orchestrator/orchestrator.ts'
import type { ProjectRow, Store } from '../store/store.ts'
import { applyMove, moveEvent } from './lifecycle.ts'

export interface SpawnParts {
  readonly store: Store
  readonly events: Events
  readonly capabilities: Capabilities
  readonly prompts: Prompts
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
  /** False where the goal was already said in this chat: it is the last message there is. */
  readonly isNewMessage: boolean
}

export interface Spawned {
  readonly thread: ThreadHeader
  /** Of the message, or of the thread's first event where there is no new message. */
  readonly seq: number
}

/** Makes a thread that is Running: its first events, its row and its lease in one transaction. @throws AppError project.not_found */
export function spawnThread(parts: SpawnParts, input: SpawnInput): Spawned {
  const { store, events } = parts
  const project = store.projects.get(input.projectId)
  if (project === undefined) throw noProject(input.projectId)
  return events.commit((append) => appendThread(parts, input, project, append))
}

/** The same inside a transaction that is open. */
export function appendThread(parts: SpawnParts, input: SpawnInput, project: ProjectRow, append: Append): Spawned {
  const thread = insertThread(parts, input)
  const { id, number, projectId, conversationId, title, tier, createdAt } = thread
  const created = append(id, {
    kind: 'thread.created',
    data: { number, projectId, conversationId, title, tier },
    body: { goal: thread.goal },
  })
  const facts = { startedAt: createdAt, projectName: project.name, folder: project.folder }
  append(id, messageEvent('system', parts.prompts.system(facts), 'orientation'))
  const said = input.isNewMessage ? append(id, messageEvent('user', thread.goal)) : created
  grantLease(parts, id, append)
  const move = moveEvent('Created', 'Running')
  append(id, move)
  applyMove(parts.store, { threadId: id, move: move.data, at: createdAt })
  return { thread: { ...thread, state: 'Running' }, seq: said.seq }
}

export function messageEvent(
  role: 'system' | 'user' | 'assistant',
  content: string,
  origin?: 'orientation' | 'final',
): EventData & { kind: 'message.added' } {
  return {
    kind: 'message.added',
    data: { role, preview: previewOf(content), ...(origin && { origin }) },
    body: { content },
  }
}

function insertThread(parts: SpawnParts, input: SpawnInput): ThreadHeader {
  const at = parts.now()
  const id = parts.nextId('thr')
  const thread: ThreadHeader = {
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
    maxSteps: input.maxSteps,
    parentId: null,
    rootId: id,
    depth: 0,
    budget: { tokens: null, usd: null, ms: null },
    usd: 0,
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    createdAt: at,
    updatedAt: at,
    endedAt: null,
  }
  parts.store.threads.insert(thread)
  return thread
}

/** In this step every thread gets all actions there are, until it ends. */
function grantLease(parts: SpawnParts, threadId: string, append: Append): void {
  const lease: Lease = {
    id: parts.nextId('lea'),
    threadId,
    capability: 'all',
    actions: parts.capabilities.actionNames,
    effects: ['ReadLocal', 'Compute', 'WriteLocal'],
    argsHash: null,
    parentLeaseId: null,
    grantedAt: parts.now(),
    expiresAt: null,
    usesLeft: null,
    revokedAt: null,
  }
  parts.store.leases.insert(lease)
  const { id: leaseId, capability, actions, effects, expiresAt, usesLeft } = lease
  append(threadId, { kind: 'lease.granted', data: { leaseId, capability, actions, effects, expiresAt, usesLeft } })
}

function noProject(id: string): AppError {
  return new AppError('project.not_found', {
    message: `no project ${id}`,
    userMessage: 'This chat has no project folder. Choose a folder first; nothing was sent.',
  })
}
