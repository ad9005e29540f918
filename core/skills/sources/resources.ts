import fs, { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import type { SkillResource, SkillResourceText } from '../../domain/skill.ts'

/**
 * The files beside a SKILL.md, in the order of their paths, at most `limits.skillResources` of them. Links, hidden files and packages
 * are passed over. Nothing is read, and a folder that cannot be has none.
 */
export function resourcesIn(folder: string): readonly SkillResource[] {
  const found: SkillResource[] = []
  const enter = (below: string, depth: number) => {
    for (const entry of entriesOf(path.join(folder, below))) {
      if (found.length === limits.skillResources) return
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (isPassedOver(entry.name)) continue
      if (entry.isDirectory() && depth < deepest) enter(name, depth + 1)
      if (entry.isFile() && name.toLowerCase() !== 'skill.md') add(name)
    }
  }
  const add = (name: string) => {
    const stats = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })
    if (stats?.isFile()) found.push({ path: name, bytes: stats.size, kind: kindOf(name) })
  }
  enter('', 0)
  return found
}
const deepest = 8

function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

function entriesOf(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** By the folder that agentskills.io gives them. */
function kindOf(name: string): SkillResource['kind'] {
  if (name.startsWith('scripts/')) return 'script'
  if (name.startsWith('references/')) return 'reference'
  return name.startsWith('assets/') ? 'asset' : 'other'
}

/**
 * The text of one file of a skill's folder, at most `limits.skillResourceBytes` long. It is only read, never run (RULES 38). No link is
 * followed, neither in its path nor at its end. @throws AppError skill.resource, which says what is there instead.
 */
export async function readResource(folder: string, given: string): Promise<SkillResourceText> {
  const name = checkedPath(given)
  const bytes = await bytesOf(await realFolder(folder, name), name)
  if (bytes.includes(0)) throw refused(name, `is a binary file of ${bytes.length} bytes, which cannot be read as text`)
  try {
    return { path: name, bytes: bytes.length, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (cause) {
    throw refused(name, `is a file of ${bytes.length} bytes that are no UTF-8 text`, cause)
  }
}

/** Relative, with `/`, and nothing hidden in it: `.` and `..` are refused by the same rule. */
function checkedPath(given: string): string {
  const name = given.replace(/^\.\//, '')
  const isUsable =
    !/[\\\0]|^[A-Za-z]:/.test(name) && name.split('/').every((part) => part !== '' && !isPassedOver(part))
  if (!isUsable)
    throw refused(given, 'is no file of the skill: give its path in the folder of the skill, such as references/api.md')
  return name
}

async function realFolder(folder: string, name: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (cause) {
    throw refused(name, 'is not there: the folder of the skill is gone', cause)
  }
}

const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

async function bytesOf(folder: string, name: string): Promise<Buffer> {
  const file = path.join(folder, ...name.split('/'))
  await refuseLinks(file, name)
  const handle = await open(file, readFlags).catch((cause: unknown) => {
    throw refused(name, 'cannot be read', cause)
  })
  try {
    const opened = await handle.stat()
    if (!opened.isFile()) throw refused(name, 'is no regular file')
    // A link that came between the first look and the opening leads to another file, or is still there now.
    const named = await refuseLinks(file, name)
    if (named.ino !== opened.ino || named.dev !== opened.dev) throw refused(name, 'was changed while it was read')
    if (opened.size > limits.skillResourceBytes) {
      throw refused(name, `has ${opened.size} bytes; at most ${limits.skillResourceBytes} are read`)
    }
    const bytes = Buffer.alloc(limits.skillResourceBytes)
    let total = 0
    while (total < bytes.length) {
      const { bytesRead } = await handle.read(bytes, total, bytes.length - total, null)
      if (bytesRead === 0) break
      total += bytesRead
    }
    return bytes.subarray(0, total)
  } finally {
    await handle.close()
  }
}

async function refuseLinks(file: string, name: string): Promise<fs.Stats> {
  const real = await realpath(file).catch((cause: unknown) => {
    throw refused(name, 'is not there', cause)
  })
  if (real !== file) throw refused(name, 'is a link or lies behind one: links are not followed')
  const stats = await lstat(file)
  if (!stats.isFile()) throw refused(name, stats.isDirectory() ? 'is a folder, not a file' : 'is no regular file')
  return stats
}

function refused(name: string, reason: string, cause?: unknown): AppError {
  return new AppError('skill.resource', {
    message: `"${name}" ${reason}`,
    userMessage: `The file "${name}" of the skill ${reason}. Nothing was changed.`,
    cause,
  })
}
