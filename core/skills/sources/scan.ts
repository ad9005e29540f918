import fs from 'node:fs'
import path from 'node:path'
import { limits } from '../../domain/limits.ts'
import type { SkillProblem, SkillSource, SkillTrust } from '../../domain/skill.ts'
import type { SkillFile } from '../file/parse.ts'
import { type FoundSkill, mergeSkills, type SkillScan, unusable, withoutTwins } from './found.ts'
import { type ReadSkill, readSkill, type SkillReading } from './read-skill.ts'

/** A folder that skills lie in. */
export interface SkillFolder {
  /** Absolute. It need not exist. */
  readonly folder: string
  /** As a person calls it: `~/.agents/skills`. */
  readonly place: string
  /** Of everything in it: a file cannot claim its own. */
  readonly trust: SkillTrust
  /** Of a file without anything of ours in it (RULES 37); any other is authored. */
  readonly plainSource: SkillSource
  /** The folder that it may not lead out of, by a link; absent where it may. */
  readonly within?: string
}

/**
 * Reads `SKILL.md`, `<name>/SKILL.md` and bundles of those, at most `limits.skillFolderDepth` deep, in all folders in their
 * order: of one name the later one is used. Links are not followed, nothing is run, nothing is thrown: what cannot be read or
 * used is a problem. A folder that is not there is none.
 */
export function scanSkillFolders(folders: readonly SkillFolder[], read: ReadSkill = readSkill): SkillScan {
  const roots = folders.flatMap((each) => {
    const real = rootPath(each.folder)
    return real === null ? [] : [{ ...each, real }]
  })
  const known = roots.map(({ real }) => real)
  // The same folder by two names, a link or a project in the home folder, is that of the first.
  const once = roots.filter(({ real }, at) => known.indexOf(real) === at)
  return mergeSkills(once.map((root) => scanned(root, { known, read })))
}

interface Root extends SkillFolder {
  readonly real: string
}
interface Around {
  /** Every folder that is read anyway. */
  readonly known: readonly string[]
  readonly read: ReadSkill
}
interface Walk extends Around {
  readonly root: Root
  readonly found: FoundSkill[]
  readonly problems: SkillProblem[]
  entered: number
}

function scanned(root: Root, around: Around): SkillScan {
  if (root.within !== undefined && !isBelow(realPath(root.within) ?? root.within, root.real)) {
    const message = `It is a link that leads out of ${root.within}, so it was not read.`
    return { found: [], problems: [unusable({ file: root.folder, place: root.place }, 'E_LINK', message)] }
  }
  const walk: Walk = { ...around, root, found: [], problems: [], entered: 0 }
  enter(walk, root.folder, 0)
  if (walk.entered > limits.skillFolders) {
    const message = `There are more than ${limits.skillFolders} folders in it. Those after them were not looked at: move skills that are not needed elsewhere.`
    walk.problems.push(unusable({ file: root.folder, place: root.place }, 'W_TOO_MANY', message))
  }
  return withoutTwins(walk.found, walk.problems)
}

function enter(walk: Walk, folder: string, depth: number): void {
  walk.entered += 1
  if (walk.entered > limits.skillFolders) return
  const entries = entriesOf(walk, folder)
  const names = entries.map(({ name }) => name)
  const file = ['SKILL.md', 'skill.md'].find((name) => names.includes(name))
  for (const entry of entries) if (entry.isSymbolicLink()) lookAtLink(walk, path.join(folder, entry.name))
  const own = entries.find(({ name }) => name === file)
  if (own !== undefined && !own.isSymbolicLink()) take(walk, path.join(folder, own.name), depth)
  // What lies below a skill belongs to it.
  if ((own !== undefined && depth > 0) || depth === limits.skillFolderDepth) return
  for (const entry of entries) {
    if (entry.isDirectory() && entry !== own && !isPassedOver(entry.name)) {
      enter(walk, path.join(folder, entry.name), depth + 1)
    }
  }
}

function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

function entriesOf({ root, problems }: Walk, folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    problems.push(unusable({ file: folder, place: root.place }, 'E_UNREADABLE', `The folder ${unread(error)}`))
    return []
  }
}

function take(walk: Walk, file: string, depth: number): void {
  const { root, problems, read } = walk
  // What lies beside one that is directly in the source belongs to others.
  const folder = depth === 0 ? null : path.dirname(file)
  try {
    const reading = read(file, folder === null ? null : path.basename(folder))
    judge(walk, reading, { file, folder })
  } catch (error) {
    problems.push(unusable({ file, place: root.place }, 'E_UNREADABLE', `The file ${unread(error)}`))
  }
}

function judge({ root, found, problems }: Walk, reading: SkillReading, at: Pick<FoundSkill, 'file' | 'folder'>): void {
  const { verdict, sha256, content, mend } = reading
  const { place, trust, plainSource } = root
  const { diagnostics } = verdict
  if (diagnostics.length > 0) {
    const kind = verdict.outcome === 'reject' ? 'rejected' : 'warning'
    problems.push({ file: at.file, place, kind, diagnostics, sha256, mend })
  }
  if (verdict.outcome === 'reject') return
  const { skill } = verdict
  const source = isOurs(skill) ? 'authored' : plainSource
  found.push({ ...at, ...{ skill, content, sha256, place, trust, source, diagnostics } })
}

/** Functions are ours wherever they stand: no other program has them. */
function isOurs({ fields }: SkillFile): boolean {
  return fields.metadata?.threadsmith !== undefined || fields.snippets !== undefined
}

/** Links are never followed. What one leads to is missed only where it is read nowhere else. */
function lookAtLink({ root, known, problems }: Walk, link: string): void {
  const real = realPath(link)
  if (real !== null && known.some((folder) => isBelow(folder, real))) return
  const name = path.basename(link)
  const couldBeSkill = name.toLowerCase() === 'skill.md' || (real !== null && isFolder(real))
  if (!couldBeSkill || isPassedOver(name)) return
  const message = `It is a link that leads ${real === null ? 'nowhere' : `out of ${root.place}, to ${real}`}, so it was not followed. Put the skill itself there to use it.`
  problems.push(unusable({ file: link, place: root.place }, 'E_LINK', message))
}

/** Null where there is none. One that may not be entered is tried all the same, so that this is told. */
function rootPath(folder: string): string | null {
  try {
    return fs.realpathSync(folder)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : folder
  }
}

function realPath(file: string): string | null {
  try {
    return fs.realpathSync(file)
  } catch {
    // Not there, or behind what may not be entered: in both cases there is nothing that could be read.
    return null
  }
}

function isFolder(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isBelow(folder: string, file: string): boolean {
  const below = path.relative(folder, file)
  return below === '' || (below.split(path.sep)[0] !== '..' && !path.isAbsolute(below))
}

function unread(error: unknown): string {
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}. The other skills are there as before.`
}
