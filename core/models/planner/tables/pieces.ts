import { stemOf } from '../files/catalogue.ts'
import { lemmaOf, wordsOf } from '../language/lemma.ts'
import type { Concept } from '../language/lexicon.ts'
import { isConcept, type Reading, type Unit } from '../language/reading.ts'
import { isOneSlipApart } from '../language/spelling.ts'
import type { Token } from '../language/tokens.ts'
import { type Column, type ColumnValues, isIdentifier, type Schema } from './schema.ts'
import { isRowNoun, isSoftWord, synonymsOf } from './synonyms.ts'

/** A stretch of the request, tied to the table where it can be. `unknown` fits nothing in it. */
export type Piece = { readonly text: string; readonly lemma: string } & (
  | {
      readonly kind: 'column'
      readonly columns: readonly Column[]
      readonly by: 'name' | 'part' | 'synonym'
      readonly unit: Unit | undefined
    }
  | { readonly kind: 'value'; readonly column: string; readonly value: string; readonly isPart: boolean }
  | { readonly kind: 'rows' | 'source' | 'unknown' | 'quoted' }
  | { readonly kind: 'unit'; readonly unit: Unit }
)

// These words build the sentence; a column or value of the same name does not change that.
const structural: readonly Concept[] = [
  'per',
  'than',
  'with',
  'not',
  'and',
  'or',
  'over',
  'under',
  'atLeast',
  'atMost',
  'between',
  'equals',
  'count',
  'which',
  'who',
  'list',
  'find',
  'average',
  'median',
  'contain',
  'each',
  'startsWith',
  'endsWith',
  'after',
  'before',
  'compare',
  'difference',
  'sort',
  'when',
  'where',
  'highest',
  'lowest',
  'largest',
  'smallest',
  'newest',
  'oldest',
]
const longestPhrase = 6

interface Grounding {
  readonly reading: Reading
  readonly schema: Schema
  readonly values: readonly ColumnValues[]
}

/** Ties every word of a request to a table. */
export function piecesOf(grounding: Grounding): readonly Piece[] {
  const { units } = grounding.reading
  const tokens = units.flatMap((unit, at) => unit.tokens.map((token) => ({ token, unit, at })))
  const pieces: Piece[] = []
  for (let at = 0; at < tokens.length; ) {
    const found = phraseAt(tokens, at, grounding)
    if (found) {
      pieces.push(found.piece)
      at += found.length
      continue
    }
    const here = tokens[at]
    if (!here) break
    // "On Friday" where a column says on which day: the word is a value, not a date.
    if (here.unit.kind === 'date' && /^(?:on|in|for|of|during)$/.test(here.token.lower)) {
      const value = phraseAt(tokens, at + 1, grounding)
      if (value?.piece.kind === 'value') {
        const unit: Unit = { text: here.token.text, tokens: [here.token], kind: 'filler' }
        pieces.push({ text: unit.text, lemma: here.token.lemma, kind: 'unit', unit }, value.piece)
        at += 1 + value.length
        continue
      }
    }
    const isWhole = here.unit.tokens[0] === here.token
    if (isUnitOfMeasure(here.token, pieces.at(-1))) {
      pieces.push({
        text: here.token.text,
        lemma: here.token.lemma,
        kind: 'unit',
        unit: { text: here.token.text, tokens: [here.token], kind: 'filler' },
      })
      at += 1
      continue
    }
    pieces.push(
      loosePiece(isWhole ? here.unit : { text: here.token.text, tokens: [here.token], kind: 'filler' }, grounding),
    )
    at += isWhole ? here.unit.tokens.length : 1
  }
  return pieces
}

const measureWords = new Set(
  'year day hour minute second week month kg g km m cm mm mile kilo percent unit piece time point star page gram kilogram kilometre kilometer degree'.split(
    ' ',
  ),
)

// "older than 30 years", "at least 5 units": the word only says what the number counts.
function isUnitOfMeasure(token: Token, before: Piece | undefined): boolean {
  return measureWords.has(token.lemma) && before?.kind === 'unit' && before.unit.kind === 'number'
}

interface Placed {
  readonly token: Token
  readonly unit: Unit
  readonly at: number
}

function phraseAt(
  tokens: readonly Placed[],
  at: number,
  grounding: Grounding,
): { piece: Piece; length: number } | undefined {
  for (let length = Math.min(longestPhrase, tokens.length - at); length > 0; length -= 1) {
    const run = tokens.slice(at, at + length)
    if (run.some((p) => p.token.kind === 'sign' && p.token.text !== '-' && p.token.text !== '&')) continue
    if (run[0]?.unit.kind === 'path' || (run[0]?.unit.kind === 'date' && length > run[0].unit.tokens.length)) continue
    const words = run.flatMap((p) => wordsOf(p.token.text))
    if (words.length === 0) continue
    const piece = exactPiece(run, words.join(' '), grounding)
    if (piece) return { piece, length }
  }
  return undefined
}

