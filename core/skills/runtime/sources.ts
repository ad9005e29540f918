import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { AppError, asAppError } from '../../domain/error.ts'
import type { SkillTrust } from '../../domain/skill.ts'
import { parseSkill } from '../file/parse.ts'
import { type SkillRecord, type SkillsStoreContract, skillRecordSchema } from './record.ts'

/** Where skills come from, by `type`. A later source wins on a name. Source: seed R, Sources. */
export type SkillSourceConfig =
  | { readonly type: 'directory'; readonly path: string }
  | { readonly type: 'url'; readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly type: 'store'; readonly store: SkillsStoreContract }

/** What a manifest on the network holds, not yet looked at. */
export type ReadManifest = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<unknown>

/** What is the matter with a source, or with one skill of it. */
export interface SkillSourceProblem {
  readonly source: string
  readonly message: string
}

export interface ReadSource {
  readonly records: readonly SkillRecord[]
  readonly problems: readonly SkillSourceProblem[]
}

/** A source as the contract asks it. It never throws: what goes wrong is a problem of this source alone. */
export interface OpenSource {
  readonly name: string
  /** Of all that it holds: a folder and a store are the host's own. */
  readonly trust: SkillTrust
  list(signal: AbortSignal): Promise<ReadSource>
  /** Of a source that keeps one version of each, undefined for another one. */
  load(name: string, version: number | undefined, signal: AbortSignal): Promise<ReadSource>
}

export function openSource(config: SkillSourceConfig, readManifest: ReadManifest): OpenSource {
  switch (config.type) {
    case 'directory':
      return listed(config.path, 'trusted', () => readFolder(config.path))
    case 'url':
      return listed(config.url, 'installed', async (signal) => {
        const given = manifestSchema.safeParse(await readManifest(config.url, config.headers ?? {}, signal))
        if (!given.success) throw noManifest(config.url)
        return checked(config.url, given.data)
      })
    case 'store':
      return ofStore(config.store)
  }
}

const manifestSchema = z.array(z.unknown())

function noManifest(url: string): AppError {
  return new AppError('skill.manifest', {
    message: `${url} holds no list of skills`,
    userMessage: `${url} does not answer a list of skills. Its skills are left out.`,
  })
}

/** One that can only be read whole: a load looks in the list. */
function listed(name: string, trust: SkillTrust, read: (signal: AbortSignal) => Promise<ReadSource>): OpenSource {
  const list = guarded(name, read)
  return {
    name,
    trust,
    list,
    async load(wanted, version, signal) {
      const { records, problems } = await list(signal)
      const found = records.filter((each) => each.name === wanted && (version ?? each.version) === each.version)
      return { records: found, problems }
    },
  }
}

function ofStore(store: SkillsStoreContract): OpenSource {
  const name = 'store'
  return {
    name,
    trust: 'trusted',
    list: guarded(name, async () => checked(name, await store.list())),
    load: (wanted, version, signal) =>
      guarded(name, async () => {
        const found = version === undefined ? await store.load(wanted) : await store.load(wanted, version)
        const { records, problems } = checked(name, found === undefined ? [] : [found])
        return { records: records.filter((each) => (version ?? each.version) === each.version), problems }
      })(signal),
  }
}

/** Whatever a source throws is a result; only that the caller left is not. */
function guarded(
  source: string,
  read: (signal: AbortSignal) => Promise<ReadSource>,
): (signal: AbortSignal) => Promise<ReadSource> {
  return async (signal) => {
    signal.throwIfAborted()
    try {
      return await read(signal)
    } catch (error) {
      signal.throwIfAborted()
      return { records: [], problems: [{ source, message: asAppError(error, 'skill.manifest').message }] }
    }
  }
}

/** Those that are skills, none of them a candidate; what is none is a problem that names its place. */
function checked(source: string, given: readonly unknown[]): ReadSource {
  const records: SkillRecord[] = []
  const problems: SkillSourceProblem[] = []
  for (const [at, each] of given.entries()) {
    const parsed = skillRecordSchema.safeParse(each)
    if (!parsed.success) problems.push({ source, message: `skill ${at + 1}: ${z.prettifyError(parsed.error)}` })
    else if (parsed.data.type !== 'candidate') records.push(parsed.data)
  }
  return { records, problems }
}

/** `<folder>/<name>/SKILL.md`: the folder's name is the skill's. One that is missing holds none. */
async function readFolder(folder: string): Promise<ReadSource> {
  const records: SkillRecord[] = []
  const problems: SkillSourceProblem[] = []
  for (const name of await foldersIn(folder)) {
    const file = path.join(folder, name, 'SKILL.md')
    const bytes = await readIfThere(file)
    if (bytes === undefined) continue
    const verdict = parseSkill(bytes, name)
    if (verdict.outcome === 'reject') {
      problems.push({ source: file, message: verdict.diagnostics.map(({ message }) => message).join(' ') })
      continue
    }
    const { description, body, activation, isOnlyByName, fields } = verdict.skill
    // Only a person may name it: no model is told of it.
    if (isOnlyByName) continue
    const { tags } = activation
    const more = { ...(tags.length > 0 && { tags }), ...(fields.metadata && { metadata: fields.metadata }) }
    records.push({ name, description, version: 1, body: body.trim(), type: 'authored', ...more })
  }
  return { records, problems }
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await fs.readdir(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await fs.readFile(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
