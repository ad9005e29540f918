import type { Embedder } from '../../../core/memory/memory.ts'
import { createMemory, type DocToWrite, type MemoryOptions } from '../../../core/memory/memory.ts'
import { folderWith, startEngine } from '../../support/engine.ts'

/** A memory over a real store with two projects. */
export async function startMemory(options: Partial<MemoryOptions> = {}) {
  const engine = await startEngine()
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const other = await engine.api.call('project.open', { folder: folderWith({}) })
  let next = 0
  const seams = {
    store: engine.store,
    now: () => 1_000 + next,
    nextId: (prefix: string) => `${prefix}_${++next}`,
  }
  const memory = createMemory({ ...seams, ...options })
  /** The same store, as another process or the next start opens it. */
  const reopened = (more: Partial<MemoryOptions> = {}) => createMemory({ ...seams, ...options, ...more })
  const write = (title: string, content: string, change: Partial<DocToWrite> = {}) =>
    memory.writeDoc({
      ...{ projectId, type: 'Note', title, content, tags: [], provenance: 'user' },
      ...{ sourceThreadId: null, callKey: null },
      ...change,
    })
  const titles = async (query: string, limit = 10) =>
    (await memory.search(projectId, query, limit)).hits.map((hit) => hit.title)
  return { engine, memory, reopened, write, titles, projectId, otherId: other.id }
}

/** A provider's embedder in small: must be asked, and knows which words mean the same. */
export function meaningEmbedder(meanings: readonly (readonly string[])[]) {
  const asked: string[][] = []
  const state = { fails: false }
  const embedder: Embedder = {
    name: 'server/meaning',
    dimensions: meanings.length,
    isImmediate: false,
    nearFrom: 0.5,
    relevantFrom: 0.7,
    async embed(texts) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (state.fails) throw new Error('the server is away')
      asked.push([...texts])
      return texts.map((text) => unit(meanings.map((words) => (words.some((word) => text.includes(word)) ? 1 : 0))))
    },
  }
  return { embedder, asked, state }
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length))
}
