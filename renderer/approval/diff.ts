/** A piece of a line; marked is what changed within it. */
export interface DiffPart {
  readonly text: string
  readonly isMarked: boolean
}

/** One line of a unified diff; numbers count from 1, null on the side where there is no such line. */
export interface DiffLine {
  readonly kind: 'same' | 'add' | 'del'
  readonly before: number | null
  readonly after: number | null
  readonly parts: readonly DiffPart[]
}

/** A run of lines around changes, or lines between them that stayed as they are. */
export interface DiffRun {
  readonly kind: 'shown' | 'folded'
  readonly lines: readonly DiffLine[]
}

export interface TextDiff {
  readonly runs: readonly DiffRun[]
  readonly added: number
  readonly removed: number
  /** The last line of which side has no line end; null where both sides agree. */
  readonly lineEnd: 'lost' | 'gained' | null
}

const contextLines = 3
/** A run of fewer unchanged lines is not worth folding. */
const leastFolded = 3
/** Beyond this many edits two texts have so little in common that all of it counts as replaced. */
const mostEdits = 1_500
const mostWordEdits = 200
/** Of its words: two lines that share less are two lines, not one that changed. */
const leastShared = 0.3

/** What changed between two texts, line by line, with the words that changed inside a line. Null: there is no such file. */
export function diffTexts(before: string | null, after: string | null): TextDiff {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const lines = markWords(diffLines(old, fresh))
  return {
    runs: foldRuns(lines),
    added: lines.filter(({ kind }) => kind === 'add').length,
    removed: lines.filter(({ kind }) => kind === 'del').length,
    lineEnd: lineEndOf(before, after),
  }
}

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function lineEndOf(before: string | null, after: string | null): TextDiff['lineEnd'] {
  if (!before || !after) return null
  const [had, has] = [before.endsWith('\n'), after.endsWith('\n')]
  return had === has ? null : had ? 'lost' : 'gained'
}

type Pair = readonly [old: number | null, fresh: number | null]

function diffLines(old: readonly string[], fresh: readonly string[]): readonly DiffLine[] {
  return pairsOf(old, fresh, mostEdits).map(([from, to]): DiffLine => {
    const text = (to === null ? old[from ?? 0] : fresh[to]) ?? ''
    return {
      kind: from === null ? 'add' : to === null ? 'del' : 'same',
      before: from === null ? null : from + 1,
      after: to === null ? null : to + 1,
      parts: [{ text, isMarked: false }],
    }
  })
}

/** Which items of two lists belong together, in order; null for what is on one side only. What both begin and end with is cut off first. */
function pairsOf(old: readonly string[], fresh: readonly string[], most: number): readonly Pair[] {
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1
  let tail = 0
  const room = Math.min(old.length, fresh.length) - head
  while (tail < room && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1
  const middle = shortestEdit(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail), most)
  const moved = middle.map(([a, b]): Pair => [a === null ? null : a + head, b === null ? null : b + head])
  const same = (count: number, a: number, b: number) => Array.from({ length: count }, (_, n): Pair => [a + n, b + n])
  return [...same(head, 0, 0), ...moved, ...same(tail, old.length - tail, fresh.length - tail)]
}

/** Myers' greedy search: the fewest insertions and deletions. More than `most` of them: everything is replaced. */
function shortestEdit(old: readonly string[], fresh: readonly string[], most: number): readonly Pair[] {
  const trail: Int32Array[] = []
  const size = Math.min(old.length + fresh.length, most)
  let reach = new Int32Array(2 * size + 3)
  for (let edits = 0; edits <= size; edits += 1) {
    trail.push(reach)
    reach = reach.slice()
    for (let k = -edits; k <= edits; k += 2) {
      let x = stepOf(trail[edits] ?? reach, { k, edits, size })
      while (x < old.length && x - k < fresh.length && old[x] === fresh[x - k]) x += 1
      reach[k + size + 1] = x
      if (x >= old.length && x - k >= fresh.length) return walkBack(trail, { old, fresh, size, edits })
    }
  }
  return [...old.map((_, at): Pair => [at, null]), ...fresh.map((_, at): Pair => [null, at])]
}

/** How far diagonal `k` gets by one more edit: a deletion from the left, or an insertion from above. */
function stepOf(reach: Int32Array, at: { readonly k: number; readonly edits: number; readonly size: number }): number {
  const { k, edits, size } = at
  if (edits === 0) return 0
  const [left, above] = [reach[k + size] ?? 0, reach[k + size + 2] ?? 0]
  return k === -edits || (k !== edits && left < above) ? above : left + 1
}

