import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { isWithin, type Root } from '../../paths.ts'
import { pathsIn } from './program.ts'

/**
 * Why a command that reads may not run by itself after all: an argument is a link that leads out of the project, or to the
 * app's own data. Null where none is. The letters of the arguments are judged before, by `classify`.
 */
export async function linkOutside(argv: readonly string[], { folder, dataDir }: Root): Promise<string | null> {
  for (const argument of argv.slice(1)) {
    for (const each of pathsIn(argument)) {
      const target = await realpath(path.resolve(folder, each)).catch((error: unknown) => (isAbsent(error) ? null : ''))
      if (target === '' || (target !== null && (!isWithin(folder, target) || isWithin(dataDir, target)))) {
        return `${argument} is a link that leads out of the project folder`
      }
    }
  }
  return null
}

/** What is not there cannot be read. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(String(error.code))
}
