import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../../domain/error.ts'
import { type Root, withFile } from '../../paths.ts'

/**
 * Why git may not look at this repository without asking: a project's folder may come from anywhere, and what lies in
 * `.git` can name programs that even `git status` and `git diff` run (each tried with git 2.39). Null where nothing does.
 */
export async function repositoryConcern(root: Root): Promise<string | null> {
  try {
    return (await configConcern(root)) ?? (await folderConcern(root)) ?? (await indexConcern(root))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return 'the project folder is not the top of a plain git repository'
  }
}

const configBytes = 65_536
// Also what leads to another configuration, or makes git fetch.
const runsPrograms =
  /(?:^|[[\]])\s*(?:fsmonitor|pager|external|textconv|clean|smudge|process|program|command|alternaterefs\w*|driver|sshcommand|hookspath|askpass|include|includeif|submodule|worktreeconfig|worktree|promisor|partialclone|attributesfile|cmd|editor|helper|showsignature)\b/im

async function configConcern(root: Root): Promise<string | null> {
  const text = (await readSmall(root, '.git/config', configBytes))?.toString('utf8')
  if (text === undefined) return 'the configuration of this repository is too large to be looked at'
  const named = runsPrograms.exec(text)?.[0]
  return named === undefined ? null : `the configuration of this repository can run programs (${named.trim()})`
}

async function folderConcern({ folder }: Root): Promise<string | null> {
  const names = await readdir(path.join(folder, '.git'))
  const elsewhere = names.find((name) => /^(?:commondir|config\.worktree|sharedindex\..*)$/i.test(name))
  if (elsewhere !== undefined) return `the repository keeps a part of itself elsewhere (${elsewhere})`
  const hooks = names.includes('hooks') ? await readdir(path.join(folder, '.git/hooks')) : []
  // git diff refreshes the index, and then runs this one.
  const hook = hooks.find((name) => /^post-index-change$/i.test(name))
  return hook === undefined ? null : `the repository has a hook that looking at it can run (${hook})`
}

const indexBytes = 32 * 1_048_576
/** The mode of a nested repository in the index, whose own configuration git would follow. Chance hits only cost a question. */
const nestedMode = Buffer.from([0, 0, 0xe0, 0])

async function indexConcern(root: Root): Promise<string | null> {
  const index = await readSmall(root, '.git/index', indexBytes).catch((error: unknown) => {
    // Nothing was ever added.
    if (error instanceof AppError && error.code === 'action.not_found') return Buffer.alloc(0)
    throw error
  })
  if (index === null) return 'the index of this repository is too large to be looked at'
  return index.includes(nestedMode) ? 'the repository may hold other repositories' : null
}

function readSmall(root: Root, file: string, maxBytes: number): Promise<Buffer | null> {
  return withFile(root, file, async ({ handle, bytes }) => (bytes > maxBytes ? null : handle.readFile()))
}
