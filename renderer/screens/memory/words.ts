import type { DocHeader, DocProvenance, DocType, MemoryHit } from '../../../core/domain/memory.ts'

/** Skills are docs too; they are shown and changed elsewhere. */
export const shownTypes = ['Note', 'Lesson', 'Issue', 'Summary', 'Spec'] as const satisfies readonly DocType[]
export type ShownType = (typeof shownTypes)[number]

export const typeOptions = [
  ['all', 'All'],
  ['Note', 'Notes'],
  ['Lesson', 'Lessons'],
  ['Issue', 'Issues'],
  ['Summary', 'Summaries'],
  ['Spec', 'Specs'],
] as const satisfies readonly (readonly [ShownType | 'all', string])[]

export const provenanceWords: Readonly<Record<DocProvenance, string>> = {
  user: 'by you',
  action: 'by the agent',
  mission: 'by a mission',
  analysis: 'from the analysis of a thread',
  import: 'imported by you',
}

/** Why a search found it: its place by its words and by its vector, and whose vectors those are. */
export function whyText({ ftsRank, vectorRank, embedder }: MemoryHit): string {
  const words = ftsRank === null ? 'none of the words' : `words ${ordinal(ftsRank)}`
  const vectors = embedder === 'lexical' ? 'lexical' : `meaning, by ${embedder},`
  const likeness = vectorRank === null ? '' : `, ${vectors} ${ordinal(vectorRank)}`
  return `${words}${likeness}`
}

function ordinal(rank: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }[rules.select(rank)]
  return `${rank}${ending}`
}
const rules = new Intl.PluralRules('en', { type: 'ordinal' })

/** What a row of the list shows, whether it was listed or found. */
export interface DocRow {
  readonly id: string
  readonly type: DocType
  readonly title: string
  readonly untrusted: boolean
  readonly updatedAt: number
  /** Not known of what a search found. */
  readonly version: number | null
  readonly sourceThreadId: string | null
  /** Of what a search found: the place in the text, and why. */
  readonly found: { readonly snippet: string; readonly why: string } | null
}

export function listedRow(doc: DocHeader): DocRow {
  const { id, type, title, untrusted, updatedAt, version, sourceThreadId } = doc
  return { id, type, title, untrusted, updatedAt, version, sourceThreadId, found: null }
}

export function foundRow(hit: MemoryHit): DocRow {
  const { id, type, title, untrusted, updatedAt, snippet } = hit
  const found = { snippet, why: whyText(hit) }
  return { id, type, title, untrusted, updatedAt, version: null, sourceThreadId: null, found }
}

/** `a, b` as tags: trimmed, none twice. */
export function tagsOf(text: string): readonly string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags)].filter((tag) => tag !== '')
}
