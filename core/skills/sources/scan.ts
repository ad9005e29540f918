import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { SkillProblem, SkillSource, SkillTrust } from '../../domain/skill.ts'
import type { Diagnostic } from '../file/diagnostic.ts'
import { parseSkill, type SkillFile } from '../file/parse.ts'

export interface SkillFolder {
  readonly folder: string
  readonly place: string
  readonly trust: SkillTrust
  readonly source?: SkillSource
}
export interface FoundSkill {
  readonly skill: SkillFile
  readonly content: string
  readonly sha256: string
  readonly file: string | null
  readonly place: string
  readonly trust: SkillTrust
  readonly source: SkillSource
  readonly diagnostics: readonly Diagnostic[]
}
export interface SkillScan {
  readonly found: readonly FoundSkill[]
  readonly problems: readonly SkillProblem[]
}
export function scanSkillFolders(folders: readonly SkillFolder[]): SkillScan {
  const found = new Map<string, FoundSkill>()
  const problems: SkillProblem[] = []
  for (const { folder, place, trust } of folders) {
    if (!fs.existsSync(folder)) continue
    for (const name of fs.readdirSync(folder).sort()) {
      const file = path.join(folder, name, 'SKILL.md')
      if (!fs.existsSync(file)) continue
      const bytes = fs.readFileSync(file)
      const verdict = parseSkill(bytes, name)
      const sha256 = hash('sha256', bytes)
      const { diagnostics } = verdict
      if (verdict.outcome === 'reject')
        problems.push({ file, place, kind: 'rejected', diagnostics, sha256, mend: null })
      else
        found.set(verdict.skill.name, {
          ...{ skill: verdict.skill, content: bytes.toString('utf8'), sha256, file, place, trust },
          ...{ source: 'authored', diagnostics },
        })
    }
  }
  return { found: [...found.values()], problems }
}