function exactPiece(run: readonly Placed[], phrase: string, { schema, values }: Grounding): Piece | undefined {
  const text = run.map((p) => p.token.text).join(' ')
  const isQuoted = run.length === 1 && run[0]?.unit.kind === 'quoted'
  const base = { text, lemma: phrase }
  const column = schema.columns.filter((c) => c.words.join(' ') === phrase)
  const isStructural = run.every(
    (p) => isConcept(p.unit, ...structural) || (p.unit.kind === 'filler' && !isShouted(p.token)),
  )
  if (isStructural && !isQuoted) return undefined
  const isNumber = run.every((p) => p.token.kind === 'number')
  const mixed =
    run.length > 1 && run.every((p) => p.unit.kind === 'open' || p.unit.kind === 'concept')
      ? mixedColumns(phrase, schema)
      : []
  if (mixed.length > 0) return { ...base, kind: 'column', columns: mixed, by: 'part', unit: run[0]?.unit }
  if (column.length > 0 && !isNumber)
    return { ...base, kind: 'column', columns: column, by: 'name', unit: run[0]?.unit }
  if (isNumber || run.some((p) => p.unit.kind === 'date' && /\d/.test(p.unit.text))) return undefined
  if (run[0]?.at === 0 && run.length === 1 && isConcept(run[0].unit, 'show')) return undefined
  for (const { column, values: known } of values) {
    const value =
      known.find((v) => v.toLowerCase() === text.toLowerCase()) ?? known.find((v) => wordsOf(v).join(' ') === phrase)
    if (value !== undefined) return { ...base, kind: 'value', column, value, isPart: false }
  }
  return undefined
}

// "post score" for `scores.post`: all of the words, in any order; columns of just these words win.
function mixedColumns(phrase: string, { columns }: Schema): readonly Column[] {
  const words = phrase.split(' ')
  const holding = columns.filter((c) => words.every((w) => c.words.includes(w)))
  const just = holding.filter((c) => c.words.length === words.length)
  return just.length > 0 ? just : holding.length === 1 ? holding : []
}

// "IT" and "US" are values, "it" and "us" are not.
const isShouted = (token: Token): boolean => /^\p{Lu}{2,}$/u.test(token.text)

function loosePiece(unit: Unit, grounding: Grounding): Piece {
  const { schema } = grounding
  const lemma = unit.tokens[0]?.lemma ?? ''
  const base = { text: unit.text, lemma }
  if (unit.kind === 'quoted') return { ...base, kind: 'quoted' }
  if (unit.kind === 'path') return pathPiece(unit, schema)
  if (unit.kind === 'fileKind' || isConcept(unit, 'file')) return { ...base, kind: 'source' }
  if (isConcept(unit, 'who')) return synonymPiece(unit, 'who', schema) ?? { ...base, kind: 'unit', unit }
  if (isConcept(unit, 'row')) return { ...base, kind: 'rows' }
  if (unit.kind !== 'open' && !isConcept(unit, 'item', 'name', 'value', 'time', 'type', 'size', 'line', 'word'))
    return { ...base, kind: 'unit', unit }
  const stem = wordsOf(stemOf(schema.path))
  const words = wordsOf(unit.text)
  if (words.length > 0 && words.every((w) => stem.includes(w))) return { ...base, kind: 'source' }
  const part = schema.columns.filter((c) => c.words.includes(lemma) || c.words.includes(lemma.replace(/ly$/, '')))
  if (part.length > 0) return { ...base, kind: 'column', columns: part, by: 'part', unit }
  return valuePart(unit, grounding) ?? synonymPiece(unit, lemma, schema) ?? leftPiece(unit, lemma)
}

// `customer.name` is a column of nested JSON; any other path has been checked before.
function pathPiece(unit: Unit, { columns }: Schema): Piece {
  const words = wordsOf(unit.text).join(' ')
  const column = columns.filter((c) => c.words.join(' ') === words)
  const base = { text: unit.text, lemma: words }
  return column.length > 0
    ? { ...base, kind: 'column', columns: column, by: 'name', unit }
    : { ...base, kind: 'source' }
}

/** A word that is a part of values of one column only: "Anna" for "Anna Schmidt". */
function valuePart(unit: Unit, { values }: Grounding): Piece | undefined {
  const lemma = unit.tokens[0]?.lemma ?? ''
  if (lemma.length < 3 || isRowNoun(lemma) || isSoftWord(unit.tokens[0]?.lower ?? '')) return undefined
  const found = values.filter(({ values: known }) => known.some((v) => wordsOf(v).includes(lemma)))
  const [only] = found
  if (found.length !== 1 || !only) return undefined
  return { text: unit.text, lemma, kind: 'value', column: only.column, value: unit.text, isPart: true }
}

function synonymPiece(unit: Unit, lemma: string, schema: Schema): Piece | undefined {
  // A superlative that is not known as one would lose its meaning here.
  if (/.{3}est$/.test(lemma) && unit.kind === 'open') return undefined
  for (const word of synonymsOf(lemma)) {
    const columns = schema.columns.filter((c) => c.words.includes(lemmaOf(word)) && !isIdentifier(c))
    if (columns.length > 0) return { text: unit.text, lemma, kind: 'column', columns, by: 'synonym', unit }
  }
  const slip = schema.columns.filter((c) => lemma.length >= 4 && isOneSlipApart(c.words.join(' '), lemma))
  return slip.length === 1 ? { text: unit.text, lemma, kind: 'column', columns: slip, by: 'part', unit } : undefined
}

function leftPiece(unit: Unit, lemma: string): Piece {
  const base = { text: unit.text, lemma }
  if (unit.kind !== 'open') return { ...base, kind: 'unit', unit }
  if (isRowNoun(lemma)) return { ...base, kind: 'rows' }
  if (isSoftWord(unit.tokens[0]?.lower ?? '')) return { ...base, kind: 'unit', unit: { ...unit, kind: 'filler' } }
  return { ...base, kind: 'unknown' }
}
