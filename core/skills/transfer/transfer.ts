import { hash } from 'node:crypto'
import fs from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SkillExport, SkillImport } from '../../domain/candidate.ts'
import type { Redactor } from '../../domain/leaks/redactor.ts'
import type { Store } from '../../store/store.ts'
import type { SkillCollection } from '../collection/collection.ts'
import { noSkill } from '../moves.ts'
import type { SkillReview } from '../review/review.ts'
import { resourcesIn } from '../sources/resources.ts'
import { readArchive } from './read-archive.ts'
import type { ImportedSkill } from './skills-in.ts'
import { writeArchive } from './write-archive.ts'

/** Skills that come from elsewhere and go elsewhere: what is imported is a candidate, with the trust of something installed. */
export interface SkillTransfer {
  /** A dry run writes nothing. @throws AppError skill.import */
  import(asked: {
    readonly path: string
    readonly projectId?: string | undefined
    readonly isDryRun: boolean
  }): Promise<SkillImport>
  /** @throws AppError skill.not_found | import */
  export(asked: {
    readonly id: string
    readonly version?: number | undefined
    readonly path: string
  }): Promise<SkillExport>
}

export interface TransferParts {
  readonly store: Store
  readonly collection: Pick<SkillCollection, 'persist'>
  readonly review: Pick<SkillReview, 'propose'>
  readonly redactor: Redactor
  /** Absolute: what an imported skill brings beside its SKILL.md lies below it. */
  readonly dataDir: string
}

export function createSkillTransfer({ store, collection, review, redactor, dataDir }: TransferParts): SkillTransfer {
  function kindOf(skill: ImportedSkill, projectId: string | null): 'new' | 'update' | 'same' {
    const row = store.skills.byName(skill.name, projectId)
    if (row === undefined) return 'new'
    const sha256 = hash('sha256', redactor.text(skill.content))
    const live = row.live === null ? undefined : store.skills.version(row.id, row.live)
    if (row.state !== 'active' || live?.sha256 !== sha256) return 'update'
    // With other files beside it, it is another one.
    const folder = folderOf(skill)
    return folder === null || live.folder === folder ? 'same' : 'update'
  }

  /** By what lies in it; null for SKILL.md alone. */
  function folderOf({ name, sha256, files }: ImportedSkill): string | null {
    if (files.length === 1) return null
    const whole = hash('sha256', JSON.stringify(files.map((file) => [file.path, hash('sha256', file.data)])))
    const plain = name.replace(/[^\p{L}\p{N}._-]/gu, '-')
    return path.join(dataDir, 'skills', `${plain}-${sha256.slice(0, 8)}${whole.slice(0, 16)}`)
  }

  /** All its files, or none: a candidate never stands on a part of them. Answers the folder; null for SKILL.md alone. */
  async function keep(skill: ImportedSkill): Promise<string | null> {
    const folder = folderOf(skill)
    if (folder === null) return null
    // Whole under its name, or not there: a folder of that name may belong to a live version.
    await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 })
    const beside = await mkdtemp(`${folder}.new-`)
    try {
      for (const { path: file, data } of skill.files) {
        const target = path.join(beside, ...file.split('/'))
        await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
        // Never runnable here: a skill's files are read, and nothing else.
        await writeFile(target, data, { mode: 0o600 })
      }
      await rename(beside, folder).catch((error: unknown) => {
        // Of this name there are only folders with just these files.
        if (!fs.existsSync(folder)) throw error
      })
      return folder
    } finally {
      await rm(beside, { recursive: true, force: true })
    }
  }

  return {
    async import({ path: given, projectId = null, isDryRun }) {
      collection.persist()
      const { skills, refused } = await readArchive(given)
      const shown: SkillImport['skills'][number][] = []
      for (const skill of skills) {
        const { name, content, warnings } = skill
        const kind = kindOf(skill, projectId)
        const files = skill.files.map(({ path: file, bytes }) => ({ path: file, bytes }))
        if (isDryRun || kind === 'same') {
          shown.push({ name, kind, candidateId: null, files, warnings })
          continue
        }
        const folder = await keep(skill)
        const facts = {
          kind,
          name,
          projectId,
          content,
          source: 'imported',
          trust: 'installed',
          threadId: null,
        } as const
        const { id } = review.propose({
          ...{
            ...facts,
            proposedBy: 'an import',
            reason: `imported from ${path.basename(given)}`,
            callKey: null,
            asksAnew: true,
            evidence: [],
          },
          ...(folder !== null && { folder }),
        })
        shown.push({ name, kind, candidateId: id, files, warnings })
      }
      return { isDryRun, skills: shown, refused }
    },

    async export({ id, version: wanted, path: target }) {
      collection.persist()
      const row = store.skills.get(id)
      const number = wanted ?? row?.live ?? store.skills.newestVersion(id)
      const version = store.skills.version(id, number)
      const content = store.skills.content(id, number)
      if (row === undefined || version === undefined || content === undefined) throw noSkill(`${id} v${number}`)
      const files = [{ path: 'SKILL.md', data: new TextEncoder().encode(content) }]
      const { folder } = version
      for (const resource of folder === null ? [] : resourcesIn(folder)) {
        files.push({ path: resource.path, data: await readFile(path.join(folder ?? '', ...resource.path.split('/'))) })
      }
      const written = await writeArchive({ name: row.name, files }, target)
      return { name: row.name, version: number, ...written }
    },
  }
}
