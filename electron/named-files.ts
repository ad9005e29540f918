import path from 'node:path'
import { z } from 'zod'

/** The files that the engine has told the window of: no others are shown, whatever the window asks for. */
export interface NamedFiles {
  /** What the engine answered to a call. */
  heard(call: string, answer: unknown): void
  /** Never one on another machine: Windows would sign in there with this person's account. */
  has(file: string): boolean
}

const ofSkill = z.object({ file: z.string().nullable() }).transform(({ file }) => (file === null ? [] : [file]))
const ofProblems = z.array(z.object({ file: z.string() })).transform((rows) => rows.map(({ file }) => file))
const ofExport = z.object({ path: z.string() }).transform((made) => [made.path])

const answers = new Map<string, z.ZodType<readonly string[]>>([
  ...['skill.get', 'skill.save', 'skill.rollback', 'skill.quarantine'].map((call) => [call, ofSkill] as const),
  ...['skill.problems', 'skill.mend', 'skill.rescan'].map((call) => [call, ofProblems] as const),
  ['skill.export', ofExport],
])

/** Older ones are forgotten: a window shows fewer at a time. */
const most = 5_000

export function createNamedFiles(): NamedFiles {
  const named = new Set<string>()
  return {
    heard(call, answer) {
      for (const file of answers.get(call)?.safeParse(answer).data ?? []) {
        named.delete(file)
        named.add(file)
      }
      for (const file of named) {
        if (named.size <= most) break
        named.delete(file)
      }
    },
    has: (file) => named.has(file) && path.isAbsolute(file) && !/^[\\/]{2}/.test(file),
  }
}
