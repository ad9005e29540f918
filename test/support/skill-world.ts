import fs from 'node:fs'
import path from 'node:path'
import type { StoredEvent } from '../../core/domain/event.ts'
import { shapeRedactor } from '../../core/domain/leaks/redactor.ts'
import { createEvents, type Events } from '../../core/events/events.ts'
import { createSkillSystem, type SkillFolder, type SkillScan, type SkillSystem } from '../../core/skills/skills.ts'
import { openStore, type Store } from '../../core/store/store.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../core/store/worker.ts')
const hostWithAll = { hasProgram: () => true, hasVariable: () => true, hasFile: () => true }

/** Everything of skills on a real store, without an engine: the clock stands still until it is moved. */
export interface SkillWorld {
  readonly store: Store
  readonly events: Events
  readonly skills: SkillSystem
  now: number
  /** An agent works. */
  isWorking: boolean
  /** A project with this folder; trusted, so that its skills count. */
  project(id: string, folder?: string): void
  /** A thread that ended, with what stands in its record. */
  thread(of: {
    readonly id: string
    readonly projectId?: string
    readonly goal?: string
    /** Its own, if none is given. */
    readonly conversationId?: string
    readonly outcome?: 'answered' | 'failed' | 'stopped'
  }): void
  history(streamId: string): readonly StoredEvent[]
  close(): Promise<void>
}

export function openSkillWorld(
  dataDir: string,
  folders: readonly SkillFolder[] = [],
  from: { readonly now?: number; readonly listed?: SkillScan } = {},
): SkillWorld {
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  const world = { now: from.now ?? 1_000, isWorking: false }
  const now = () => world.now
  const events = createEvents({ store, now, onListenerFault: (error) => fault(error) })
  let isClosed = false
  let ids = store.events.lastSeq() * 1_000
  const nextId = (prefix: string) => {
    ids += 1
    return `${prefix}_${ids}`
  }
  const skills = createSkillSystem({
    ...{ store, events, now, nextId, redactor: shapeRedactor, host: hostWithAll, fixed: undefined },
    folders: (projectId) => (projectId === null ? folders : projectFolder(store, projectId)),
    manifests: () => ({ scan: from.listed ?? { found: [], problems: [] }, unread: [] }),
    resources: () => [],
    actions: () => ['http', 'read_file', 'memory_search'],
    codeFault: async () => null,
    dataDir,
    mayBeAgents: (_projectId, isFirst) => world.isWorking && !isFirst,
    isWatched: false,
    onFault: fault,
  })
  return {
    ...{ store, events, skills },
    get now() {
      return world.now
    },
    set now(at) {
      world.now = at
    },
    get isWorking() {
      return world.isWorking
    },
    set isWorking(is) {
      world.isWorking = is
    },
    project(id, folder = `/projects/${id}`) {
      const project = {
        id,
        folder,
        name: id,
        goals: [],
        dayBudget: { tokens: null, usd: null },
        trusted: true,
        createdAt: 1,
      }
      store.transaction(() => store.projects.insert(project))
    },
    thread({ id, projectId = 'p', goal = 'a goal', conversationId = id, outcome = 'answered' }) {
      const number = store.threads.nextNumber()
      const facts = { conversationId, title: goal, goal, tier: 'allegro', model: null, maxSteps: null } as const
      const own = { parentId: null, rootId: id, depth: 0, budget: { tokens: null, usd: null, ms: null } } as const
      store.transaction(() => {
        store.threads.insert({
          ...facts,
          ...own,
          id,
          number,
          projectId,
          state: 'Created',
          createdAt: now(),
          updatedAt: now(),
        })
        store.threads.move(id, { state: 'Done', outcome, reason: null, at: now(), endedAt: now() })
      })
    },
    history: (streamId) => store.events.ofThread(streamId, 0, 10_000),
    async close() {
      if (isClosed) return
      isClosed = true
      skills.close()
      await store.close()
    },
  }
}

function fault(error: unknown): never {
  throw error
}

function projectFolder(store: Store, projectId: string): readonly SkillFolder[] {
  const folder = store.projects.get(projectId)?.folder
  return folder === undefined
    ? []
    : [
        {
          folder: path.join(folder, '.threadsmith/skills'),
          place: 'the project',
          trust: 'installed',
          plainSource: 'authored',
        },
      ]
}

/** The text of a SKILL.md. */
export function skillText(
  name: string,
  {
    keywords = [name],
    body = `How to ${name}.`,
  }: { readonly keywords?: readonly string[]; readonly body?: string } = {},
): string {
  const lines = [
    '---',
    `name: ${name}`,
    `description: About ${name}.`,
    'metadata:',
    '  threadsmith:',
    '    activation:',
  ]
  return [...lines, `      keywords: ${JSON.stringify(keywords)}`, '---', body, ''].join('\n')
}

/** Writes `<folder>/<name>/SKILL.md`. */
export function writeSkill(folder: string, name: string, text: string): string {
  const file = path.join(folder, name, 'SKILL.md')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  return file
}
