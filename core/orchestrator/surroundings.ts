import { readdir } from 'node:fs/promises'
import { fenced } from '../domain/fence.ts'
import { limits } from '../domain/limits.ts'
import { sourceOf } from '../domain/source.ts'

/**
 * The project as it is found when a thread begins: what a model would otherwise ask for first. Source: RULES 3, Step 0
 * orientation. Says so where there is more, or nothing can be read.
 */
export async function createSurroundings(folder: string): Promise<string> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries
      .filter((entry) => !entry.name.startsWith('.'))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort()
    if (names.length === 0) return `${head}\n(the folder is empty)`
    const plain = names.filter(isPlain)
    const shown = plain.slice(0, limits.surroundingsEntries)
    const rest = names.length - shown.length
    const more = rest > 0 ? `\n… and ${rest} more: list_files shows them` : ''
    if (shown.length === 0) return `${head}${more}`
    return `${head}\n${fenced(shown.join('\n'), [namesOfFolder])}${more}`
  } catch {
    // The first action that reads it will say why: a thread that needs no files can go on.
    return `${head}\n(it cannot be read now)`
  }
}

/**
 * A name of somebody else's that can hardly be more than a name: it does not taint a thread that it begins with. Longer ones, and
 * those with other signs, are read with list_files, which does.
 */
function isPlain(name: string): boolean {
  return /^[\p{L}\p{M}\p{N} ._\-+@()&',#]{1,60}\/?$/u.test(name) && name.split(' ').length <= 6
}

const namesOfFolder = sourceOf('file', 'names in the project folder')
const head = '## The project folder holds'
