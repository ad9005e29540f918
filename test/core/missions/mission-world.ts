import path from 'node:path'
import type { ErrorCode } from '../../../core/domain/error.ts'
import type { MissionDefinition } from '../../../core/domain/mission.ts'
import type { Source } from '../../../core/domain/source.ts'
import type { Outcome, ThreadHeader } from '../../../core/domain/thread.ts'
import { createEvents, type Events } from '../../../core/events/events.ts'
import type { KnowledgeDoc } from '../../../core/memory/memory.ts'
import {
  createMissions,
  type FiringOrder,
  type FiringThread,
  type FiringThreads,
  type MissionNotice,
  type Missions,
} from '../../../core/missions/missions.ts'
import { openStore, type Store } from '../../../core/store/store.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../../core/store/worker.ts')

/** Missions on a real store, without an engine: threads are rows that a test ends, the clock stands still until it is moved. */
export interface MissionWorld {
  readonly store: Store
  readonly events: Events
  readonly missions: Missions
  /** Epoch ms, and by how much the monotonic clock lags behind it. */
  now: number
  monotonicAt: number
  atOnce: number
  beginning: 'all' | 'ticks' | 'asked'
  /** What is missing for a mission to work. */
  missing: string | null
  /** The budget that is used up. */
  spent: string | null
  docs: readonly KnowledgeDoc[]
  /** What asking for them throws. */
  docsFault: unknown
  readonly notices: MissionNotice[]
  readonly faults: unknown[]
  /** What was asked of threads, in order. */
  readonly orders: FiringOrder[]
  readonly started: string[]
  readonly stopped: string[]
  /** Both clocks go on. */
  pass(ms: number): void
  end(threadId: string, of?: Ending): Promise<void>
  /** A call of that thread that does more than read. */
  act(threadId: string, isEffect: boolean): void
  /** A thread that a person began, with its end. Answers its id. */
  thread(of?: Partial<PersonThread>): string
  close(): Promise<void>
}

export interface Ending {
  readonly outcome?: Outcome
  readonly reason?: string
  readonly answer?: string
  readonly sources?: readonly Source[]
  readonly isTold?: boolean
}

export interface PersonThread {
  readonly goal: string
  readonly projectId: string
  readonly outcome: Outcome
  readonly parentId: string | null
  /** Why it failed. */
  readonly code: ErrorCode
}

export const answer = (
  of: Partial<{ done: string; nextFocus: string | null; goalReached: boolean; evidence: string[] }> = {},
) =>
  `Done.\n\n\`\`\`json\n${JSON.stringify({ done: 'looked', nextFocus: null, goalReached: false, evidence: [], ...of })}\n\`\`\``

export function definition(of: Partial<MissionDefinition> = {}): MissionDefinition {
  return {
    ...{ name: 'digest', description: 'About it.', goal: 'Read the news.', success: null, focus: null },
    ...{ cadence: { kind: 'cron', expression: '0 * * * *' }, zone: 'UTC', missed: 'once', catchUp: 10 },
    ...{ maxLatenessMs: null, overlap: 'skip', dailyCap: 1_000, cooldownMs: 0, dedupeMs: 0, pauseAfter: 5 },
    ...{ budget: { tokens: null, usd: null, steps: null, ms: null }, tier: 'allegro', skills: [], actions: null },
    ...of,
  }
}

export const utc = (text: string) => Date.parse(`${text}Z`)

