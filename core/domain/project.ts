import { z } from 'zod'

/** What a project may use in a day; null: no limit of its own. */
export interface DayBudget {
  readonly tokens: number | null
  readonly usd: number | null
}

/** Unit of context: a folder that scopes threads, memory and a day's budget. Source: seed E, Five Primitives. */
export interface Project {
  readonly id: string
  readonly folder: string
  readonly name: string
  /** What the work here is for, in sentences; new threads are told. */
  readonly goals: readonly string[]
  /** Beside the limit that the settings give every project: the lower one counts. */
  readonly dayBudget: DayBudget
  /** A person answers for what lies in the folder: its files do not make edits of it ask anew. */
  readonly trusted: boolean
  readonly createdAt: number
  /** False when the folder is gone or cannot be read now. */
  readonly available: boolean
}

/** What a person can change of a project. */
export const projectPatchSchema = z.strictObject({
  name: z.string().trim().min(1).max(120).optional(),
  goals: z.array(z.string().trim().min(1).max(500)).max(20).optional(),
  dayBudget: z
    .strictObject({ tokens: z.number().int().positive().nullable(), usd: z.number().positive().nullable() })
    .optional(),
  trusted: z.boolean().optional(),
})
export type ProjectPatch = z.infer<typeof projectPatchSchema>
