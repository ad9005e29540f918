import fs from 'node:fs'
import type { ApiOutput } from '../api.ts'
import { AppError } from '../domain/error.ts'
import type { Access } from './access.ts'
import type { Terminal } from './terminal.ts'

/** `orchestrator versions`: the bundled loop first. */
export async function listVersions(access: Access, terminal: Terminal): Promise<number> {
  for (const version of await access.call('orchestrator.list', {})) {
    const { version: number, parent, state, source, reason, sha256, failures } = version
    terminal.json({ version: number, parent, state, source, reason, sha256, failures, createdAt: madeAt(version) })
    const failed = failures === 0 ? '' : `  ${failures} failures of its own`
    const shownState = terminal.status(state.padEnd(9), state !== 'failed')
    terminal.line(`v${String(number).padEnd(4)} `, shownState, `  ${reason}${failed}  `, terminal.dim(source))
  }
  return 0
}

/** `orchestrator show [N]`: with its code; the one that new threads begin with where none is named. */
export async function showVersion(access: Access, terminal: Terminal, number: number | undefined): Promise<number> {
  const active = (await access.call('orchestrator.list', {})).findLast(({ state }) => state === 'active')
  const version = await access.call('orchestrator.get', { version: number ?? active?.version ?? 0 })
  const { parent, code, sha256, reason, source, state, failures } = version
  const facts = {
    version: version.version,
    parent,
    state,
    source,
    reason,
    sha256,
    failures,
    createdAt: madeAt(version),
  }
  terminal.json({ ...facts, code })
  terminal.line(`version ${version.version}: ${reason}`)
  terminal.line(terminal.dim(`${state}, by ${source}, after version ${parent}, ${failures} failures, ${sha256}`))
  terminal.line(`\n${code}`)
  return 0
}

type Review = ApiOutput<'orchestrator.review'>

export interface ProposeOptions {
  readonly file: string
  readonly reason: string
}

/** `orchestrator propose FILE`: an inert candidate, and how it does on the record. Exit 1 where the review finds it broken. */
export async function proposeVersion(access: Access, terminal: Terminal, options: ProposeOptions): Promise<number> {
  const { file, reason } = options
  const { version } = await access.call('orchestrator.propose', { code: readFile(file), reason })
  terminal.note(
    `version ${version} is a candidate; nothing runs it before \`threadsmith orchestrator activate ${version}\``,
  )
  const review = await access.call('orchestrator.review', { version })
  printReview(terminal, review)
  return 0
}

/** `orchestrator activate N`: reviewed first; then what new threads begin with. */
export async function activateVersion(access: Access, terminal: Terminal, version: number): Promise<number> {
  printReview(terminal, await access.call('orchestrator.activate', { version }))
  return 0
}

/** `orchestrator rollback [--to N]`: to the parent of the current one where none is named. */
export async function rollBack(access: Access, terminal: Terminal, to: number | undefined): Promise<number> {
  const { version, state } = await access.call('orchestrator.rollback', to === undefined ? {} : { to })
  terminal.json({ version, state })
  terminal.line(`version ${version} is ${state}`)
  return 0
}

function printReview(terminal: Terminal, { version: { version, state }, runs }: Review): void {
  terminal.json({ version, state, runs })
  for (const { thread, verdict, detail } of runs) {
    terminal.line(terminal.status(verdict.padEnd(5), verdict === 'same'), `  #${thread}  ${detail}`)
  }
  const same = runs.filter(({ verdict }) => verdict === 'same').length
  terminal.line(
    `version ${version} is ${state}`,
    runs.length === 0 ? '' : `; ${same} of ${runs.length} threads go alike`,
  )
}

function madeAt({ createdAt }: { readonly createdAt: number }): string | null {
  return createdAt === 0 ? null : new Date(createdAt).toISOString()
}

function readFile(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (cause) {
    throw new AppError('api.input', {
      message: `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      userMessage: `The file ${file} cannot be read. Nothing was proposed.`,
      cause,
    })
  }
}