interface Walked {
  readonly old: readonly string[]
  readonly fresh: readonly string[]
  readonly size: number
  readonly edits: number
}

function walkBack(trail: readonly Int32Array[], { old, fresh, size, edits }: Walked): readonly Pair[] {
  const pairs: Pair[] = []
  let [x, y] = [old.length, fresh.length]
  for (let left = edits; left >= 0; left -= 1) {
    const reach = trail[left]
    if (reach === undefined) break
    const k = x - y
    const isInsertion = left > 0 && (k === -left || (k !== left && (reach[k + size] ?? 0) < (reach[k + size + 2] ?? 0)))
    const startX = left === 0 ? 0 : isInsertion ? (reach[k + size + 2] ?? 0) : (reach[k + size] ?? 0) + 1
    while (x > startX) {
      x -= 1
      y -= 1
      pairs.push([x, y])
    }
    if (left === 0) break
    if (isInsertion) y -= 1
    else x -= 1
    pairs.push(isInsertion ? [null, y] : [x, null])
  }
  return pairs.reverse()
}

/** Lines that stand for each other in one change are compared word by word; deletions stand before insertions. */
function markWords(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked: DiffLine[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]
    if (line === undefined) break
    if (line.kind === 'same') {
      marked.push(line)
      at += 1
      continue
    }
    let end = at
    while (end < lines.length && lines[end]?.kind !== 'same') end += 1
    const block = lines.slice(at, end)
    marked.push(
      ...markBlock(
        block.filter(({ kind }) => kind === 'del'),
        block.filter(({ kind }) => kind === 'add'),
      ),
    )
    at = end
  }
  return marked
}

function markBlock(gone: readonly DiffLine[], come: readonly DiffLine[]): readonly DiffLine[] {
  const pairs = gone.map((line, at) => wordsOf(textOf(line), textOf(come[at])))
  const [left, right] = [gone, come].map((side, which) =>
    side.map((line, at): DiffLine => ({ ...line, parts: pairs[at]?.[which === 0 ? 'old' : 'fresh'] ?? line.parts })),
  )
  return [...(left ?? []), ...(right ?? [])]
}

function textOf(line: DiffLine | undefined): string | undefined {
  return line?.parts[0]?.text
}

interface MarkedPair {
  readonly old: readonly DiffPart[]
  readonly fresh: readonly DiffPart[]
}

function wordsOf(old: string | undefined, fresh: string | undefined): MarkedPair | undefined {
  if (old === undefined || fresh === undefined) return undefined
  const [oldWords, freshWords] = [splitWords(old), splitWords(fresh)]
  const pairs = pairsOf(oldWords, freshWords, mostWordEdits)
  const isWord = (text: string) => /\S/.test(text)
  const shared = pairs.filter(([a, b]) => a !== null && b !== null && isWord(oldWords[a] ?? '')).length
  const longest = Math.max(oldWords.filter(isWord).length, freshWords.filter(isWord).length)
  if (longest === 0 || shared / longest < leastShared) return undefined
  return {
    old: joined(pairs.flatMap(([a, b]) => (a === null ? [] : [{ text: oldWords[a] ?? '', isMarked: b === null }]))),
    fresh: joined(pairs.flatMap(([a, b]) => (b === null ? [] : [{ text: freshWords[b] ?? '', isMarked: a === null }]))),
  }
}

function splitWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

function joined(parts: readonly DiffPart[]): readonly DiffPart[] {
  const result: DiffPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (last && last.isMarked === part.isMarked) result[result.length - 1] = { ...last, text: last.text + part.text }
    else result.push(part)
  }
  return result
}

function foldRuns(lines: readonly DiffLine[]): readonly DiffRun[] {
  const isNear = new Uint8Array(lines.length)
  for (const [at, { kind }] of lines.entries()) {
    if (kind !== 'same') isNear.fill(1, Math.max(0, at - contextLines), at + contextLines + 1)
  }
  const runs: { kind: DiffRun['kind']; lines: DiffLine[] }[] = []
  for (const [at, line] of lines.entries()) {
    const kind = isNear[at] === 1 ? 'shown' : 'folded'
    const last = runs.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else runs.push({ kind, lines: [line] })
  }
  return runs.map((run) => (run.lines.length < leastFolded ? { ...run, kind: 'shown' } : run))
}
