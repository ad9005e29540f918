import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { TraceIssue } from '../../../core/domain/issue.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../core/domain/json.ts'
import { shapeRedactor } from '../../../core/domain/leaks/redactor.ts'
import { defaultSettings, type Settings, settingsSchema } from '../../../core/domain/settings.ts'
import type { Source } from '../../../core/domain/source.ts'
import type { Outcome, ThreadHeader } from '../../../core/domain/thread.ts'
import { createEvents, type Events } from '../../../core/events/events.ts'
import { createImprovement, type Improvement } from '../../../core/learning/learning.ts'
import { createMemory, type Memory } from '../../../core/memory/memory.ts'
import { createLoopVersions } from '../../../core/orchestrator/orchestrator.ts'
import { openStore, type Store } from '../../../core/store/store.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { definition } from '../missions/mission-world.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../../core/store/worker.ts')

interface ThreadOf {
  readonly said?: string
  readonly outcome?: Outcome
  readonly issues?: readonly TraceIssue[]
  /** What it had read. */
  readonly sources?: readonly Source[]
  readonly maxSteps?: number
  readonly projectId?: string
  /** Of a mission with this name. */
  readonly mission?: string
  /** The thread that it is a child of. */
  readonly parentId?: string
  /** How it failed. */
  readonly code?: 'model.connect' | 'orchestrator.failed'
  /** A person said since that it was wrong. */
  readonly isCorrected?: boolean
  /** False: the process died before anybody looked at its end. */
  readonly isLookedAt?: boolean
}

interface EndOf {
  readonly code?: NonNullable<ThreadOf['code']>
  /** A firing says at its end what it did, or it has failed. */
  readonly account?: 'none'
}

/** Learning on a real store, without an engine: threads are rows and events, the clock stands still until it is moved. */
export interface LearnWorld {
  readonly dataDir: string
  readonly store: Store
  readonly events: Events
  readonly memory: Memory
  readonly improvement: Improvement
  now: number
  settings: Settings
  /** A thread that ended. */
  thread(of?: ThreadOf): ThreadHeader
  /** One that works, for a mission. */
  firing(mission?: string): string
  /** With its firing, where it is one. */
  end(threadId: string, outcome?: Outcome, how?: EndOf): void
  /** Runs an action as a call of a thread; the same key is the same call. */
  call(
    name: string,
    args: JsonObject,
    of: { readonly threadId: string; readonly key?: string; readonly sources?: readonly Source[] },
  ): Promise<JsonObject>
  close(): Promise<void>
}

