import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { limits } from '../../domain/limits.ts'
import { type Mend, mendOf } from '../file/mend.ts'
import { parseSkill, type SkillVerdict } from '../file/parse.ts'

/** One SKILL.md as it was read. */
export interface SkillReading {
  readonly sha256: string
  /** The whole file; '' where it is no text. */
  readonly content: string
  readonly verdict: SkillVerdict
  /** Null where nothing is the matter, or needs a person. */
  readonly mend: Mend | null
}

/** `folder`: the name of the folder that it should be called like; null where there is none. @throws what the system says. */
export type ReadSkill = (file: string, folder: string | null) => SkillReading

/** Reads a file that did not change only once. */
export function createSkillReader(): ReadSkill {
  const known = new Map<string, { readonly stamp: string; readonly reading: SkillReading }>()
  return (file, folder) => {
    const { dev, ino, size, mtimeNs, ctimeNs } = fs.lstatSync(file, { bigint: true })
    const stamp = [dev, ino, size, mtimeNs, ctimeNs, folder].join()
    const before = known.get(file)
    if (before?.stamp === stamp) return before.reading
    const reading = readSkill(file, folder)
    if (known.size >= mostKept) known.clear()
    known.set(file, { stamp, reading })
    return reading
  }
}
const mostKept = 4_000

export const readSkill: ReadSkill = (file, folder) => readingOf(startOf(file), folder)

/** What is to be said of bytes, wherever they come from. */
export function readingOf(bytes: Uint8Array, folder: string | null): SkillReading {
  const verdict = folder === null ? withoutFolder(parseSkill(bytes, '')) : parseSkill(bytes, folder)
  return {
    verdict,
    sha256: hash('sha256', bytes),
    content: verdict.outcome === 'reject' ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    mend: verdict.diagnostics.length === 0 ? null : mendOf(bytes, folder ?? ''),
  }
}

/** What lies in no folder of its own cannot be called otherwise than it. */
function withoutFolder(verdict: SkillVerdict): SkillVerdict {
  if (verdict.outcome === 'reject') return verdict
  const diagnostics = verdict.diagnostics.filter(({ code }) => code !== 'W_NAME_MISMATCH')
  return { ...verdict, outcome: diagnostics.length === 0 ? 'ok' : 'warn', diagnostics }
}

/** Never through a link, and never waiting for the other end of a pipe. */
const readFlags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)

/** The bytes of a file, and no more than tells that it is too large. @throws what the system says, and of a link. */
export function startOf(file: string): Uint8Array {
  const handle = fs.openSync(file, readFlags)
  try {
    const stats = fs.fstatSync(handle)
    if (!stats.isFile()) throw new Error(`${path.basename(file)} is no regular file`)
    const bytes = Buffer.alloc(Math.min(stats.size, limits.skillFileBytes) + 1)
    let total = 0
    while (total < bytes.length) {
      const read = fs.readSync(handle, bytes, total, bytes.length - total, null)
      if (read === 0) break
      total += read
    }
    return Buffer.from(bytes.subarray(0, total))
  } finally {
    fs.closeSync(handle)
  }
}
