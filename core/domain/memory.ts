/** Durable knowledge. Source: seed E, MemoryDoc Types. */
export const docTypes = ['Summary', 'Lesson', 'Skill', 'Issue', 'Spec', 'Note'] as const
export type DocType = (typeof docTypes)[number]

/** Who wrote a version. `action`: a model, through an action; `import`: a file that a person brought. */
export const docProvenances = ['user', 'action', 'mission', 'analysis', 'import'] as const
export type DocProvenance = (typeof docProvenances)[number]

/** How one version came about. */
export interface DocOrigin {
  readonly version: number
  readonly provenance: DocProvenance
  /** Its text came from outside (a web page, a stranger's file): shown fenced, never followed. */
  readonly untrusted: boolean
  /** The thread that wrote it, where one did. */
  readonly sourceThreadId: string | null
  /** The call that wrote it, where one did. */
  readonly callKey: string | null
}

/** A doc without its text, for lists. Times are epoch ms. */
export interface DocHeader extends DocOrigin {
  readonly id: string
  /** One ascending number for the whole store: what lists are ordered and paged by. */
  readonly number: number
  readonly projectId: string
  readonly type: DocType
  readonly title: string
  readonly tags: readonly string[]
  readonly createdAt: number
  /** When this version was written. */
  readonly updatedAt: number
  /** Since when it is hidden from searches and models; null for a doc in use. */
  readonly archivedAt: number | null
}

/** A doc as one of its versions; the newest where none was asked for. */
export interface MemoryDoc extends DocHeader {
  readonly content: string
}

/** A version in a doc's history. */
export interface DocVersionHeader extends DocOrigin {
  readonly characters: number
  readonly createdAt: number
}

/** The best hits of a search. `total`: how many were found, counted up to fifty by words and fifty by vectors. */
export interface MemoryFound {
  readonly hits: readonly MemoryHit[]
  readonly total: number
}

/** A hit of a search, with why it was found. `snippet` marks nothing and is at most 240 characters. */
export interface MemoryHit {
  readonly id: string
  readonly type: DocType
  readonly title: string
  readonly snippet: string
  readonly untrusted: boolean
  readonly updatedAt: number
  /** Sum of 1 ÷ (60 + rank) over both ranks; higher is better. */
  readonly score: number
  /** 1 for the best by its words (bm25); null where it has none of them. */
  readonly ftsRank: number | null
  /** 1 for the vector nearest to the query's; null where none is near. */
  readonly vectorRank: number | null
  /** Whose vectors were compared: `lexical`, or a provider's model. */
  readonly embedder: string
}

/** The Note that holds the rules in force, a version for each change: it stands in every system message, and is not searched for. */
export const overlayTitle = 'prompt:overlay'
