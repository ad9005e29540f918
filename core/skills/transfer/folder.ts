import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '../../domain/limits.ts'
import { type ArchiveEntry, type Budget, createBudget, type LeftOut, refusePath, tooLarge } from './entry.ts'

/** The files of a folder, in the order of their paths. A link is left out, wherever it leads. @throws ArchiveRefusal */
export async function folderEntries(
  folder: string,
): Promise<{ readonly entries: readonly ArchiveEntry[]; readonly leftOut: readonly LeftOut[] }> {
  const walk: Walk = { folder, budget: createBudget(), entries: [], leftOut: [] }
  await enter(walk, '')
  return walk
}

interface Walk {
  readonly folder: string
  readonly budget: Budget
  readonly entries: ArchiveEntry[]
  readonly leftOut: LeftOut[]
}

async function enter(walk: Walk, below: string): Promise<void> {
  const listed = await readdir(path.join(walk.folder, below), { withFileTypes: true })
  for (const entry of listed.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await take(walk, entry, below === '' ? entry.name : `${below}/${entry.name}`)
  }
}

async function take(walk: Walk, entry: Dirent, name: string): Promise<void> {
  const { leftOut, budget, entries } = walk
  if (isPassedOver(entry.name)) {
    leftOut.push({ path: name, code: 'E_LEFT_OUT', message: passedOver })
  } else if (entry.isSymbolicLink()) {
    leftOut.push({ path: name, code: 'E_LINK', message: 'It is a link. Links are not followed.' })
  } else if (entry.isDirectory()) {
    refusePath(name)
    budget.enterFolder(name)
    await enter(walk, name)
  } else if (entry.isFile()) {
    refusePath(name)
    budget.enter(name)
    const file = await read(path.join(walk.folder, ...name.split('/')), name)
    budget.take(name, file.data.byteLength)
    entries.push({ path: name, ...file })
  } else {
    leftOut.push({ path: name, code: 'E_NOT_REGULAR', message: 'It is no regular file.' })
  }
}

/** Hidden, or not of a skill but of the system or a program beside it. */
export function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name === '__MACOSX' || name === 'Thumbs.db'
}
export const passedOver = 'Hidden files, packages and what a system adds by itself are not imported.'

const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

async function read(file: string, name: string): Promise<Pick<ArchiveEntry, 'data' | 'isExecutable'>> {
  const handle = await open(file, readFlags)
  try {
    const stats = await handle.stat()
    if (stats.size > limits.importFileBytes) throw tooLarge(name, limits.importFileBytes, 'The file')
    const data = Buffer.alloc(stats.size)
    const { bytesRead } = await handle.read(data, 0, data.length, 0)
    return { data: data.subarray(0, bytesRead), isExecutable: (stats.mode & 0o111) !== 0 }
  } finally {
    await handle.close()
  }
}
