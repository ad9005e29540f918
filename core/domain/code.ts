/** Why a code step failed. Source: engine-behaviour 1.3. */
export const codeCategories = [
  'syntax_error',
  'runtime_error',
  'name_lookup',
  'vm_panic',
  'resource_limit',
  'tool_error',
  'os_denied',
] as const
export type CodeCategory = (typeof codeCategories)[number]

const fence = /^ {0,3}(`{3,})(repl|python|py)[ \t]*\n([\s\S]*?)\n? {0,3}\1`*[ \t]*$/gm

/**
 * The code of an answer: every fenced block marked `repl`, `python` or `py`, of the first of these markers that occurs,
 * joined by blank lines; null where there is none or a block never closes. Source: RULES 34, engine-behaviour 4.2.
 */
export function codeOf(text: string): { readonly code: string; readonly blocks: number } | null {
  if (!text.includes('```')) return null
  const found = [...text.matchAll(fence)].map((match) => ({ marker: match[2] ?? '', code: match[3] ?? '' }))
  for (const marker of ['repl', 'python', 'py']) {
    const blocks = found.filter((block) => block.marker === marker && block.code.trim() !== '')
    if (blocks.length > 0) return { code: blocks.map((block) => block.code).join('\n\n'), blocks: blocks.length }
  }
  return null
}
