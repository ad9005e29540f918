import type { SkillResource, SkillSource, SkillTrust } from './skill.ts'

/**
 * `new`: a skill that there is not. `update`: the next version of one. `rollback`: back to the parent, because the live version
 * does worse; carried out by itself where nobody answers. `global`: a project's skill for everywhere.
 */
export const candidateKinds = ['new', 'update', 'rollback', 'global'] as const
export type CandidateKind = (typeof candidateKinds)[number]

/** None but `approved` ever changes what is live. */
export const candidateStates = ['pending', 'approved', 'rejected', 'quarantined', 'expired'] as const
export type CandidateState = (typeof candidateStates)[number]

/** Something that would change a skill, inert until a recorded decision on exactly these bytes. Times are epoch ms. */
export interface Candidate {
  readonly id: string
  readonly kind: CandidateKind
  readonly name: string
  /** Where it would be live; null: everywhere. */
  readonly projectId: string | null
  /** Of the whole file that it proposes. */
  readonly sha256: string
  /** The live version that it was written against; null for a new skill. */
  readonly target: { readonly skillId: string; readonly version: number; readonly sha256: string } | null
  readonly source: SkillSource
  /** That it would have. */
  readonly trust: SkillTrust
  /** The thread that proposed it; null for a person's file. */
  readonly threadId: string | null
  readonly threadNumber: number | null
  /** What proposed it, in words: `save_skill`, a mission, an import. */
  readonly proposedBy: string
  readonly reason: string
  readonly state: CandidateState
  readonly decisionReason: string | null
  readonly proposedAt: number
  readonly expiresAt: number
  readonly decidedAt: number | null
  /** The version that it became. */
  readonly version: number | null
}

/** What a person decides on. */
export interface CandidateDetail extends Candidate {
  readonly content: string
  /** Of the version that is live now: what the diff is against; null where there is none. */
  readonly before: { readonly version: number; readonly sha256: string; readonly content: string } | null
  /** The live version is not the one that the candidate was written against: it was compared anew. */
  readonly isStale: boolean
  readonly evidence: readonly PartEvidence[]
  readonly checks: readonly CandidateCheck[]
  readonly wouldChange: WouldChange
  /** What it brings beside SKILL.md: read on demand, never run by itself, and not part of the hash. */
  readonly files: readonly SkillResource[]
  /** Estimated, of what the prompt would hold; null where it does not parse. */
  readonly tokens: number | null
}

/** Where a part of a candidate comes from. Without any step the part shows "no evidence". Source: RULES 22. */
export interface PartEvidence {
  readonly part: 'keyword' | 'tag' | 'pattern' | 'line' | 'parameter' | 'description'
  readonly text: string
  /** Of the file; null where the part stands in the front matter as a list. */
  readonly line: number | null
  readonly steps: readonly EvidenceStep[]
}
export interface EvidenceStep {
  readonly threadId: string
  readonly threadNumber: number
  readonly step: number
  /** The event whose stored bytes contain it. */
  readonly seq: number
  /** At most 160 characters around what was found. */
  readonly quote: string
}

export interface CandidateCheck {
  readonly name:
    | 'file'
    | 'hidden'
    | 'secrets'
    | 'patterns'
    | 'keywords'
    | 'actions'
    | 'hosts'
    | 'code'
    | 'orders'
    | 'parent'
    | 'origin'
  /** `failed` blocks the approval; `attention` is for the person to weigh. */
  readonly state: 'ok' | 'attention' | 'failed'
  readonly title: string
  readonly detail: string
  readonly line: number | null
}

/** What the checks say of another text for a candidate. */
export interface CheckedEdit {
  /** Of the text as it would be stored. */
  readonly sha256: string
  readonly checks: readonly CandidateCheck[]
}

/** What the choice of skills would have been for the last goals, beside what it is now. Source: RULES 22. */
export interface WouldChange {
  /** How many goals were looked at. */
  readonly n: number
  readonly picksBefore: number
  readonly picksAfter: number
  readonly changes: readonly {
    readonly threadId: string
    readonly threadNumber: number
    readonly goal: string
    /** `added`: it would be chosen; `dropped`: no longer. */
    readonly change: 'added' | 'dropped'
    /** Skills that would lose their place by it. */
    readonly displaces: readonly string[]
    readonly outcome: string | null
  }[]
}

export interface CandidateDecision {
  readonly id: string
  readonly decision: 'approve' | 'reject' | 'quarantine'
  /** The bytes that were seen: another candidate or another live version is not decided on. */
  readonly sha256: string
  /** Of the live version that was seen; null for none. */
  readonly before: string | null
  /** The file in the place of what was proposed. */
  readonly edited?: string | undefined
  readonly reason?: string | undefined
}

/** What an import found, before and after it is done. */
export interface SkillImport {
  readonly isDryRun: boolean
  readonly skills: readonly {
    readonly name: string
    /** `same`: these bytes are known. `update`: the next version of one that is there. */
    readonly kind: 'new' | 'update' | 'same'
    readonly candidateId: string | null
    readonly files: readonly { readonly path: string; readonly bytes: number }[]
    readonly warnings: readonly string[]
  }[]
  /** What was left out, and why. */
  readonly refused: readonly { readonly path: string; readonly code: string; readonly message: string }[]
}
export interface SkillExport {
  readonly name: string
  readonly version: number
  readonly path: string
  readonly bytes: number
  readonly files: number
}
