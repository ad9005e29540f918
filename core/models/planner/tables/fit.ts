import { code, inWords, paragraphs } from '../answer.ts'
import { stemOf } from '../files/catalogue.ts'
import type { PlanContext } from '../intent.ts'
import { wordsOf } from '../language/lemma.ts'
import type { Concept } from '../language/lexicon.ts'
import { isConcept, type Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { answerQuestion } from './answer-question.ts'
import { answerTables } from './compare-tables.ts'
import { filtersOf } from './filters.ts'
import { type Piece, piecesOf } from './pieces.ts'
import { questionOf } from './question.ts'
import { type ColumnValues, loadValues, type Schema } from './schema.ts'
import { isPersonWord, synonymsOf } from './synonyms.ts'

const tablesWithValues = 6

/** A request tied to one table; the fewer unknown words, the better it fits. */
export interface Fit {
  readonly schema: Schema
  readonly values: readonly ColumnValues[]
  readonly pieces: readonly Piece[]
  readonly unknown: readonly string[]
  readonly weight: number
}

/** Ties the request to each table. Values are looked up where words are left, or where it matters that they repeat. */
export function* fitsOf(reading: Reading, schemas: readonly Schema[]): Plan<readonly Fit[]> {
  const plain = schemas.map((schema) => fit(reading, schema, [])).sort(better)
  const [only] = plain
  if (plain.length === 1 && only && !needsValues(reading, only)) return plain
  const tried = plain.slice(0, tablesWithValues)
  const values = yield* loadValues(tried.map((f) => f.schema))
  return tried.map(({ schema }) => fit(reading, schema, values.get(schema.path) ?? [])).sort(better)
}

const ranking: readonly Concept[] = [
  'highest',
  'lowest',
  'largest',
  'smallest',
  'top',
  'bottom',
  'newest',
  'oldest',
  'longest',
  'shortest',
]

// Words that are never a value of a column.
const functionWords: readonly Concept[] = [
  'count',
  'row',
  'column',
  'which',
  'who',
  'list',
  'average',
  'median',
  'per',
  'each',
  'with',
  'and',
  'or',
  'over',
  'under',
  'atLeast',
  'atMost',
  'between',
  'equals',
  'not',
  'than',
  'file',
  'sort',
  'ascending',
  'descending',
  'contain',
  'find',
  'compute',
  'when',
  'where',
]

// "books" may be a value, "open" may be one, too: only words that are columns or the file's own name are sure.
function needsValues(reading: Reading, { pieces }: Fit): boolean {
  const sure = pieces
    .filter((p) => p.kind === 'source' || (p.kind === 'column' && p.by === 'name'))
    .flatMap((p) => p.text.split(' '))
  const isSure = (text: string) => sure.some((word) => word.toLowerCase() === text.toLowerCase())
  const isOpen = reading.units.some(
    (u) =>
      (u.kind === 'open' || u.kind === 'quoted' || (u.kind === 'concept' && !isConcept(u, ...functionWords))) &&
      !u.tokens.every((t) => isSure(t.text)),
  )
  return isOpen || reading.units.some((u) => isConcept(u, ...ranking))
}

function fit(reading: Reading, schema: Schema, values: readonly ColumnValues[]): Fit {
  const pieces = piecesOf({ reading, schema, values })
  const unknown = pieces.filter((p) => p.kind === 'unknown').map((p) => p.text)
  const isDistinct = reading.units.some((u) => isConcept(u, 'distinct'))
  const weight = pieces.reduce(
    (sum, piece) => sum + weightOf(piece, schema) + (isDistinct && piece.kind === 'column' ? 1.5 : 0),
    0,
  )
  return { schema, values, pieces, unknown, weight }
}

function weightOf(piece: Piece, schema: Schema): number {
  switch (piece.kind) {
    case 'column':
      return piece.by === 'name' ? 3 : piece.by === 'part' ? 2 : 1
    case 'value':
      return piece.isPart ? 1.5 : 3
    case 'source':
      return sourceWeight
    case 'unknown':
      return -4
    case 'unit':
      return isConcept(piece.unit, ...ranking) ? hintWeight(piece.unit.tokens, schema) : 0
    default:
      return 0
  }
}

// "products" asks for the table of products before a column of that name in another table.
const sourceWeight = 3.5

/** "Cheapest" hints at a price: a table that has one fits a little better. */
function hintWeight(tokens: readonly { readonly lemma: string }[], schema: Schema): number {
  const hints = tokens.flatMap((t) => synonymsOf(t.lemma))
  const rank = hints.findIndex((word) => schema.columns.some((c) => c.words.includes(word)))
  return rank < 0 ? 0 : 1 - rank / 10
}

const better = (a: Fit, b: Fit): number => a.unknown.length - b.unknown.length || b.weight - a.weight

/** The table that fits best; several when they fit alike. */
export function bestOf(fits: readonly Fit[]): readonly Fit[] {
  const [best] = fits
  if (!best) return []
  return best.unknown.length > 0 || !isTied(best.pieces)
    ? [best]
    : fits.filter((f) => f.unknown.length === 0 && f.weight === best.weight)
}

// Left unused, these would have changed the meaning.
const telling: readonly Concept[] = [
  'not',
  'over',
  'under',
  'atLeast',
  'atMost',
  'between',
  'empty',
  'startsWith',
  'endsWith',
  'after',
  'before',
  'larger',
  'smaller',
  'newer',
  'older',
  'line',
  'word',
  'size',
  'time',
  'key',
  'about',
  'soldOut',
  'folder',
  'level',
]

/** Answers from one table; declines when a word is left that the answer would not account for. */
export function* answerFit({ schema, values, pieces, unknown }: Fit, context: PlanContext): Plan<Answer> {
  const nothingFits = declined(
    `No file, column or value in this project fits ${inWords(unknown.map((u) => `"${u}"`))}.`,
  )
  if (unknown.length > 1) return nothingFits
  if (!isTied(pieces))
    return unknown.length > 0 ? nothingFits : declined('The words name no file, column or value of this folder.')
  if (pieces.some((_, at) => isCountedPart(pieces, at)))
    return declined('It counts rows, and the thing to be counted is only a part of what stands in a column.')
  if (isAboutPeopleElsewhere(pieces, schema)) return declined(`${code(schema.path)} does not list people.`)
  const filters = yield* filtersOf(pieces, { schema, values }, context)
  const asked = questionOf(pieces, filters, { schema, values })
  if (pieces.some((p, at) => p.kind === 'unknown' && !filters.used.has(at))) return nothingFits
  // "How many did each person pay": without a column of persons the figure would be for all of them.
  if (pieces.some((p, at) => isLostGroup(pieces, at, p))) return declined('It finds no column to make the groups by.')
  const left = pieces.filter((piece, at) => !filters.used.has(at) && !asked.used.has(at) && !isAccounted(piece))
  if (left.length > 0 && asked.question.ask !== 'unclear')
    return declined(`It does not understand ${inWords(left.map((p) => `"${p.text}"`))} in this request.`)
  return yield* answerQuestion({ question: asked.question, filters, schema })
}

// "How many users are there?" does not ask for the rows of whatever table there is.
function isTied(pieces: readonly Piece[]): boolean {
  return pieces.some(
    (p) => p.kind === 'source' || p.kind === 'value' || p.kind === 'column' || (p.kind === 'rows' && p.lemma === 'row'),
  )
}

/** "How many people live in Nepal?" does not ask for the rows of a table of projects that has a column `country`. */
function isAboutPeopleElsewhere(pieces: readonly Piece[], schema: Schema): boolean {
  const saysPeople = pieces.some(
    (p) => p.lemma === 'person' && (p.kind === 'rows' || (p.kind === 'column' && p.by === 'synonym')),
  )
  const words = [...wordsOf(stemOf(schema.path)), ...schema.columns.flatMap((c) => c.words)]
  return saysPeople && !pieces.some((p) => p.kind === 'source') && !words.some(isPersonWord)
}

/** "How many schools are there" where a row is called "School Meals": the word is what is counted, no condition. */
function isCountedPart(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at]
  const isPlural = piece?.kind === 'value' && piece.isPart && piece.text.toLowerCase() !== piece.lemma
  const before = pieces[at - 1]
  return isPlural && before?.kind === 'unit' && isConcept(before.unit, 'count')
}

