import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Node, Parser } from 'web-tree-sitter'

const require = createRequire(import.meta.url)
let loading: Promise<Parser> | undefined

/** Runs `read` on the syntax tree of a bash text; the tree is gone when it returns. The grammar is loaded once. */
export async function withSyntaxTree<Result>(text: string, read: (root: Node) => Result): Promise<Result> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  const parser = await loading
  const tree = parser.parse(text)
  if (tree === null) throw new Error('the bash grammar gave no tree')
  try {
    return read(tree.rootNode)
  } finally {
    tree.delete()
  }
}

// Both files lie in node_modules beside the source checkout and beside the built app alike (ADR 008).
async function load(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter')
  const [runtime, grammar] = await Promise.all([
    readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
    readFile(require.resolve('tree-sitter-bash/tree-sitter-bash.wasm')),
  ])
  await Parser.init({ wasmBinary: runtime })
  return new Parser().setLanguage(await Language.load(grammar))
}
