import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { SkillDiagnostic, SkillSource, SkillTrust } from '../domain/skill.ts'
import type { Diagnostic } from './file/diagnostic.ts'
import { parseSkill, type SkillFile } from './file/parse.ts'

/** A skill that can be used: one version, with where it came from. */
export interface LoadedSkill extends SkillFile {
  readonly id: string
  readonly version: number
  /** Null: everywhere. */
  readonly projectId: string | null
  /** Absolute; null for one that lies in the store only. */
  readonly file: string | null
  /** Its own folder, with what lies beside its file; null where it has none. Absolute. */
  readonly folder: string | null
  /** Where it lies or came from, in words. */
  readonly place: string
  /** Of the whole file. */
  readonly sha256: string
  readonly source: SkillSource
  readonly trust: SkillTrust
  readonly diagnostics: readonly Diagnostic[]
}

/** A file that is no skill; shown, never passed over in silence. */
export interface RejectedSkill {
  readonly file: string
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** The skills of one place: a project, or everywhere. */
export interface SkillLibrary {
  readonly skills: readonly LoadedSkill[]
  readonly rejected: readonly RejectedSkill[]
  get(name: string): LoadedSkill | undefined
}

export function libraryOf(skills: readonly LoadedSkill[], rejected: readonly RejectedSkill[]): SkillLibrary {
  const byName = new Map(skills.map((skill) => [skill.name, skill]))
  return { skills, rejected, get: (name) => byName.get(name) }
}

/**
 * Reads `<folder>/<name>/SKILL.md` of each folder below, in the order of their names, without a store: each is version 1. Trust
 * is that of the folder: a file cannot claim it. Reads only. @throws what the system says.
 */
export function readSkillLibrary(folder: string, trust: SkillTrust = 'trusted'): SkillLibrary {
  const skills: LoadedSkill[] = []
  const rejected: RejectedSkill[] = []
  for (const name of foldersIn(folder)) {
    const file = path.join(folder, name, 'SKILL.md')
    if (!fs.existsSync(file)) continue
    const bytes = fs.readFileSync(file)
    const verdict = parseSkill(bytes, name)
    const { diagnostics } = verdict
    const same = verdict.outcome === 'reject' ? undefined : skills.find((skill) => skill.name === verdict.skill.name)
    if (verdict.outcome === 'reject') rejected.push({ file, diagnostics })
    else if (same !== undefined) rejected.push({ file, diagnostics: [nameTaken(same)] })
    else {
      const at = {
        id: verdict.skill.name,
        version: 1,
        projectId: null,
        file,
        folder: path.dirname(file),
        place: folder,
        source: 'authored',
        trust,
      } as const
      skills.push({ ...verdict.skill, ...at, sha256: hash('sha256', bytes), diagnostics })
    }
  }
  return libraryOf(skills, rejected)
}

/** One name, one skill: else trust, key and score could be of different files. */
function nameTaken({ name, file }: LoadedSkill): Diagnostic {
  return { code: 'E_NAME_INVALID', line: 1, message: `The name ${name} is taken already, by ${file}.` }
}

function foldersIn(folder: string): readonly string[] {
  if (!fs.existsSync(folder)) return []
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
}
