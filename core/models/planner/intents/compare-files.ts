import { byteText, code, inWords, paragraphs, tableText, timeText } from '../answer.ts'
import { isTableFile, loadCatalogue } from '../files/catalogue.ts'
import { chooseOne } from '../files/choose.ts'
import { targetOf, unknownNames } from '../files/target.ts'
import type { IntentFamily } from '../intent.ts'
import { has, leftOver, nounsOf } from '../language/grammar.ts'
import type { Concept } from '../language/lexicon.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { calculate, type FileFact, fileFacts, table } from '../results.ts'
import { scopeSlots } from './files-list.ts'

const cues: readonly Concept[] = [
  'compare',
  'larger',
  'smaller',
  'newer',
  'older',
  'difference',
  'same',
  'over',
  'under',
  'longest',
  'shortest',
  'largest',
  'smallest',
  'newest',
  'oldest',
  'after',
  'before',
  'duplicate',
  'highest',
  'lowest',
]
const plainCues: readonly Concept[] = [
  'compare',
  'larger',
  'smaller',
  'newer',
  'older',
  'difference',
  'same',
  'over',
  'under',
]
type Measure = 'bytes' | 'lines' | 'words' | 'modified'

/** "Compare a.csv and b.csv", "which is larger, a.txt or b.txt?", "are a.md and b.md identical?" */
export const compareFiles: IntentFamily = {
  name: 'compare-files',
  read(reading) {
    const concepts = [
      ...cues,
      'which',
      'and',
      'or',
      'than',
      'file',
      'size',
      'line',
      'word',
      'time',
      'show',
      'with',
      'find',
      'between',
      'count',
      'item',
      'contain',
      'row',
      'each',
      'top',
      'folder',
    ] as const
    const isAsked =
      has(reading, ...cues) &&
      leftOver(reading, { concepts, kinds: ['open', 'path', 'quoted', 'fileKind'] }).length === 0
    const paths = reading.units.filter((u) => u.kind === 'path').length
    // "The most stock" of "which product" names no two files to compare.
    if (paths < 2 && (!has(reading, ...plainCues) || has(reading, 'count', 'highest', 'lowest', 'row'))) return []
    const named = reading.units.filter((u) => u.kind === 'path' || u.kind === 'open' || u.kind === 'quoted').length
    if (!isAsked || named < 2) return []
    const measure = measureOf(reading)
    return [
      {
        intent: 'compare-files',
        score: 0.83,
        slots: { measure, ...scopeSlots(reading) },
        plan: () => plan(reading, measure),
      },
    ]
  },
}

function measureOf(reading: Reading): Measure {
  const nouns = nounsOf(reading).map((n) => n.concept)
  if (nouns.includes('word')) return 'words'
  if (nouns.includes('line') || has(reading, 'longest', 'shortest') || /\b(longer|shorter)\b/i.test(reading.text))
    return 'lines'
  if (
    has(reading, 'newer', 'older', 'newest', 'oldest', 'time') ||
    /\b(older|newer|younger) than\b/i.test(reading.text)
  )
    return 'modified'
  return 'bytes'
}

function* plan(reading: Reading, measure: Measure): Plan<Answer> {
  const target = targetOf(reading, yield* loadCatalogue())
  if (target.unknown.length > 0) return unknownNames(target.unknown)
  const paths: string[] = []
  for (const mention of target.mentions.filter((m) => m.files.length > 0)) {
    const choice = chooseOne(mention.files)
    if (choice && 'question' in choice) return answered(choice.question)
    if (choice && !paths.includes(choice.file.path)) paths.push(choice.file.path)
  }
  if (paths.length < 2) return declined('It needs two files to compare, and found fewer.')
  const facts = yield* fileFacts.one({ paths })
  const rows = yield* rowCounts(paths)
  const [a, b] = facts.files
  if (!a || !b) return declined('The files could not be examined.')
  const verdicts = facts.files.length === 2 ? yield* verdictTexts([a, b], measure, reading) : []
  const header = ['File', 'Size', 'Lines', 'Words', ...(rows.size > 0 ? ['Rows'] : []), 'Changed']
  const lines = facts.files.map((f) => [
    code(f.path),
    byteText(f.bytes),
    String(f.lines ?? ''),
    String(f.words ?? ''),
    ...(rows.size > 0 ? [rows.get(f.path) ?? ''] : []),
    timeText(f.modified),
  ])
  return answered(paragraphs(...verdicts, tableText(header, lines)))
}

function* rowCounts(paths: readonly string[]): Plan<ReadonlyMap<string, string>> {
  if (!paths.every(isTableFile)) return new Map()
  const results = yield* table.all(paths.map((path) => ({ path, limit: 1 })))
  return new Map(
    paths.flatMap((path, at) => {
      const result = results[at]
      return result?.ok ? [[path, String(result.value.rowsTotal)] as const] : []
    }),
  )
}

function* verdictTexts(
  [a, b]: readonly [FileFact, FileFact],
  measure: Measure,
  reading: Reading,
): Plan<readonly string[]> {
  const same = a.sha256 !== undefined && a.sha256 === b.sha256
  const sameText = `${inWords([a, b].map((f) => code(f.path)))} have ${same ? '**the same content** (equal SHA-256)' : '**different content** (their SHA-256 differ)'}.`
  if (same || has(reading, 'same', 'duplicate')) return [sameText]
  return [yield* rankText(a, b, measure), sameText]
}

function* rankText(a: FileFact, b: FileFact, measure: Measure): Plan<string> {
  if (measure === 'modified') {
    const later = a.modified >= b.modified ? a : b
    return a.modified === b.modified
      ? 'Both were changed at the same time.'
      : `${code(later.path)} is **newer**: it was changed ${timeText(later.modified)}.`
  }
  const [x, y] = [a[measure], b[measure]]
  if (x === undefined || y === undefined) return `Their ${measure} cannot be counted: not both are text.`
  const { value } = yield* calculate.one({ expression: `${x} - ${y}` })
  const { result } = yield* calculate.one({ expression: `abs(${x} - ${y})` })
  const noun = measure === 'bytes' ? 'bytes' : measure
  if (value === 0) return `Both have ${x} ${noun}.`
  const more = (value ?? 0) > 0 ? a : b
  const word = measure === 'bytes' ? 'larger' : `longer, by ${measure}`
  return `${code(more.path)} is **${word}**: ${more[measure]} ${noun}, ${result} more than ${code(more === a ? b.path : a.path)}.`
}
