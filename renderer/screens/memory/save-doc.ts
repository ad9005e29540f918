import { AppError } from '../../../core/domain/error.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { MemoryDoc } from '../../../core/domain/memory.ts'
import { call } from '../../engine/client.ts'
import type { DocDraft } from './drafts.ts'
import { tagsOf } from './words.ts'

export type DocProblems = { readonly [Name in keyof DocDraft]?: string | undefined }

const mostTags = 20
const mostTagCharacters = 40

/** What keeps a doc from being saved, by field. */
export function problemsOf({ title, tags, content }: DocDraft): DocProblems {
  const over = content.length - limits.memoryDocCharacters
  return {
    title: title.trim() === '' ? 'It needs a title: lists and the agent find it by that.' : undefined,
    tags: tagsProblem(tagsOf(tags)),
    content:
      content.trim() === ''
        ? 'There is nothing to keep yet.'
        : over > 0
          ? `Shorten it by ${over.toLocaleString('en')} characters, or write two.`
          : undefined,
  }
}

function tagsProblem(tags: readonly string[]): string | undefined {
  if (tags.length > mostTags) return `At most ${mostTags} tags.`
  return tags.some((tag) => tag.length > mostTagCharacters)
    ? `A tag has at most ${mostTagCharacters} characters.`
    : undefined
}

/** @throws AppError memory.conflict for a new doc whose title is taken: it would become the other one's next version. */
export async function saveDoc(projectId: string, doc: MemoryDoc | null, draft: DocDraft): Promise<MemoryDoc> {
  const { type, content } = draft
  const title = draft.title.trim()
  if (doc === null && (await isTaken(projectId, { ...draft, title }))) throw titleTaken(type, title)
  const tags = [...tagsOf(draft.tags)]
  return call('doc.save', { ...(doc && { id: doc.id }), projectId, type, title, content, tags })
}

async function isTaken(projectId: string, { type, title }: DocDraft): Promise<boolean> {
  const pages = await Promise.all(
    [false, true].map((archived) =>
      call('doc.list', { projectId, type, query: title, archived, limit: limits.pageRows }),
    ),
  )
  const plain = title.replace(/\s+/g, ' ').toLowerCase()
  return pages.some(({ rows }) => rows.some((row) => row.title.toLowerCase() === plain))
}

function titleTaken(type: string, title: string): AppError {
  return new AppError('memory.conflict', {
    message: `there is a ${type} "${title}" in the project`,
    userMessage: `There is a ${type} with this title, maybe an archived one. Nothing was saved; choose another title, or edit that one.`,
  })
}
