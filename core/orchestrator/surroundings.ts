import { readdir } from 'node:fs/promises'
import { limits } from '../domain/limits.ts'
import { sanitizeText } from '../domain/text.ts'

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
    const shown = names.slice(0, limits.surroundingsEntries)
    const rest = names.length - shown.length
    const more = rest > 0 ? `\n… and ${rest} more: list_files shows them` : ''
    return sanitizeText(`${head}\n${shown.join('\n')}${more}`)
  } catch {
    // The first action that reads it will say why: a thread that needs no files can go on.
    return `${head}\n(it cannot be read now)`
  }
}

const head = '## The project folder holds'