export function openMissionWorld(dataDir: string, from = utc('2026-02-03T09:30:00')): MissionWorld {
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  const onFault = (error: unknown) => {
    throw error
  }
  const world: Omit<MissionWorld, 'pass' | 'end' | 'act' | 'thread' | 'close' | 'missions'> & { missions?: Missions } =
    {
      ...{
        store,
        now: from,
        monotonicAt: 0,
        atOnce: 2,
        beginning: 'all',
        missing: null,
        spent: null,
        docs: [],
        docsFault: null,
      },
      ...{ notices: [], faults: [], orders: [], started: [], stopped: [] },
      events: createEvents({ store, now: () => world.now, onListenerFault: onFault }),
    }
  let ids = store.events.lastSeq() * 1_000
  const nextId = (prefix: string) => {
    ids += 1
    return `${prefix}_${ids}`
  }
  const threads: FiringThreads = {
    insert(append, order) {
      const id = nextId('thr')
      store.threads.insert({
        ...headerOf(order, id, store.threads.nextNumber()),
        createdAt: world.now,
        updatedAt: world.now,
      })
      store.threads.move(id, { state: 'Running', outcome: null, reason: null, at: world.now, endedAt: null })
      const preview = order.brief.slice(0, 40)
      append(id, { kind: 'message.added', data: { role: 'user', preview }, body: { content: order.brief } })
      world.orders.push(order)
      return id
    },
    start: (threadId) => void world.started.push(threadId),
    stop: (threadId) => void world.stopped.push(threadId),
    stateOf(threadId): FiringThread {
      const thread = store.threads.get(threadId)
      if (thread === undefined) return { kind: 'lost' }
      if (thread.state === 'Suspended') return { kind: 'suspended' }
      if (thread.outcome === null) return { kind: 'running' }
      const said = store.events.ofThread(threadId, 0, 1_000).findLast(({ kind }) => kind === 'message.added')
      const isAnswer = said?.kind === 'message.added' && said.data.role === 'assistant'
      const facts = { outcome: thread.outcome, reason: thread.reason, steps: isAnswer ? 1 : 0 }
      return {
        ...{ kind: 'ended', ...facts, answer: isAnswer ? said.body.content : null },
        sources: isAnswer ? (said.data.sources ?? []) : [],
      }
    },
  }
  const missions = createMissions({
    ...{ store, events: world.events, nextId, threads },
    onFault: (error) => void world.faults.push(error),
    now: () => world.now,
    monotonic: () => world.monotonicAt,
    atOnce: () => world.atOnce,
    beginning: () => world.beginning,
    async knowledge({ max }) {
      if (world.docsFault !== null) throw world.docsFault
      return world.docs.slice(0, max)
    },
    blocker: () => world.missing,
    spent: () => world.spent,
    revokeGrants: () => undefined,
    notify: (notice) => void world.notices.push(notice),
  })
  if (store.projects.get('p') === undefined) addProject(store)
  return Object.assign(world, {
    missions,
    pass(ms: number) {
      world.now += ms
      world.monotonicAt += ms
    },
    async end(threadId: string, of: Ending = {}) {
      const { outcome = 'answered', reason = null, answer: text = answer(), sources = [], isTold = true } = of
      const state = outcome === 'failed' ? 'Failed' : 'Done'
      world.events.commit((append) => {
        const data = { role: 'assistant', preview: '', ...(sources.length > 0 && { sources }) } as const
        if (outcome === 'answered') append(threadId, { kind: 'message.added', data, body: { content: text } })
        store.threads.move(threadId, { state, outcome, reason, at: world.now, endedAt: world.now })
        append(threadId, { kind: 'thread.state', data: { from: 'Running', to: state, outcome } })
      })
      if (isTold) await missions.threadEnded(threadId)
    },
    act(threadId: string, isEffect: boolean) {
      const policy = { verdict: 'allow', check: null, reason: null, effects: [] } as const
      const call = { step: 1, path: '1', callId: 'c', name: 'write_file', leaseId: null, usesLeft: null, summary: '' }
      const argsHash = isEffect ? 'a'.repeat(64) : null
      world.events.commit((append) => append(threadId, { kind: 'action.started', data: { ...call, policy, argsHash } }))
    },
    thread({
      goal = 'Look.',
      projectId = 'p',
      outcome = 'answered',
      parentId = null,
      code,
    }: Partial<PersonThread> = {}) {
      const id = nextId('thr')
      const rootId = parentId ?? id
      const at = { createdAt: world.now, updatedAt: world.now }
      const state = outcome === 'failed' ? 'Failed' : 'Done'
      world.events.commit((append) => {
        const number = store.threads.nextNumber()
        const facts = { ...plainHeader, id, number, projectId, conversationId: id, title: goal, goal, ...at }
        store.threads.insert({ ...facts, parentId, rootId, depth: parentId === null ? 0 : 1 })
        store.threads.move(id, { state, outcome, reason: null, at: world.now, endedAt: world.now })
        append(id, { kind: 'thread.state', data: { from: 'Running', to: state, outcome, ...(code && { code }) } })
      })
      return id
    },
    async close() {
      await missions.stop()
      world.events.close()
      await store.close()
    },
  })
}

export function addProject(store: Store, id = 'p', folder = `/${id}`): void {
  const facts = { id, folder, name: id, goals: [], dayBudget: { tokens: null, usd: null }, trusted: true }
  store.transaction(() => store.projects.insert({ ...facts, createdAt: 1 }))
}

const plainHeader = {
  state: 'Created',
  tier: 'allegro',
  model: null,
  maxSteps: null,
  budget: { tokens: null, usd: null, ms: null },
} as const

function headerOf({ definition: { name, tier, budget }, brief }: FiringOrder, id: string, number: number) {
  const own: Pick<ThreadHeader, 'parentId' | 'rootId' | 'depth' | 'budget'> = {
    ...{ parentId: null, rootId: id, depth: 0, budget: { tokens: null, usd: null, ms: null } },
  }
  return {
    ...own,
    ...{ id, number, projectId: 'p', conversationId: id, title: name, goal: brief, state: 'Created' as const },
    ...{ tier, model: null, maxSteps: budget.steps },
  } as const
}
