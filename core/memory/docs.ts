import { AppError } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import type { DocProvenance, DocType, MemoryDoc } from '../domain/memory.ts'
import { sanitizeText } from '../domain/text.ts'
import type { Store } from '../store/store.ts'
import type { DocVectors } from './doc-vectors.ts'
import { titleOf } from './titles.ts'

export interface DocToWrite {
  readonly projectId: string
  readonly type: DocType
  readonly title: string
  readonly content: string
  readonly tags: readonly string[]
  readonly provenance: DocProvenance
  /** Text from outside the project and its people. Default false. */
  readonly untrusted?: boolean | undefined
  /** The thread that writes it; null where none does. */
  readonly sourceThreadId: string | null
  /** One call is one write, however often it is run; null for what runs once. */
  readonly callKey: string | null
}

export interface DocToEdit {
  readonly id: string
  readonly projectId: string
  readonly type: DocType
  readonly title: string
  readonly content: string
  readonly tags: readonly string[]
}

export interface DocWriter {
  write(doc: DocToWrite): MemoryDoc
  edit(doc: DocToEdit): MemoryDoc
  archive(id: string, archived: boolean): MemoryDoc
}

export interface DocWriterOptions {
  readonly store: Store
  readonly vectors: DocVectors
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  /** Before words and vectors are made of it. */
  readonly redactor: Redactor
}

/** Every write of docs: a version, its words and its vector in one transaction. */
export function createDocWriter({ store, vectors, now, nextId, redactor }: DocWriterOptions): DocWriter {
  type Version = Pick<DocToWrite, 'content' | 'tags' | 'provenance' | 'untrusted' | 'sourceThreadId' | 'callKey'>

  function addVersion(doc: Pick<MemoryDoc, 'id' | 'title' | 'version'>, version: Version): Float32Array | undefined {
    store.docs.addVersion({ docId: doc.id, version: doc.version, createdAt: now(), ...version })
    const vector = vectors.now(doc.title, version.content)
    if (vector !== undefined) store.docSearch.keepVector(vectors.name, vector, doc)
    return vector
  }

  /** What was written, and what the index of vectors is told once that is committed. */
  function commit(
    work: () => { readonly id: string; readonly vector?: Float32Array | undefined; readonly isNew: boolean },
  ) {
    const { id, vector, isNew } = store.transaction(work)
    faultPoint('note.written')
    const doc = requireDoc(store, id)
    if (isNew && doc.type !== 'Skill') vectors.wrote(doc.projectId, doc, vector)
    return doc
  }

  return {
    write(doc) {
      const { projectId, type, title: given, content: text, ...origin } = doc
      const [title, content] = [titleOf(redactor.text(given)), contentOf(redactor.text(text))]
      return commit(() => {
        const written = doc.callKey === null ? undefined : store.docs.docOfCall(doc.callKey)
        if (written !== undefined) return { id: written, isNew: false }
        if (store.projects.get(projectId) === undefined) throw noProject(projectId)
        const known = store.docs.byTitle(projectId, type, title)
        const id = known?.id ?? nextId('doc')
        if (known === undefined) store.docs.insert({ id, projectId, type, title, at: now() })
        const version = (known?.version ?? 0) + 1
        return { id, vector: addVersion({ id, title, version }, { ...origin, content }), isNew: true }
      })
    },
    edit({ id, projectId, type, title: given, content: text, tags }) {
      const [title, content] = [titleOf(redactor.text(given)), contentOf(redactor.text(text))]
      return commit(() => {
        const known = requireDoc(store, id)
        if (known.projectId !== projectId) throw noDoc(id)
        if (known.type === 'Skill') throw notEditable(known)
        const other = store.docs.byTitle(projectId, type, title)
        if (other !== undefined && other.id !== id) throw titleTaken(type, title)
        store.docs.rename(id, type, title)
        // Most of the text is still what came from outside: the mark stays.
        const origin = { provenance: 'user', untrusted: known.untrusted, sourceThreadId: null, callKey: null } as const
        const vector = addVersion({ id, title, version: known.version + 1 }, { ...origin, content, tags })
        return { id, vector, isNew: true }
      })
    },
    archive(id, archived) {
      const known = requireDoc(store, id)
      if ((known.archivedAt !== null) === archived) return known
      store.transaction(() => store.docs.archive(id, archived ? now() : null))
      if (archived) vectors.hid(known.projectId, id)
      else if (known.type !== 'Skill') vectors.wrote(known.projectId, known, undefined)
      return requireDoc(store, id)
    },
  }
}

/** @throws AppError memory.not_found */
export function requireDoc(store: Store, id: string, version?: number): MemoryDoc {
  const doc = store.docs.get(id, version)
  if (doc !== undefined) return doc
  throw noDoc(version === undefined ? id : `${id} of version ${version}`)
}

function noDoc(which: string): AppError {
  return new AppError('memory.not_found', {
    message: `no doc ${which}`,
    userMessage: 'There is no such note, or not in that version.',
  })
}

function contentOf(text: string): string {
  const content = sanitizeText(text)
  // Hidden characters become longer when they are made visible.
  const characters = Math.max(content.length, text.length)
  if (characters <= limits.memoryDocCharacters) return content
  throw new AppError('action.too_large', {
    message: `a note of ${characters} characters is over ${limits.memoryDocCharacters}`,
    userMessage: `A note holds at most ${limits.memoryDocCharacters} characters. Nothing was written; write a shorter one, or several.`,
  })
}

function noProject(id: string): AppError {
  return new AppError('project.not_found', {
    message: `no project ${id}`,
    userMessage: 'That project is not known any more. Nothing was written.',
  })
}

function titleTaken(type: DocType, title: string): AppError {
  return new AppError('memory.conflict', {
    message: `there is another ${type} "${title}" in the project`,
    userMessage: `Another ${type} of this project has the title "${title}". Nothing was changed; choose another title.`,
  })
}

function notEditable(doc: MemoryDoc): AppError {
  return new AppError('policy.denied', {
    message: `${doc.id} is a skill`,
    userMessage: 'A skill changes by a decision under Skills, not as a note. Nothing was changed.',
  })
}
