import path from 'node:path'
import type { Environment } from '../../action.ts'
import { isWithin } from '../../paths.ts'

/** The folders of one run. Absolute; `home` and `temporary` are its own and are gone after it. */
export interface RunPlaces {
  readonly folder: string
  readonly dataDir: string
  readonly home: string
  readonly temporary: string
}

const passedOn = /^(?:PATH|LANG|LC_[A-Z]+|SystemRoot|ComSpec|PATHEXT)$/i
const systemPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

/** All that a command sees of an environment: nothing of the app's, nothing that could be a key. */
export function commandEnvironment(given: Environment, places: RunPlaces, timeZone: string): Record<string, string> {
  const kept = Object.entries(given).filter((entry): entry is [string, string] => passedOn.test(entry[0]) && !!entry[1])
  return {
    ...Object.fromEntries(kept),
    PATH: searchPath(given.PATH ?? systemPath, places).join(path.delimiter),
    HOME: places.home,
    TMPDIR: places.temporary,
    TMP: places.temporary,
    TEMP: places.temporary,
    TERM: 'dumb',
    TZ: timeZone,
    // Nobody is there to answer or to page, and looking at a repository must not write to it.
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  }
}

/** Without the project's own folders: a file called `ls` in the project must not become `ls`. */
function searchPath(given: string, { folder, dataDir }: RunPlaces): string[] {
  return given
    .split(path.delimiter)
    .filter((each) => path.isAbsolute(each) && !isWithin(folder, each) && !isWithin(dataDir, each))
}
