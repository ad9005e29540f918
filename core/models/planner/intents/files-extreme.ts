import { amount, byteText, code, inWords, paragraphs, tableText, timeText } from '../answer.ts'
import { extremeFigure } from '../figures.ts'
import { loadCatalogue } from '../files/catalogue.ts'
import { scopeNoun, scopeOf } from '../files/scope.ts'
import { isContainHarmless, isJudged, scopeConcepts, scopeKinds } from '../files/scope-words.ts'
import type { IntentFamily, PlanContext } from '../intent.ts'
import { has, leftOver, nounsOf, unitsOf } from '../language/grammar.ts'
import type { Concept } from '../language/lexicon.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { type FileFact, fileFacts } from '../results.ts'
import { entryRows, listScope, scopeSlots, unknownName } from './files-list.ts'

type Measure = 'bytes' | 'modified' | 'lines' | 'words' | 'characters'
interface Extreme {
  readonly measure: Measure
  readonly end: 'most' | 'least'
  readonly count: number
}

/** "What is the biggest file?", "the three newest PDFs", "which file has the most lines?" */
export const filesExtreme: IntentFamily = {
  name: 'files-extreme',
  read(reading) {
    const nouns = nounsOf(reading)
    const isText =
      nouns.some((n) => n.concept === 'line' || n.concept === 'word') && unitsOf(reading, 'open').length > 0
    const isChange = has(reading, 'newest', 'oldest') && has(reading, 'time') && unitsOf(reading, 'open').length === 0
    const isAboutFiles =
      (isText || isChange || nouns.some((n) => n.concept === 'file' || n.concept === 'item')) &&
      isContainHarmless(reading)
    const extreme = extremeOf(reading)
    if (
      !extreme ||
      !isAboutFiles ||
      isJudged(reading) ||
      nouns.some((n) => n.concept === 'row' || n.concept === 'column')
    )
      return []
    if (leftOver(reading, { concepts: [...scopeConcepts, ...extremeWords], kinds: scopeKinds }).length > 0) return []
    const slots = { measure: extreme.measure, end: extreme.end, count: extreme.count, ...scopeSlots(reading) }
    return [{ intent: 'extreme-files', score: 0.8, slots, plan: (context) => plan(reading, extreme, context) }]
  },
}

const extremeWords: readonly Concept[] = [
  'largest',
  'smallest',
  'newest',
  'oldest',
  'highest',
  'lowest',
  'longest',
  'shortest',
  'top',
  'bottom',
  'first',
  'last',
  'line',
  'word',
  'character',
  'show',
  'list',
  'find',
  'count',
  'larger',
  'smaller',
  'sort',
  'descending',
  'ascending',
  'contain',
  'each',
]

function extremeOf(reading: Reading): Extreme | undefined {
  const count = Number(unitsOf(reading, 'number')[0]?.value ?? (has(reading, 'top', 'bottom') ? 5 : 1))
  const nouns = nounsOf(reading).map((n) => n.concept)
  const text = nouns.includes('line')
    ? 'lines'
    : nouns.includes('word')
      ? 'words'
      : nouns.includes('character')
        ? 'characters'
        : undefined
  const isMost = has(reading, 'largest', 'highest', 'longest', 'top') || (text !== undefined && has(reading, 'larger'))
  const isLeast =
    has(reading, 'smallest', 'lowest', 'shortest', 'bottom') || (text !== undefined && has(reading, 'smaller'))
  if (text && (isMost || isLeast)) return { measure: text, end: isMost ? 'most' : 'least', count }
  if (has(reading, 'newest') || (has(reading, 'last', 'first') && has(reading, 'time'))) {
    return { measure: 'modified', end: has(reading, 'first') && !has(reading, 'newest') ? 'least' : 'most', count }
  }
  if (has(reading, 'oldest')) return { measure: 'modified', end: 'least', count }
  if (has(reading, 'longest', 'shortest')) return { measure: 'lines', end: isMost ? 'most' : 'least', count }
  if (has(reading, 'largest', 'smallest')) return { measure: 'bytes', end: isMost ? 'most' : 'least', count }
  if (has(reading, 'size') && has(reading, 'highest', 'lowest', 'top', 'bottom'))
    return { measure: 'bytes', end: isMost ? 'most' : 'least', count }
  return undefined
}

