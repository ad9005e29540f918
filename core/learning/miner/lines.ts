import type { Line } from './emit.ts'
import { pythonNameOf } from './naming.ts'
import type { NodePlan } from './plan.ts'

/**
 * By line: the nodes whose calls show why it is there. A call shows its own line; a comparison, a loop's head or the return rests on
 * the results that it names; the head, a helper or an import on the lines that use it. None for a line that no call shows: a constant
 * that is given back. Source: RULES 22.
 */
export function nodesBehind(lines: readonly Line[], nodes: readonly NodePlan[]): readonly (readonly string[])[] {
  const named = lines.map(({ text }) => namesIn(text))
  const known = new Set(nodes.map(({ name }) => name))
  const called = new Map(nodes.map(({ name, calls }) => [name, calls.map(({ action }) => pythonNameOf(action))]))
  const direct = lines.map(({ node, serves }, at) => {
    if (serves !== undefined) return []
    const names = named[at] ?? []
    const isCall = node !== null && (called.get(node) ?? []).some((action) => names.includes(action))
    const found = names.map(nodeOf).filter((name) => known.has(name))
    return unique(isCall || (node !== null && found.length === 0) ? [node ?? ''] : found)
  })
  return lines.map(({ serves }, at) => {
    if (serves === undefined) return direct[at] ?? []
    return unique(direct.filter((_, other) => serves.some((name) => named[other]?.includes(name))).flat())
  })
}

/** Of `n3`, `n3_1`, `n3_item` that of the node. */
function nodeOf(name: string): string {
  return /^n\d+/.exec(name)?.[0] ?? name
}

/** Names that a line uses: no text, no keyword of a call, no part of another value. */
function namesIn(text: string): readonly string[] {
  const code = text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  return code.match(/(?<![.\w])[A-Za-z_]\w*(?!\w|=(?!=))/g) ?? []
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
