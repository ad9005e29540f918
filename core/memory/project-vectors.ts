import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { Store } from '../store/store.ts'
import type { EmbeddedAs, Embedder } from './lexical.ts'
import { createVectorIndex, type Near, type VectorIndex } from './vector-index.ts'

/** Rows of one statement: each is about 1 kB, and none may hold the engine up (RULES 27). */
const pageRows = 500
/** Docs embedded between two turns of the event loop. */
const chunkDocs = 32

interface Doc {
  readonly id: string
  readonly version: number
}
interface Project {
  readonly index: VectorIndex
  readonly loaded: Promise<void>
  /** Docs whose newest version has no vector of this embedder yet. */
  readonly missing: Set<string>
  making: { readonly firstChunk: Promise<void>; readonly all: Promise<void> } | undefined
}

export interface ProjectVectors {
  readonly embedder: Pick<Embedder, 'name' | 'nearFrom' | 'relevantFrom'>
  /** The vector to store with a version, where the embedder answers at once. */
  now(title: string, content: string): Float32Array | undefined
  /** After the version is committed: what is held is kept current. Without a vector it is made in a moment. */
  wrote(projectId: string, doc: Doc, vector: Float32Array | undefined): void
  /** The doc is no longer to be found. */
  hid(projectId: string, id: string): void
  /** The signal ends the question, not what is made for all. @throws what the embedder throws. */
  nearest(
    projectId: string,
    query: string,
    search: { readonly max: number; readonly least: number; readonly signal: AbortSignal },
  ): Promise<readonly Near[]>
  /** Waits for what is being made. */
  close(): Promise<void>
}

export interface ProjectVectorsOptions {
  readonly store: Store
  readonly embedder: Embedder
  /** Vectors that could not be made now: they are tried again at the next search. */
  readonly onFault: (error: unknown) => void
}

/** The vectors of each project that was searched, loaded page by page at its first search. */
export function createProjectVectors({ store, embedder, onFault }: ProjectVectorsOptions): ProjectVectors {
  const projects = new Map<string, Project>()
  let isClosed = false

  function open(projectId: string): Project {
    const held = projects.get(projectId)
    if (held !== undefined) return held
    const index = createVectorIndex(embedder.dimensions)
    const missing = new Set<string>()
    const project: Project = { index, missing, making: undefined, loaded: load(projectId, { index, missing }) }
    // Where another process writes, what was loaded is out of date at the next search.
    if (!store.isReadOnly) projects.set(projectId, project)
    // Whoever opened it gets the error; the next one loads anew.
    project.loaded.catch(() => projects.delete(projectId))
    return project
  }

  async function load(projectId: string, { index, missing }: Pick<Project, 'index' | 'missing'>): Promise<void> {
    let after = 0
    for (;;) {
      const rows = store.docSearch.vectors(embedder.name, projectId, after, pageRows)
      for (const { id, version, vector } of rows) {
        if (vector?.byteLength === embedder.dimensions * 4) index.set({ id, version }, floatsOf(vector))
        else missing.add(id)
      }
      const last = rows.at(-1)
      if (rows.length < pageRows || last === undefined) return
      after = last.number
      await nextTurn()
      if (isClosed) return
    }
  }

  /** Waits for the first chunk; the rest is made while nobody waits for it. */
  async function make(project: Project): Promise<void> {
    if (project.making === undefined) {
      const first = Promise.withResolvers<void>()
      const all = makeAll(project, first.resolve)
        .catch(onFault)
        .finally(() => {
          project.making = undefined
          first.resolve()
        })
      project.making = { firstChunk: first.promise, all }
    }
    await project.making.firstChunk
  }

  async function makeAll(project: Project, onChunk: () => void): Promise<void> {
    while (project.missing.size > 0 && !isClosed) {
      await makeChunk(project, [...project.missing].slice(0, chunkDocs))
      onChunk()
      await nextTurn()
    }
  }

  async function makeChunk({ index, missing }: Project, ids: readonly string[]): Promise<void> {
    const docs = ids.flatMap((id) => store.docs.get(id) ?? [])
    const vectors = await embed(
      docs.map(({ title, content }) => embeddedText(title, content)),
      'doc',
    )
    if (isClosed) return
    const made = docs.flatMap((doc, at) => {
      const vector = vectors[at]
      return vector === undefined ? [] : [{ doc, vector }]
    })
    const keep = () => made.filter(({ doc, vector }) => store.docSearch.keepVector(embedder.name, vector, doc))
    // What has a newer version by now stays missing.
    for (const { doc, vector } of store.isReadOnly ? made : store.transaction(keep)) {
      if (missing.delete(doc.id)) index.set(doc, vector)
    }
  }

  async function embed(
    texts: readonly string[],
    as: EmbeddedAs,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const vectors = await embedder.embed(texts, as, signal)
    const isWhole = vectors.length === texts.length && vectors.every((each) => each.length === embedder.dimensions)
    if (isWhole) return vectors
    throw new AppError('model.provider', {
      message: `${embedder.name} answered ${vectors.length} vectors for ${texts.length} texts, or of another length`,
      userMessage: `${embedder.name} does not answer as an embedder should. Notes are found by their words; nothing was lost.`,
    })
  }

  return {
    embedder,
    now(title, content) {
      if (!embedder.isImmediate) return undefined
      const vectors = embedder.embed([embeddedText(title, content)], 'doc')
      return vectors instanceof Promise ? undefined : vectors[0]
    },
    wrote(projectId, doc, vector) {
      const project = projects.get(projectId)
      if (project === undefined) return
      if (vector === undefined) {
        project.index.remove(doc.id)
        project.missing.add(doc.id)
        return
      }
      project.missing.delete(doc.id)
      project.index.set(doc, vector)
    },
    hid(projectId, id) {
      const project = projects.get(projectId)
      project?.missing.delete(id)
      project?.index.remove(id)
    },
    async nearest(projectId, query, { max, least, signal }) {
      const project = open(projectId)
      await project.loaded
      if (project.missing.size > 0) await make(project)
      const [vector] = await embed([query.slice(0, limits.embeddedCharacters)], 'query', signal)
      return vector === undefined ? [] : project.index.nearest(vector, max, least)
    },
    async close() {
      isClosed = true
      await Promise.allSettled([...projects.values()].flatMap(({ loaded, making }) => [loaded, making?.all]))
    },
  }
}

/** The start says what a long text is about, and a write must not wait for the rest. */
function embeddedText(title: string, content: string): string {
  return `${title}\n${content}`.slice(0, limits.embeddedCharacters)
}

/** A copy: SQLite's bytes may lie anywhere, a Float32Array must begin at a multiple of four. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
