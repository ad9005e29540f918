/** Durable knowledge. Source: seed E, MemoryDoc Types. This step writes Note docs; the other kinds join later. */
export const docTypes = ['Summary', 'Lesson', 'Skill', 'Issue', 'Spec', 'Note'] as const
export type DocType = (typeof docTypes)[number]

/** The newest version of a doc. Times are epoch ms. */
export interface MemoryDoc {
  readonly id: string
  readonly projectId: string
  readonly type: DocType
  readonly title: string
  readonly content: string
  readonly tags: readonly string[]
  readonly version: number
  /** The thread that wrote it, where one did. */
  readonly sourceThreadId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A hit of `memory_search`: `score` is bm25, higher is better; `snippet` marks nothing and is at most 240 characters. */
export interface MemoryHit {
  readonly id: string
  readonly type: DocType
  readonly title: string
  readonly snippet: string
  readonly score: number
  readonly updatedAt: number
}
