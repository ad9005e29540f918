import { scanSecrets } from '../../domain/leaks/scan.ts'
import type { Diagnostic } from '../file/diagnostic.ts'
import { lineOfFetchAndRun } from '../file/orders.ts'
import { readingOf } from '../sources/read-skill.ts'
import { type ArchiveEntry, type LeftOut, refuseTwins } from './entry.ts'
import { isPassedOver, passedOver } from './folder.ts'

/** A file of an imported skill. `path` is relative to its folder, with `/`. */
export interface ImportedFile {
  readonly path: string
  readonly bytes: number
  readonly data: Uint8Array
}

/** A skill that an import found; nothing of it is anywhere yet. */
export interface ImportedSkill {
  readonly name: string
  /** The whole SKILL.md, and the hash of its bytes. */
  readonly content: string
  readonly sha256: string
  /** `SKILL.md` among them. */
  readonly files: readonly ImportedFile[]
  /** What a person should know before they take it, in sentences. */
  readonly warnings: readonly string[]
}

export interface ArchiveReading {
  readonly skills: readonly ImportedSkill[]
  readonly refused: readonly LeftOut[]
}

/**
 * Each folder with a SKILL.md is a skill, with all that lies below it; one at the top is the only one. `archive`: what it is called;
 * `top`: the folder that it is, null for a file. @throws ArchiveRefusal for two files that are one.
 */
export function skillsIn(
  all: readonly ArchiveEntry[],
  { archive, top }: { readonly archive: string; readonly top: string | null },
): ArchiveReading {
  refuseTwins(all.map((entry) => entry.path))
  const entries = all.filter(({ path }) => !path.split('/').some(isPassedOver))
  const folders = skillFolders(entries)
  const refused = [...hiddenIn(all), ...besides(entries, folders)]
  if (folders.length === 0) {
    const message = 'There is no SKILL.md in it. A skill is a folder with a SKILL.md.'
    refused.push({ path: archive, code: 'E_SKILL_MISSING', message })
  }
  const skills = new Map<string, ImportedSkill>()
  for (const folder of folders) {
    const read = skillIn(folder, { entries, name: folder === '' ? top : (folder.split('/').at(-2) ?? null) })
    const before = 'name' in read ? skills.get(read.name) : undefined
    if (!('name' in read)) refused.push(read)
    else if (before === undefined) skills.set(read.name, read)
    else refused.push(nameTaken(folder, read.name))
  }
  return { skills: [...skills.values()], refused }
}

/** With their `/`; '' for the top. None lies below another. */
function skillFolders(entries: readonly ArchiveEntry[]): readonly string[] {
  const all = entries.flatMap(({ path }) =>
    /(?:^|\/)skill\.md$/i.test(path) ? [path.slice(0, -'SKILL.md'.length)] : [],
  )
  return all.filter((folder) => !all.some((other) => other !== folder && folder.startsWith(other))).sort()
}

function hiddenIn(all: readonly ArchiveEntry[]): readonly LeftOut[] {
  const paths = all.flatMap(({ path }) => {
    const parts = path.split('/')
    const at = parts.findIndex(isPassedOver)
    return at < 0 ? [] : [parts.slice(0, at + 1).join('/')]
  })
  return [...new Set(paths)].map((path) => ({ path, code: 'E_LEFT_OUT', message: passedOver }))
}

function besides(entries: readonly ArchiveEntry[], folders: readonly string[]): readonly LeftOut[] {
  if (folders.length === 0) return []
  const message = 'It lies in the folder of no skill.'
  return entries.flatMap(({ path }) =>
    folders.some((folder) => path.startsWith(folder)) ? [] : [{ path, code: 'E_LEFT_OUT', message }],
  )
}

function nameTaken(folder: string, name: string): LeftOut {
  return { path: `${folder}SKILL.md`, code: 'E_DUPLICATE', message: `There is another skill called ${name} in it.` }
}

interface Around {
  readonly entries: readonly ArchiveEntry[]
  /** Of the folder; null where it has none. */
  readonly name: string | null
}

function skillIn(folder: string, { entries, name }: Around): ImportedSkill | LeftOut {
  const own = entries.filter(({ path }) => path.startsWith(folder))
  const files = own.map(({ path, data }) => {
    const below = path.slice(folder.length)
    return { path: below.toLowerCase() === 'skill.md' ? 'SKILL.md' : below, bytes: data.byteLength, data }
  })
  const main = files.find(({ path }) => path === 'SKILL.md')?.data ?? new Uint8Array()
  const { verdict, content, sha256 } = readingOf(main, name)
  if (verdict.outcome === 'reject') return notASkill(`${folder}SKILL.md`, verdict.diagnostics)
  const warnings = [
    ...verdict.diagnostics.map(told),
    ...secretsIn(content),
    ...warningsOf(own),
    ...files.flatMap(ordersIn),
  ]
  return { name: verdict.skill.name, content, sha256, files, warnings }
}

function notASkill(path: string, [first]: readonly Diagnostic[]): LeftOut {
  return first === undefined
    ? { path, code: 'E_SKILL_MISSING', message: 'It is no skill.' }
    : { path, code: first.code, message: told(first) }
}

function told({ line, message }: Diagnostic): string {
  return line === null ? message : `Line ${line}: ${message}`
}

function warningsOf(own: readonly ArchiveEntry[]): readonly string[] {
  const scripts = own.filter(({ path }) => /(?:^|\/)scripts\//.test(path)).length
  const executable = own.filter(({ isExecutable }) => isExecutable).length
  const inner = own.filter(({ path }) => /(?:^|\/)skill\.md$/i.test(path)).length - 1
  return [
    ...(scripts > 0
      ? [`It holds ${counted(scripts, 'script')}. They are read on demand, and never run by themselves.`]
      : []),
    ...(executable > 0 ? [`The right to run ${counted(executable, 'file')} as a program was left out.`] : []),
    ...(inner > 0 ? [`There is a SKILL.md inside the skill. It is kept as a file, not as a skill of its own.`] : []),
  ]
}

/** What would keep it from being approved. */
function secretsIn(content: string): readonly string[] {
  const [hit] = scanSecrets(content)
  if (hit === undefined) return []
  const line = content.slice(0, hit.start).split('\n').length
  return [`SKILL.md, line ${line}: it looks like a key (${hit.family}). With it the skill cannot be approved.`]
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

function ordersIn({ path, data }: ImportedFile): readonly string[] {
  const line = lineOfFetchAndRun(Buffer.from(data).toString('utf8'))
  if (line === null) return []
  return [
    `${path}, line ${line}: it tells to fetch a program and to run it at once. Read it before you take the skill.`,
  ]
}
