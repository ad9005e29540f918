import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import type { SkillTrust } from '../../domain/skill.ts'
import { sanitizeText } from '../../domain/text.ts'

/** `candidate`: inert. None but `authored` and `promoted` is ever told, injected or loaded. */
const skillRecordTypes = ['authored', 'promoted', 'candidate'] as const

/** Whoever keeps it, a skill comes in over an edge: a folder, a network, a store of somebody else's. */
export const skillRecordSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    // It is what a model calls for: as it is shown.
    .refine((name) => sanitizeText(name) === name && !/[\n\t<>"]/.test(name), 'has hidden or control characters'),
  description: z.string().trim().min(1),
  version: z.number().int().min(0).default(1),
  body: z.string().max(limits.skillFileBytes),
  tags: z.array(z.string()).readonly().optional(),
  type: z.enum(skillRecordTypes).default('authored'),
  metadata: z.record(z.string(), z.unknown()).optional(),
})

/** A skill as seed R has it. `name` is its key, `version` counts up: a promotion makes the next one. */
export type SkillRecord = z.output<typeof skillRecordSchema>

/** With the trust of the source that it is from: what comes over a network is from elsewhere, whatever it says of itself. */
export interface SourcedRecord extends SkillRecord {
  readonly trust: SkillTrust
}

/** A line of the catalogue: there is no body in it that could be told. */
export type SkillCatalogueEntry = Pick<SkillRecord, 'name' | 'description' | 'version' | 'tags' | 'type'>

/** What an agent writes: the store says which version it would be. */
export type SkillDraftRecord = Pick<SkillRecord, 'name' | 'description' | 'body' | 'tags' | 'metadata'>

/** A recorded yes: who approved, when (epoch ms), and why. */
export interface SkillPromotion {
  readonly approved: true
  readonly at: number
  readonly reason?: string | undefined
}

/** Where skills are kept. Source: RULES 41. */
export interface SkillsStoreContract {
  /** The live version of each, no candidate. */
  list(): Promise<readonly SkillRecord[]>
  /** The live version, or that one; undefined where there is none, or it is a candidate. */
  load(name: string, version?: number): Promise<SkillRecord | undefined>
  /** Every version that was ever live, the newest first. */
  versions(name: string): Promise<readonly number[]>
  /** Kept beside what is live, inert. Answers it with the version that it would be. */
  saveCandidate(draft: SkillDraftRecord): Promise<SkillRecord>
  /** The candidate becomes the next version. */
  promote(candidate: SkillRecord, decision: SkillPromotion): Promise<SkillRecord>
}

export function entryOf({ name, description, version, tags, type }: SkillRecord): SkillCatalogueEntry {
  return { name, description, version, type, ...(tags && { tags }) }
}
