/** A line of a unified diff; `same` for what stays, and for the heads of its parts `head`. */
export interface DiffLine {
  readonly kind: 'head' | 'same' | 'removed' | 'added'
  readonly text: string
}

interface Edit {
  readonly kind: 'same' | 'removed' | 'added'
  readonly line: string
}

const contextLines = 3
/** Pairs of lines that are compared at most: beyond, what differs is shown as taken out and put in. */
const mostPairs = 4_000_000
const noNewline = '\\ No newline at end of file'

/** How one text becomes another, in unified form with three lines around; null is no file. Empty where nothing differs. */
export function unifiedDiff(file: string, before: string | null, after: string | null): readonly DiffLine[] {
  const hunks = hunksOf(editsOf(linesOf(before ?? ''), linesOf(after ?? '')))
  if (hunks.length === 0 && (before === null) === (after === null)) return []
  return [
    { kind: 'head', text: `--- ${before === null ? '/dev/null' : file}` },
    { kind: 'head', text: `+++ ${after === null ? '/dev/null' : file}` },
    ...hunks.flat(),
  ]
}

/** With their ends: a last line without one differs from the same line with one. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  const most = Math.min(before.length, after.length) - head
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const same = (lines: readonly string[]) => lines.map((line): Edit => ({ kind: 'same', line }))
  return [
    ...same(before.slice(0, head)),
    ...middleOf(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ]
}

/** By the longest common subsequence; what is taken out stands before what is put in. */
function middleOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const removed = (lines: readonly string[]) => lines.map((line): Edit => ({ kind: 'removed', line }))
  const added = (lines: readonly string[]) => lines.map((line): Edit => ({ kind: 'added', line }))
  if (before.length * after.length > mostPairs) return [...removed(before), ...added(after)]
  const width = after.length + 1
  const common = new Uint32Array((before.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const edits: Edit[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      edits.push({ kind: 'same', line: before[i] ?? '' })
      i += 1
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) edits.push(...removed(before.slice(i, ++i)))
    else edits.push(...added(after.slice(j, ++j)))
  }
  return [...edits, ...removed(before.slice(i)), ...added(after.slice(j))]
}

function hunksOf(edits: readonly Edit[]): readonly (readonly DiffLine[])[] {
  const changed = edits.flatMap(({ kind }, at) => (kind === 'same' ? [] : [at]))
  const ranges: { from: number; to: number }[] = []
  for (const at of changed) {
    const last = ranges.at(-1)
    if (last !== undefined && at - contextLines <= last.to) last.to = at + contextLines + 1
    else ranges.push({ from: Math.max(0, at - contextLines), to: at + contextLines + 1 })
  }
  return ranges.map(({ from, to }) => hunkOf(edits, from, to))
}

function hunkOf(edits: readonly Edit[], from: number, to: number): readonly DiffLine[] {
  const inside = edits.slice(from, to)
  const lines = (list: readonly Edit[], not: Edit['kind']) => list.filter(({ kind }) => kind !== not).length
  const before = edits.slice(0, from)
  const span = (not: Edit['kind']) => {
    const length = lines(inside, not)
    return `${lines(before, not) + (length === 0 ? 0 : 1)},${length}`
  }
  const head = { kind: 'head', text: `@@ -${span('added')} +${span('removed')} @@` } as const
  return [head, ...inside.flatMap(shown)]
}

const signs = { same: ' ', removed: '-', added: '+' }

function shown({ kind, line }: Edit): readonly DiffLine[] {
  const text = `${signs[kind]}${line.replace(/\n$/, '')}`
  return line.endsWith('\n')
    ? [{ kind, text }]
    : [
        { kind, text },
        { kind, text: noNewline },
      ]
}