function isLostGroup(pieces: readonly Piece[], at: number, piece: Piece): boolean {
  if (piece.kind !== 'unit' || !isConcept(piece.unit, 'per', 'each') || /^(by|across)$/i.test(piece.text)) return false
  const next = pieces.slice(at + 1).find((p) => !(p.kind === 'unit' && p.unit.kind === 'filler'))
  return (
    next?.kind === 'rows' &&
    next.lemma !== 'row' &&
    pieces.some((p) => p.kind === 'unit' && isConcept(p.unit, 'count', 'sum', 'average', 'median'))
  )
}

function isAccounted(piece: Piece): boolean {
  if (piece.kind === 'source' || piece.kind === 'rows' || piece.kind === 'column') return true
  if (piece.kind !== 'unit') return false
  if (piece.unit.kind === 'filler' || piece.unit.kind === 'sign') return true
  return piece.unit.kind === 'concept' && !isConcept(piece.unit, ...telling)
}

/** The same question of several named tables, side by side. */
export function* answerEach(fits: readonly Fit[], context: PlanContext): Plan<Answer> {
  const unknown = [...new Set(fits.flatMap((f) => f.unknown))]
  if (unknown.length > 0)
    return declined(
      `Nothing in ${inWords(fits.map((f) => code(f.schema.path)))} fits ${inWords(unknown.map((u) => `"${u}"`))}.`,
    )
  const tasks = []
  for (const { schema, values, pieces } of fits) {
    const filters = yield* filtersOf(pieces, { schema, values }, context)
    tasks.push({ schema, filters, question: questionOf(pieces, filters, { schema, values }).question })
  }
  const together = yield* answerTables(tasks)
  if (together) return together
  const texts: string[] = []
  for (const task of tasks) {
    const answer = yield* answerQuestion(task)
    if (answer.kind === 'declined') return answer
    texts.push(answer.text)
  }
  return answered(paragraphs(...texts))
}
