import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { MemoryDoc, MemoryHit } from '../domain/memory.ts'
import { sanitizeText } from '../domain/text.ts'
import type { Store } from '../store/store.ts'

export interface NoteToWrite {
  readonly projectId: string
  readonly threadId: string
  readonly title: string
  readonly content: string
  readonly tags: readonly string[]
  /** One call is one write, however often it is run. */
  readonly callKey: string
}

export interface Memory {
  /** A note of the same title becomes its next version; older versions stay. @throws AppError action.too_large */
  writeNote(note: NoteToWrite): MemoryDoc
  /** The newest version, by id or by a Note's title; undefined where there is none in this project. */
  read(projectId: string, idOrTitle: string): MemoryDoc | undefined
  /** Best first, by bm25 with the title four times the content. Words of the query are alternatives. */
  search(projectId: string, query: string, limit: number): readonly MemoryHit[]
  /** Newest first. */
  recent(projectId: string, limit: number): readonly MemoryDoc[]
}

export interface MemoryOptions {
  readonly store: Store
  readonly now: () => number
  readonly nextId: (prefix: string) => string
}

export function createMemory(options: MemoryOptions): Memory {
  const { store, now, nextId } = options

  function write(note: NoteToWrite): string {
    const written = store.docs.docOfCall(note.callKey)
    if (written !== undefined) return written
    const title = sanitizeText(note.title).trim()
    const known = store.docs.byTitle(note.projectId, 'Note', title)
    const docId = known?.id ?? nextId('doc')
    const at = now()
    if (known === undefined) store.docs.insert({ id: docId, projectId: note.projectId, type: 'Note', title, at })
    store.docs.addVersion({
      docId,
      version: (known?.version ?? 0) + 1,
      content: sanitizeText(note.content),
      tags: note.tags,
      sourceThreadId: note.threadId,
      callKey: note.callKey,
      createdAt: at,
    })
    return docId
  }

  return {
    writeNote(note) {
      if (note.content.length > limits.memoryDocCharacters) throw tooLong(note.content.length)
      const docId = store.transaction(() => write(note))
      const doc = store.docs.get(docId, note.projectId)
      if (doc === undefined) throw noDoc(docId)
      return doc
    },
    read: (projectId, idOrTitle) =>
      store.docs.get(idOrTitle, projectId) ?? store.docs.byTitle(projectId, 'Note', idOrTitle.trim()),
    search(projectId, query, limit) {
      const match = matchOf(query)
      return match === undefined ? [] : store.docs.search(match, projectId, limit)
    },
    recent: (projectId, limit) => store.docs.recent(projectId, limit),
  }
}

/** At most eight words, each quoted: nothing of the query is FTS5 syntax. Common words only where there are no others. */
function matchOf(query: string): string | undefined {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !commonWords.has(word))
  const chosen = [...new Set(telling.length > 0 ? telling : words)].slice(0, 8)
  return chosen.length === 0 ? undefined : chosen.map((word) => `"${word}"`).join(' OR ')
}

const commonWords = new Set(
  'a about an and are as at be by did do does for from had has have how i in is it me my of on or our remember say that the to us was we were what when where which who why will with you your'.split(
    ' ',
  ),
)

function tooLong(characters: number): AppError {
  return new AppError('action.too_large', {
    message: `a note of ${characters} characters is over ${limits.memoryDocCharacters}`,
    userMessage: `A note holds at most ${limits.memoryDocCharacters} characters. Nothing was written; write a shorter one, or several.`,
  })
}

function noDoc(id: string): AppError {
  return new AppError('memory.not_found', {
    message: `no doc ${id}`,
    userMessage: 'There is no such note in this project.',
  })
}
