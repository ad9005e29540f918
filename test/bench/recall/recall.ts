import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { MemoryHit } from '../../../core/domain/memory.ts'
import { createMemory, type Embedder, type Memory } from '../../../core/memory/memory.ts'
import { openStore, type Store } from '../../../core/store/store.ts'
import { foreignGoals, pairs } from './pairs.ts'

const projectId = 'prj_bench'

/** Of 60 questions, how many have their doc among the first five: by words alone, by vectors alone, and by both. */
export interface Recall {
  readonly questions: number
  readonly words: number
  readonly vectors: number
  readonly fused: number
}

export async function recallAt5(embedder?: Embedder): Promise<Recall> {
  return withMemory(embedder, async (memory) => {
    const ids = pairs.map(([title, content]) => write(memory, title, content))
    const found = { words: 0, vectors: 0, fused: 0 }
    for (const [at, [, , question]] of pairs.entries()) {
      const { hits } = await memory.search(projectId, question, 100)
      const isFound = (list: readonly MemoryHit[]) => (list.slice(0, 5).some((hit) => hit.id === ids[at]) ? 1 : 0)
      found.fused += isFound(hits)
      found.words += isFound(byRank(hits, 'ftsRank'))
      found.vectors += isFound(byRank(hits, 'vectorRank'))
    }
    return { questions: pairs.length, ...found }
  })
}

/** How often prior knowledge has the right doc, how often a wrong one, and for how many goals about other things it has any. */
export interface KnowledgeFigures {
  readonly questions: number
  readonly right: number
  readonly wrong: number
  readonly goals: number
  readonly foreign: number
}

export async function knowledgeFigures(): Promise<KnowledgeFigures> {
  return withMemory(undefined, async (memory) => {
    const ids = pairs.map(([title, content]) => write(memory, title, content))
    let [right, wrong, foreign] = [0, 0, 0]
    for (const [at, [, , question]] of pairs.entries()) {
      const docs = await memory.retrieveDocs(projectId, question)
      if (docs.some(({ id }) => id === ids[at])) right += 1
      if (docs.some(({ id }) => id !== ids[at])) wrong += 1
    }
    for (const goal of foreignGoals) {
      if ((await memory.retrieveDocs(projectId, goal)).length > 0) foreign += 1
    }
    return { questions: pairs.length, right, wrong, goals: foreignGoals.length, foreign }
  })
}

function byRank(hits: readonly MemoryHit[], key: 'ftsRank' | 'vectorRank'): readonly MemoryHit[] {
  return hits.filter((hit) => hit[key] !== null).toSorted((a, b) => (a[key] ?? 0) - (b[key] ?? 0))
}

/** In ms. `first`: the search that loads the vectors. */
export interface SearchTimes {
  readonly docs: number
  readonly writeMs: number
  readonly firstMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** Of the processor, a search: what a shared machine does not change. */
  readonly cpuMs: number
  readonly slowestStatementMs: number
}

/** Searches of eight words over so many docs of about 80 words each, in a real store on disk. */
export async function searchTimes(docs: number, searches = 200): Promise<SearchTimes> {
  return withMemory(undefined, async (memory, store, reopen) => {
    const some = createTexts(createRandom(7))
    const from = performance.now()
    for (let at = 0; at < docs; at += 1) write(memory, `${some(3)} ${at}`, some(80))
    const writeMs = (performance.now() - from) / docs
    const loading = reopen()
    const timed = async () => {
      const query = some(8, commonWords)
      const start = performance.now()
      await loading.search(projectId, query, 10)
      return performance.now() - start
    }
    const firstMs = await timed()
    const times: number[] = []
    const before = process.cpuUsage()
    for (let at = 0; at < searches; at += 1) times.push(await timed())
    const { user, system } = process.cpuUsage(before)
    const cpuMs = (user + system) / 1_000 / searches
    const part = (share: number) =>
      times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN
    const slowestStatementMs = Math.max(...store.statementTimes().map((time) => time.worstMs))
    return { docs, writeMs, firstMs, p50Ms: part(0.5), p95Ms: part(0.95), cpuMs, slowestStatementMs }
  })
}

function write(memory: Memory, title: string, content: string): string {
  const origin = { provenance: 'user', sourceThreadId: null, callKey: null } as const
  return memory.writeDoc({ projectId, type: 'Note', title, content, tags: [], ...origin }).id
}

async function withMemory<Result>(
  embedder: Embedder | undefined,
  work: (memory: Memory, store: Store, reopen: () => Memory) => Promise<Result>,
): Promise<Result> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-recall-'))
  const workerEntry = path.resolve(import.meta.dirname, '../../../core/store/worker.ts')
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  let next = 0
  const open = () =>
    createMemory({ store, now: () => next, nextId: (prefix) => `${prefix}_${++next}`, ...(embedder && { embedder }) })
  const memory = open()
  try {
    store.transaction(() => store.projects.insert({ id: projectId, folder: dataDir, name: 'bench', createdAt: 0 }))
    return await work(memory, store, open)
  } finally {
    await memory.close()
    await store.close()
    fs.rmSync(dataDir, { recursive: true })
  }
}

/** So many of the commonest words are what a search leaves out. */
const commonWords = 60

/** Texts in which words are as common as in a language: the nth has a share of 1 ÷ n, of 20,000. */
function createTexts(random: () => number): (count: number, from?: number) => string {
  const parts = [
    ...new Set(
      pairs
        .flat()
        .join(' ')
        .toLowerCase()
        .match(/\p{L}{3,}/gu) ?? [],
    ),
  ]
  const part = (at: number) => parts[at % parts.length] ?? ''
  const words = Array.from({ length: 20_000 }, (_, at) =>
    at < parts.length ? part(at) : `${part(at * 7)}${part(Math.floor(at / parts.length) * 31)}`,
  )
  return (count, from = 1) =>
    Array.from({ length: count }, () => words[Math.floor(from * (words.length / from) ** random())]).join(' ')
}

/** The same numbers in [0, 1) at each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
