import { AppError } from '../../../domain/error.ts'
import { type Root, withFile } from '../../paths.ts'

/**
 * Why git may not look at this repository without asking: its own configuration can name programs that even `git status`
 * runs, and a project's folder may come from anywhere. Null where it names none.
 */
export async function repositoryConcern(root: Root): Promise<string | null> {
  try {
    const text = await withFile(root, '.git/config', async ({ handle, bytes }) =>
      bytes > maxBytes ? null : (await handle.readFile()).toString('utf8'),
    )
    if (text === null) return 'the configuration of this repository is too large to be looked at'
    const named = runsPrograms.exec(text)?.[0]
    return named === undefined ? null : `the configuration of this repository can run programs (${named.trim()})`
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return 'the project folder is not the top of a plain git repository'
  }
}

const maxBytes = 65_536
// Also what leads to another configuration, or makes git fetch.
const runsPrograms =
  /(?:^|[[\]])\s*(?:fsmonitor|pager|external|textconv|clean|smudge|process|program|command|alternaterefs\w*|driver|sshcommand|hookspath|askpass|include|includeif|submodule|worktreeconfig|worktree|promisor|partialclone|attributesfile|cmd|editor|helper|showsignature)\b/im