function* plan(reading: Reading, extreme: Extreme, context: PlanContext): Plan<Answer> {
  if (extreme.measure === 'bytes' || extreme.measure === 'modified')
    return yield* bySizeOrTime(reading, extreme, context)
  return yield* byText(reading, extreme, extreme.measure, context)
}

function* bySizeOrTime(reading: Reading, { measure, end, count }: Extreme, context: PlanContext): Plan<Answer> {
  const sort = { sort: measure === 'bytes' ? 'size' : 'modified', order: end === 'most' ? 'desc' : 'asc' }
  // One more than asked for, to see a tie.
  const { scope, listing } = yield* listScope(reading, { kind: 'file', limit: count + 1, sort }, context)
  if (scope.unknown.length > 0) return unknownName(scope)
  const shown = listing.entries.slice(0, count)
  const [first] = shown
  const where = `of the ${amount(listing.files, scopeNoun(scope))} ${scope.label === '' ? 'in this folder' : scope.label}`
  if (!first) return answered(`There are no ${scopeNoun(scope)}s ${scope.label || 'in this folder'}.`)
  const word =
    measure === 'bytes'
      ? end === 'most'
        ? 'largest'
        : 'smallest'
      : end === 'most'
        ? 'most recently changed'
        : 'longest unchanged'
  const next = listing.entries[count]
  const isTie =
    next !== undefined &&
    (measure === 'bytes' ? next.bytes === shown.at(-1)?.bytes : next.modified === shown.at(-1)?.modified)
  const tie = isTie && `${code(next.path)} is level with ${count === 1 ? 'it' : 'the last of them'}.`
  if (count === 1) {
    return answered(
      paragraphs(
        `The ${word} file is ${code(first.path)}: ${byteText(first.bytes)}, changed ${timeText(first.modified)}, ${where}.`,
        tie,
      ),
      first.path,
    )
  }
  return answered(
    paragraphs(
      `The ${amount(shown.length, `${word} file`)}, ${where}:`,
      tableText(['Name', 'Size', 'Changed'], entryRows(shown)),
      tie,
    ),
  )
}

/** Lines and words are known per file only; which is the most, `calculate` says, one rank at a time. */
function* byText(
  reading: Reading,
  { end, count }: Extreme,
  measure: 'lines' | 'words' | 'characters',
  context: PlanContext,
): Plan<Answer> {
  const scope = yield* scopeOf(reading, yield* loadCatalogue(), context)
  if (scope.unknown.length > 0) return unknownName(scope)
  const facts = yield* fileFacts.one({
    path: scope.folder,
    hash: false,
    ...(scope.pattern !== undefined && { pattern: scope.pattern }),
  })
  let left = facts.files.filter((f) => f[measure] !== undefined)
  if (left.length === 0) return declined('There are no text files to compare.')
  const where = `of the text files ${scope.label === '' ? 'in this folder' : scope.label}`
  const ranked: FileFact[] = []
  while (ranked.length < count && left.length > 0) {
    const figures = left.map((f) => f[measure] ?? 0)
    const value = yield* extremeFigure(figures, end === 'most' ? 'max' : 'min')
    const found = left.filter((f) => f[measure] === value)
    if (found.length === 0) return declined('The figures on record cannot be compared.')
    ranked.push(...found)
    left = left.filter((f) => f[measure] !== value)
  }
  const [first] = ranked
  const partly = facts.complete ? '' : 'Not every file could be looked at, so this is the answer for those that could.'
  if (count === 1 && ranked.length === 1 && first) {
    return answered(
      paragraphs(
        `${code(first.path)} has the ${end === 'most' ? 'most' : 'fewest'} ${measure} ${where}: **${first[measure]}**.`,
        partly,
      ),
      first.path,
    )
  }
  const rows = ranked.map((f) => [code(f.path), String(f[measure])])
  const head =
    count === 1
      ? `${inWords(ranked.map((f) => code(f.path)))} are level with the ${end === 'most' ? 'most' : 'fewest'} ${measure} ${where}:`
      : `The files with the ${end === 'most' ? 'most' : 'fewest'} ${measure}, ${where}:`
  return answered(paragraphs(head, tableText(['Name', measure], rows), partly))
}
