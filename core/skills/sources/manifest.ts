import { z } from 'zod'
import { AppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import type { SkillProblem } from '../../domain/skill.ts'
import { writeSkillFile } from '../file/write.ts'
import { type FoundSkill, type SkillScan, unusable, withoutTwins } from './found.ts'
import { readingOf } from './read-skill.ts'

/** A text over the network, whole or not at all. @throws AppError skill.manifest */
export type FetchText = (
  url: string,
  request: {
    readonly headers: Readonly<Record<string, string>>
    readonly maxBytes: number
    readonly timeoutMs: number
    readonly signal: AbortSignal
  },
) => Promise<string>

/** A list of skills on a server. */
export interface SkillManifest {
  /** https. */
  readonly url: string
  /** Sent along: what is in them is nobody’s business but the server’s. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Skills of a manifest, read when they are first needed. */
export interface ManifestSource {
  /** What was read once is not asked for again, until `forget`; what failed is. @throws AppError skill.manifest */
  load(signal: AbortSignal): Promise<SkillScan>
  forget(): void
}

export function createManifestSource(manifest: SkillManifest, fetchText: FetchText): ManifestSource {
  let known: SkillScan | undefined
  let forgotten = 0
  return {
    async load(signal) {
      if (known !== undefined) return known
      const asked = forgotten
      const scan = await loadManifest(manifest, fetchText, signal)
      // Else what was asked for before would be kept as what came after.
      if (asked === forgotten) known = scan
      return scan
    },
    forget() {
      known = undefined
      forgotten += 1
    },
  }
}

async function loadManifest(
  { url, headers = {} }: SkillManifest,
  fetchText: FetchText,
  signal: AbortSignal,
): Promise<SkillScan> {
  if (URL.parse(url)?.protocol !== 'https:') throw manifestError(url, 'its address is not https')
  if (!headersSchema.safeParse(headers).success)
    throw manifestError(url, 'one of its headers has characters that no header can have')
  const { manifestBytes: maxBytes, manifestMs: timeoutMs } = limits
  return manifestSkills(url, await fetchText(url, { headers, maxBytes, timeoutMs, signal }))
}

const headersSchema = z.record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), z.string().regex(/^[\x20-\x7e]{0,4096}$/))

/**
 * The skills that the text of a manifest holds: a list of records, or `{skills: […]}`. Each is checked by itself, and one that is no
 * skill is a problem that names its number. Candidates are left out. @throws AppError skill.manifest for what is no such list.
 */
export function manifestSkills(url: string, text: string): SkillScan {
  const place = placeOf(url)
  const read = recordsOf(url, text).map((record, at) => readRecord(record, { file: `${place}#${at + 1}`, place }))
  return withoutTwins(
    read.flatMap(({ found }) => found),
    read.flatMap(({ problems }) => problems),
  )
}

function recordsOf(url: string, text: string): readonly unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw manifestError(url, 'it is no JSON', cause)
  }
  const list = listSchema.safeParse(value)
  if (!list.success) throw manifestError(url, 'it is no list of skills')
  const records = Array.isArray(list.data) ? list.data : list.data.skills
  if (records.length <= limits.manifestSkills) return records
  throw manifestError(url, `it has ${records.length} skills; at most ${limits.manifestSkills} are read`)
}

const listSchema = z.union([z.array(z.unknown()), z.looseObject({ skills: z.array(z.unknown()) })])

const name = z.string().min(1).max(200)
const type = z.enum(['authored', 'promoted', 'candidate']).optional()
const version = z.union([z.string(), z.number()]).transform(String).optional()
/** A whole file, or what one is made of. */
const recordSchema = z.union([
  z
    .looseObject({ name, type, content: z.string().min(1) })
    .transform((record) => ({ ...record, text: record.content })),
  z
    .looseObject({
      ...{ name, type, version, description: z.string().min(1), body: z.string().min(1) },
      tags: z.array(z.string()).optional(),
    })
    .transform((record) => ({ ...record, text: writeSkillFile(record) })),
])

const nothing: SkillScan = { found: [], problems: [] }

function readRecord(record: unknown, at: Pick<SkillProblem, 'file' | 'place'>): SkillScan {
  const parsed = recordSchema.safeParse(record)
  if (!parsed.success) {
    const message = `Record ${at.file.split('#').at(-1)} has no name with a description and a body, or with the content of a SKILL.md. The other records are read.`
    return { ...nothing, problems: [unusable(at, 'E_RECORD', message)] }
  }
  const { data } = parsed
  // Inert until somebody decided on it, wherever it lies.
  if (data.type === 'candidate') return nothing
  const { verdict, sha256, content } = readingOf(new TextEncoder().encode(data.text), data.name)
  const { diagnostics, outcome } = verdict
  const kind = outcome === 'reject' ? 'rejected' : 'warning'
  const problems: readonly SkillProblem[] = outcome === 'ok' ? [] : [{ ...at, kind, diagnostics, sha256, mend: null }]
  if (verdict.outcome === 'reject') return { ...nothing, problems }
  const skill: FoundSkill = {
    ...{ ...at, skill: verdict.skill, content, sha256, diagnostics },
    ...{ folder: null, trust: 'installed', source: 'imported' },
  }
  return { found: [skill], problems }
}

/** What is shown of an address: where it is, without what may be a key. */
export function placeOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}`
}

/** What went wrong with a manifest. The skills that are in use stay as they are. */
export function manifestError(url: string, reason: string, cause?: unknown): AppError {
  return new AppError('skill.manifest', {
    message: `manifest ${placeOf(url)}: ${reason}`,
    userMessage: `The list of skills at ${placeOf(url)} could not be read: ${reason}. Your other skills are there as before. It is tried again when skills are read the next time.`,
    cause,
    retryable: true,
  })
}
