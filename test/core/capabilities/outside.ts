import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'

/** Everything in a folder, links unfollowed: one line for each name, with its kind, mode and content. `skip` is left out. */
export async function listing(folder: string, skip: readonly string[] = []): Promise<readonly string[]> {
  const names = (await readdir(folder)).sort().filter((name) => !skip.includes(path.join(folder, name)))
  const lines = await Promise.all(names.map((name) => describe(path.join(folder, name), skip)))
  return lines.flat()
}

async function describe(absolute: string, skip: readonly string[]): Promise<readonly string[]> {
  const stats = await lstat(absolute)
  const mode = (stats.mode & 0o7777).toString(8)
  if (stats.isSymbolicLink()) return [`${absolute} link ${await readlink(absolute)}`]
  if (stats.isDirectory()) return [`${absolute} folder ${mode}`, ...(await listing(absolute, skip))]
  if (!stats.isFile()) return [`${absolute} other ${mode}`]
  const sum = createHash('sha256')
    .update(await readFile(absolute))
    .digest('hex')
  return [`${absolute} file ${mode} ${stats.nlink} ${sum}`]
}
