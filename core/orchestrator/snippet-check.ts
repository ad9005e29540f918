import type { Sandbox } from '../sandbox/sandbox.ts'
import { createSnippetShelf } from './snippet-shelf.ts'

/** Why functions of a skill would be left out of a step's code; null where all of them compile. Runs nothing of them. */
export function createSnippetCheck(
  sandbox: Sandbox,
): (
  snippets: readonly { readonly name: string; readonly code: string }[],
  known: readonly string[],
) => Promise<string | null> {
  const shelf = createSnippetShelf(sandbox)
  return async (snippets, known) => {
    const offered = snippets.map(({ name, code }) => ({ skill: 'candidate', version: 0, name, code }))
    const source = snippets.map(({ name }) => `${name}()`).join('\n')
    const { leftOut } = await shelf.for({ source, known }, offered)
    return leftOut.length === 0 ? null : leftOut.map(({ snippet, reason }) => `${snippet.name}: ${reason}`).join('. ')
  }
}
