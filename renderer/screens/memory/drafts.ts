import type { MemoryDoc } from '../../../core/domain/memory.ts'
import { type ShownType, shownTypes } from './words.ts'

/** A doc as it is being written. */
export interface DocDraft {
  readonly type: ShownType
  readonly title: string
  readonly tags: string
  readonly content: string
}

const emptyDraft: DocDraft = { type: 'Note', title: '', tags: '', content: '' }
const kept = new Map<string, DocDraft>()

/** What was written of a doc and not saved, by the doc's id or the project of a new one: another screen may come between. */
export function draftOf(key: string, doc: MemoryDoc | null): DocDraft {
  return kept.get(key) ?? savedDraft(doc)
}

export function keepDraft(key: string, draft: DocDraft | null): void {
  if (draft === null) kept.delete(key)
  else kept.set(key, draft)
}

export function savedDraft(doc: MemoryDoc | null): DocDraft {
  if (doc === null) return emptyDraft
  const type = shownTypes.find((each) => each === doc.type) ?? 'Note'
  return { type, title: doc.title, tags: doc.tags.join(', '), content: doc.content }
}
