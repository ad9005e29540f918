import { setTimeout as sleep } from 'node:timers/promises'
import { type Redactor, shapeRedactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import { type DocHeader, type DocVersionHeader, docTypes, type MemoryDoc, type MemoryFound } from '../domain/memory.ts'
import type { DocFilter, Store } from '../store/store.ts'
import { createDocVectors, type EmbedderChoice } from './doc-vectors.ts'
import { createDocWriter, type DocToEdit, type DocToWrite, requireDoc } from './docs.ts'
import { type KnowledgeDoc, selectKnowledge } from './knowledge.ts'
import { type Embedder, lexical } from './lexical.ts'
import { createSearch } from './search.ts'

export type { EmbedderChoice } from './doc-vectors.ts'
export type { DocToEdit, DocToWrite } from './docs.ts'
export { type KnowledgeDoc, knowledgeText } from './knowledge.ts'
export { type Embedder, lexical } from './lexical.ts'
export { docFileName, docMarkdown } from './markdown.ts'
export { type Embed, measuredEmbedder } from './measured-embedder.ts'

const never = new AbortController().signal

export interface NoteToWrite {
  readonly projectId: string
  readonly threadId: string
  readonly title: string
  readonly content: string
  readonly tags: readonly string[]
  /** One call is one write, however often it is run. */
  readonly callKey: string
  /** The thread has read text from outside. Default false. */
  readonly untrusted?: boolean
}

/** MemoryDocs: what is known of a project. Archived docs are hidden from searches, retrieval and `read`. */
export interface Memory {
  /** A note that an action writes; see `writeDoc`. */
  writeNote(note: NoteToWrite): MemoryDoc
  /**
   * A doc of the same type and title becomes its next version; older versions stay. Its words and its vector are in the
   * same transaction. An archived doc that is written is in use again.
   * @throws AppError action.too_large, action.args, policy.denied for a title of the engine's own
   */
  writeDoc(doc: DocToWrite): MemoryDoc
  /** A person's edit: a new version, and a new title or type. @throws AppError memory.not_found, memory.conflict, and those of `writeDoc` */
  edit(doc: DocToEdit): MemoryDoc
  /** Takes a doc out of use, or back into it; every version stays. @throws AppError memory.not_found */
  archive(id: string, archived: boolean): MemoryDoc
  /** For models: by id or title, a Note before other types, no skill; undefined where none is in use, or not in that version. */
  read(projectId: string, idOrTitle: string, version?: number): MemoryDoc | undefined
  /** For people: archived ones too. @throws AppError memory.not_found */
  get(id: string, version?: number): MemoryDoc
  /** The newest 200, newest first. @throws AppError memory.not_found */
  versions(id: string): readonly DocVersionHeader[]
  /** By number, the highest first. */
  list(filter: DocFilter): readonly DocHeader[]
  /** The last written first. */
  recent(projectId: string, limit: number): readonly MemoryDoc[]
  /**
   * Best first: words (bm25, a title four times its content) and vectors, fused by rank; skills are not among them. Where
   * the embedder cannot be asked, or not within a few seconds, words alone. @throws the signal's reason
   */
  search(projectId: string, query: string, limit: number, signal?: AbortSignal): Promise<MemoryFound>
  /**
   * At most five docs that bear on a goal, Lessons, Issues and Specs first; none where none does. See `knowledgeText`.
   * @throws the signal's reason
   */
  retrieveDocs(
    projectId: string,
    goal: string,
    options?: { readonly max?: number; readonly signal?: AbortSignal },
  ): Promise<readonly KnowledgeDoc[]>
  /** The same for the brief of a mission: more of them, because nobody is there to say the rest. */
  briefDocs(projectId: string, goal: string): Promise<readonly KnowledgeDoc[]>
  /** Waits for vectors that are being made. */
  close(): Promise<void>
}

export interface MemoryOptions {
  readonly store: Store
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  /** Default: by shape. */
  readonly redactor?: Redactor
  /** Default: the lexical one. */
  readonly embedder?: Embedder
  /** The one that a person has chosen, asked at each use; null for the default. */
  readonly chosen?: () => EmbedderChoice | null
  /** The embedder could not be asked: words alone were searched, or vectors are still to be made. */
  readonly onFault?: (error: unknown) => void
  /** How the wait for an embedder passes; the default is a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

export function createMemory(options: MemoryOptions): Memory {
  const { store, now, nextId, embedder = lexical, chosen = () => null, onFault = () => undefined } = options
  const { redactor = shapeRedactor } = options
  const vectors = createDocVectors({ store, embedder, chosen, onFault })
  const writer = createDocWriter({ store, vectors, now, nextId, redactor })
  const { wait = async (ms, signal) => sleep(ms, undefined, { signal }) } = options
  const search = createSearch({ store, vectors, onFault, now, wait })

  function inUse(projectId: string, idOrTitle: string): MemoryDoc | undefined {
    const title = idOrTitle.trim()
    const byTitle = (['Note', ...docTypes] as const).map((type) => () => store.docs.byTitle(projectId, type, title))
    for (const find of [() => store.docs.get(idOrTitle), ...byTitle]) {
      const doc = find()
      if (doc?.projectId === projectId && doc.archivedAt === null && doc.type !== 'Skill') return doc
    }
    return undefined
  }

  return {
    writeNote: ({ threadId, ...note }) =>
      writer.write({ ...note, type: 'Note', provenance: 'action', sourceThreadId: threadId }),
    writeDoc: writer.write,
    edit: writer.edit,
    archive: writer.archive,
    read(projectId, idOrTitle, version) {
      const doc = inUse(projectId, idOrTitle)
      return doc === undefined || version === undefined ? doc : store.docs.get(doc.id, version)
    },
    get: (id, version) => requireDoc(store, id, version),
    versions: (id) => store.docs.versions(requireDoc(store, id).id),
    list: store.docs.list,
    recent: store.docs.recent,
    search: (projectId, query, limit, signal = never) => search.find(projectId, query, limit, signal),
    retrieveDocs: async (projectId, goal, { max = limits.knowledgeDocs, signal = never } = {}) =>
      selectKnowledge(await search.relevant(projectId, goal, signal), Math.min(max, limits.knowledgeDocs)),
    briefDocs: async (projectId, goal) =>
      selectKnowledge(await search.relevant(projectId, goal, never), limits.briefDocs),
    close: vectors.close,
  }
}
