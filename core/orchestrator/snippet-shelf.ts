import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { namedSnippets, type PreparedSnippet, prepareSnippet, type Snippet } from './code/snippets.ts'

/** The snippets of one code step: what stands before the code, and what was left out of it. */
export interface StepSnippets {
  /** '' for none. */
  readonly before: string
  /** With the lines of `before` that each stands on. */
  readonly used: readonly UsedSnippet[]
  readonly leftOut: readonly { readonly snippet: Snippet; readonly reason: string }[]
}

export interface UsedSnippet {
  readonly snippet: Snippet
  readonly firstLine: number
  readonly lastLine: number
}

export interface SnippetShelf {
  /** Those that the code names. Each was compiled alone, in a child, the first time: a broken one is left out and told. */
  for(
    code: { readonly source: string; readonly known: readonly string[] },
    offered: readonly Snippet[],
  ): Promise<StepSnippets>
}

type Verdict = PreparedSnippet | string

export function createSnippetShelf(sandbox: Sandbox): SnippetShelf {
  const verdicts = new Map<string, Verdict>()

  async function verdictOn(snippet: Snippet, known: readonly string[]): Promise<Verdict> {
    const key = JSON.stringify([snippet, known])
    const before = verdicts.get(key)
    if (before !== undefined) return before
    const prepared = prepareSnippet(snippet, known)
    const fault = typeof prepared === 'string' ? prepared : await compileFault(prepared, sandbox)
    const verdict = typeof fault === 'object' && fault !== null ? fault.passing : (fault ?? prepared)
    // A sandbox that died or was too slow says nothing of the snippet.
    if (typeof fault === 'object' && fault !== null) return verdict
    if (verdicts.size >= mostKept) verdicts.clear()
    verdicts.set(key, verdict)
    return verdict
  }

  return {
    async for({ source, known }, offered) {
      const used: UsedSnippet[] = []
      const leftOut: { snippet: Snippet; reason: string }[] = []
      const names = new Set<string>()
      let before = ''
      let line = 1
      for (const snippet of namedSnippets(source, offered)) {
        const verdict = await verdictOn(snippet, known)
        const clash = typeof verdict === 'string' ? undefined : verdict.names.find((name) => names.has(name))
        if (typeof verdict === 'string' || clash !== undefined) {
          const reason = typeof verdict === 'string' ? verdict : `another snippet has a function ${clash} already`
          leftOut.push({ snippet, reason })
          continue
        }
        for (const name of verdict.names) names.add(name)
        const text = `${verdict.definitions}\n`
        const lines = text.split('\n').length - 1
        used.push({ snippet, firstLine: line, lastLine: line + lines - 1 })
        before += text
        line += lines
      }
      return { before, used, leftOut }
    },
  }
}

const mostKept = 1_000
const compileLimits = { durationMs: 1_000, memoryBytes: limits.codeMemoryBytes }

/** Why it does not compile; null where it does. A definition calls nothing: the first call is our own, at its end. */
async function compileFault(
  { program }: PreparedSnippet,
  sandbox: Sandbox,
): Promise<string | { readonly passing: string } | null> {
  try {
    const vm = await sandbox.start({ name: 'snippet', code: program }, { state: {} }, compileLimits)
    try {
      const { state } = vm
      if (state.kind === 'failed') return state.error.message
      return state.kind === 'call' && state.name === '__save_state__' ? null : 'it does something by being there'
    } finally {
      vm.close()
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'engine.stopped') throw error
    return { passing: error.message }
  }
}
