const maxLines = 20_000
const maxCharacters = 200

/** The line that is most like the first line of `find` that says anything; undefined where none is like it. */
export function nearestLine(text: string, find: string): { readonly line: number; readonly text: string } | undefined {
  const wanted = find.split('\n').find((line) => line.trim() !== '')
  if (wanted === undefined) return undefined
  const pairs = pairsOf(wanted)
  let best: { readonly line: number; readonly text: string } | undefined
  let bestLikeness = 0.3
  for (const [at, line] of text.split('\n', maxLines).entries()) {
    const likeness = likenessOf(pairs, pairsOf(line))
    if (likeness <= bestLikeness) continue
    bestLikeness = likeness
    best = { line: at + 1, text: line.replace(/\r$/, '').slice(0, maxCharacters).toWellFormed() }
  }
  return best
}

/** Letter pairs of the beginning: blanks and case do not count. */
function pairsOf(line: string): ReadonlySet<string> {
  const letters = line.slice(0, maxCharacters).replace(/\s+/g, '').toLowerCase()
  return new Set(Array.from({ length: Math.max(letters.length - 1, 0) }, (_, at) => letters.slice(at, at + 2)))
}

/** Shared pairs ÷ all pairs, in [0, 1]. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length
  const all = one.size + other.size - shared
  return all === 0 ? 0 : shared / all
}