export function openLearnWorld(dataDir = temporaryFolder(), at = 1_000): LearnWorld {
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  const world = { now: at, settings: defaultSettings }
  const now = () => world.now
  const onFault = (error: unknown) => {
    throw error
  }
  const events = createEvents({ store, now, onListenerFault: onFault })
  let ids = store.events.lastSeq() * 1_000
  const nextId = (prefix: string) => {
    ids += 1
    return `${prefix}_${ids}`
  }
  const memory = createMemory({ store, now, nextId, redactor: shapeRedactor, onFault })
  const bundled = { name: 'default.py', code: 'pass' }
  const versions = createLoopVersions({ store, now, bundled, pinned: () => null })
  const settings = {
    get current() {
      return world.settings
    },
    set(patch: object) {
      world.settings = settingsSchema.parse({ ...world.settings, ...patch })
    },
  }
  const skills = { rollBack: () => expect.fail('no skills here'), quarantine: () => expect.fail('no skills here') }
  const improvement = createImprovement({
    ...{ store, events, memory, settings, now, nextId, redactor: shapeRedactor, skills, loops: () => versions },
  })
  for (const id of ['p', 'q']) if (store.projects.get(id) === undefined) addProject(store, id)

  function insert(
    projectId: string,
    {
      said = 'do it',
      maxSteps = null,
      parentId = null,
    }: { said?: string; maxSteps?: number | null; parentId?: string | null },
  ): string {
    const id = nextId('thr')
    const place = { parentId, rootId: parentId ?? id, depth: parentId === null ? 0 : 1 }
    const own = { ...place, budget: { tokens: null, usd: null, ms: null } } as const
    store.threads.insert({
      ...{ ...own, id, number: store.threads.nextNumber(), projectId, conversationId: id, title: said, goal: said },
      ...{ state: 'Created', tier: 'allegro', model: null, maxSteps, createdAt: now(), updatedAt: now() },
    })
    return id
  }

  function addFiring(mission: string, threadId: string): void {
    const projectId = 'p'
    const known = store.missions.byName(projectId, mission)
    const missionId = known?.id ?? nextId('mis')
    if (known === undefined) {
      store.missions.insert({
        ...{
          id: missionId,
          projectId,
          name: mission,
          status: 'active',
          statusReason: null,
          version: 1,
          source: 'file',
        },
        ...{ anchorAt: 0, claimedUntil: 0, nextFireAt: null, focus: null, failures: 0, lastFiredAt: null },
        ...{ createdAt: 0, updatedAt: 0 },
      })
      const facts = { missionId, version: 1, at: 0, source: 'file' } as const
      store.missions.insertVersion({ ...facts, definition: definition({ name: mission }) })
    }
    store.missions.insertFiring({
      ...{ id: nextId('fir'), missionId, instant: store.events.lastSeq() + ids, until: null, version: 1 },
      ...{ trigger: 'event', state: 'running', reason: null, claimedAt: 0, startedAt: 0, startedOn: null },
      ...{ endedAt: null, threadId, causeDepth: 0, dedupeKey: null, attempt: 0, payload: null },
    })
  }

  function end(threadId: string, outcome: Outcome = 'answered', { code, account }: EndOf = {}): void {
    const to = outcome === 'failed' ? 'Failed' : 'Done'
    events.commit((append) => {
      store.threads.move(threadId, { state: to, outcome, reason: null, at: now(), endedAt: now() })
      const moved = append(threadId, {
        kind: 'thread.state',
        data: { from: 'Running', to, outcome, ...(code && { code }) },
      })
      store.calls.index(threadId, [], moved.seq)
      const firing = store.missions.firingOfThread(threadId)
      if (firing?.state !== 'running') return
      const { id, state: from } = firing
      const became = account === 'none' || outcome !== 'answered' ? 'failed' : 'ran'
      store.missions.endFiring({ id, from, to: became, reason: null, at: now(), outcome: null })
    })
  }

  return Object.assign(world, {
    ...{ dataDir, store, events, memory, improvement },
    thread(of: ThreadOf = {}) {
      const { said = 'do it', outcome = 'answered', issues = [], sources = [], projectId = 'p' } = of
      const id = events.commit((append) => {
        const made = insert(projectId, { said, maxSteps: of.maxSteps ?? null, parentId: of.parentId ?? null })
        if (of.mission !== undefined) addFiring(of.mission, made)
        append(made, { kind: 'message.added', data: { role: 'user', preview: said }, body: { content: said } })
        const [source] = sources
        if (source !== undefined) {
          const facts = { step: 0, path: '1', callId: 'c', name: 'http', ok: true, durationMs: 1, summary: '' } as const
          append(made, { kind: 'action.finished', data: { ...facts, source }, body: { result: null } })
        }
        return made
      })
      end(id, outcome, of.code === undefined ? {} : { code: of.code })
      if (issues.length > 0) events.commit((append) => append(id, { kind: 'trace.analysed', data: { issues } }))
      if (of.isCorrected) events.commit((append) => append(id, { kind: 'thread.corrected', data: { wrong: 'it is' } }))
      const thread = store.threads.get(id) ?? expect.fail('the thread is gone')
      if (of.isLookedAt !== false) improvement.ended(thread)
      return thread
    },
    firing(mission = 'self-improvement') {
      return events.commit(() => {
        const id = insert('p', { said: `Mission: ${mission}` })
        addFiring(mission, id)
        store.threads.move(id, { state: 'Running', outcome: null, reason: null, at: now(), endedAt: null })
        return id
      })
    },
    end,
    async call(
      name: string,
      args: JsonObject,
      {
        threadId,
        key = nextId('call'),
        sources = [],
      }: { readonly threadId: string; readonly key?: string; readonly sources?: readonly Source[] },
    ) {
      const action = improvement.actions.find((each) => each.name === name) ?? expect.fail(`no action ${name}`)
      const result: unknown = await action.run(action.parameters.parse(args), {
        ...{ projectId: 'p', folder: '/p', dataDir, threadId, callKey: key, now: world.now, timeZone: 'UTC', sources },
        ...{ signal: new AbortController().signal, resultCharacters: 60_000 },
        memory: { write: () => expect.fail(), read: () => undefined, search: () => expect.fail() },
        trash: { place: () => expect.fail(), record: () => expect.fail() },
        note: () => expect.fail(),
        notify: () => expect.fail(),
      })
      return isJsonObject(result) ? result : expect.fail('no object')
    },
    async close() {
      events.close()
      await memory.close()
      await store.close()
    },
  })
}

/** One that is closed when the test has ended. */
export function learnWorld(): LearnWorld {
  const world = openLearnWorld()
  onTestFinished(() => world.close())
  return world
}

function addProject(store: Store, id: string): void {
  const facts = { folder: `/${id}`, name: id, goals: [], dayBudget: { tokens: null, usd: null }, createdAt: 1 }
  store.transaction(() => {
    store.projects.insert({ id, ...facts })
    store.projects.update({ id, ...facts, trusted: true })
  })
}

/** An issue that learning may be about: a failed action, twice. */
export function issueOf(of: Partial<TraceIssue> = {}): TraceIssue {
  const reason = 'read_file failed 2 times, last: there is no file notes.md'
  return {
    ...{ class: 'tool_error', severity: 'Warning', stepIds: ['1/1', '2/1'], reason, subject: 'read_file' },
    ...{ code: 'action.not_found' },
    ...of,
  }
}

/** Entries of a list in a result. */
export function listIn(result: JsonObject, name: string): readonly JsonObject[] {
  const list: Json = result[name] ?? null
  return Array.isArray(list) ? list.filter(isJsonObject) : expect.fail(`no list ${name}`)
}

export const foreign: Source = { kind: 'web', name: 'example.com' }

/** The bytes of the store as a process that died left them. */
export function copyOf(dataDir: string): string {
  const copy = temporaryFolder()
  fs.cpSync(dataDir, copy, { recursive: true })
  return copy
}
