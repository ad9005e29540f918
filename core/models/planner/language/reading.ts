import { type DateMention, type DateSpec, findDates } from './dates.ts'
import { kindAt } from './kinds.ts'
import { type Concept, isStrongVerb, isWeakVerb, lookUp } from './lexicon.ts'
import { bytesOf, numberWord, plainNumber, scaled } from './numbers.ts'
import { correctionOf } from './spelling.ts'
import { plainWords, type Token, tokenize } from './tokens.ts'

interface Span {
  /** The words as they were written. */
  readonly text: string
  readonly tokens: readonly Token[]
}

/** A stretch of the request and what it was recognised as. `open` is a word that the planner does not know. */
export type Unit = Span &
  (
    | { readonly kind: 'concept'; readonly concept: Concept }
    | { readonly kind: 'filler' | 'open' | 'quoted' | 'path' | 'glob' | 'sign' | 'beyond' | 'judgement' }
    | { readonly kind: 'number'; readonly value: string }
    | { readonly kind: 'size'; readonly bytes: number }
    | { readonly kind: 'date'; readonly spec: DateSpec }
    | { readonly kind: 'fileKind'; readonly label: string; readonly extensions: readonly string[] }
  )
export type UnitKind = Unit['kind']

/** The request, understood word by word. */
export interface Reading {
  readonly text: string
  readonly units: readonly Unit[]
  /** Words that were read as another word, because one letter was wrong: `[written, read]`. */
  readonly corrected: readonly (readonly [string, string])[]
}

/** Reads a request. With `correct`, unknown words one slip away from a known word are read as that word. */
export function readRequest(said: string, options: { readonly correct: boolean }): Reading {
  const written = plainWords(said.trim())
  const corrected = options.correct ? correctionsIn(written) : []
  const text = corrected.reduceRight(
    (t, { token, word }) => t.slice(0, token.start) + word + t.slice(token.end),
    written,
  )
  const tokens = tokenize(text)
  const dates = datesIn(text, tokens)
  const words = tokens.map((token) => (token.kind === 'word' || token.kind === 'sign' ? token.lower : ''))
  const units: Unit[] = []
  for (let at = 0; at < tokens.length; ) {
    const unit = unitAt({ text, tokens, words, dates, at })
    units.push(unit)
    at += unit.tokens.length
  }
  return { text, units: markBeyond(markNames(units)), corrected: corrected.map((c) => [c.token.text, c.word]) }
}

function datesIn(text: string, tokens: readonly Token[]): readonly DateMention[] {
  const hidden = tokens.filter((t) => t.kind === 'quoted' || t.kind === 'path' || t.kind === 'glob')
  return findDates(text, hidden)
}

function correctionsIn(text: string): readonly { readonly token: Token; readonly word: string }[] {
  const tokens = tokenize(text)
  const dates = datesIn(text, tokens)
  return tokens.flatMap((token) => {
    // "March" is no slip of "match" where it is a date.
    const isDate = dates.some((d) => d.start <= token.start && token.end <= d.end)
    const word = isDate ? undefined : correction(token, tokens)
    return word === undefined ? [] : [{ token, word }]
  })
}

function correction(token: Token, tokens: readonly Token[]): string | undefined {
  if (token.kind !== 'word') return undefined
  const isKnown = lookUp([token.lower]) ?? numberWord(token.lower) ?? kindAt([token.lower], () => true)
  const isInPhrase = tokens.some(
    (_, at) => (lookUp(tokens.slice(at, at + 4).map((t) => t.lower))?.length ?? 0) > 1 && tokens[at] === token,
  )
  if (isKnown || isInPhrase || isStrongVerb(token.lower) || isWeakVerb(token.lower)) return undefined
  return correctionOf(token.lower)
}

interface Place {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly words: readonly string[]
  readonly dates: readonly DateMention[]
  readonly at: number
}

function unitAt(place: Place): Unit {
  const { tokens, at } = place
  const token = tokens[at]
  if (!token) throw new RangeError(`no token ${at}`)
  const span = (length: number): Span => {
    const own = tokens.slice(at, at + length)
    return { text: place.text.slice(token.start, own.at(-1)?.end ?? token.end), tokens: own }
  }
  const date = place.dates.find((d) => d.start <= token.start && token.end <= d.end)
  if (date) {
    const length = tokens.slice(at).findIndex((t) => t.start >= date.end)
    return { ...span(length < 0 ? tokens.length - at : length), text: date.text, kind: 'date', spec: date.spec }
  }
  if (token.kind === 'quoted') return { ...span(1), text: token.text, kind: isFileLike(token.text) ? 'path' : 'quoted' }
  if (token.kind === 'path' && token.lower === 'and/or') return { ...span(1), kind: 'concept', concept: 'or' }
  if (token.kind === 'path' || token.kind === 'glob') return { ...span(1), kind: token.kind }
  if (token.kind === 'extension') return { ...span(1), kind: 'fileKind', label: token.lower, extensions: [token.lower] }
  if (token.kind === 'number') return numberUnit(place, token, span)
  return wordUnit(place, token, span)
}

// A quoted file name is a path, a quoted sentence is text to look for.
function isFileLike(text: string): boolean {
  return /^[^\s].*\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(text) && !/[.!?]\s/.test(text)
}

function numberUnit(place: Place, token: Token, span: (length: number) => Span): Unit {
  const unit = place.words[place.at + 1] ?? ''
  const bytes = bytesOf(token.text, unit)
  const amount = scaled(token.text, unit)
  const isAttached = place.tokens[place.at + 1]?.start === token.end
  if (amount !== undefined && (isAttached || unit.length > 1)) return { ...span(2), kind: 'number', value: amount }
  if (bytes !== undefined && unit !== 'm' && unit !== 'g' && unit !== 'k') return { ...span(2), kind: 'size', bytes }
  return { ...span(1), kind: 'number', value: plainNumber(token.text) }
}

function wordUnit(place: Place, token: Token, span: (length: number) => Span): Unit {
  const { words, at } = place
  const ahead = words.slice(at, at + 7)
  const kind = token.kind === 'word' ? kindAt(ahead, (word) => /^(file|document)s?$/.test(word)) : undefined
  if (kind) return { ...span(kind.length), kind: 'fileKind', label: kind.label, extensions: kind.extensions }
  const number = numberWord(words[at] ?? '')
  if (number !== undefined) return { ...span(1), kind: 'number', value: number }
  const known = lookUp(ahead)
  if (known && known.means !== 'filler' && known.means !== 'judgement') {
    return { ...span(known.length), kind: 'concept', concept: known.means }
  }
  if (known?.means === 'judgement') return { ...span(known.length), kind: 'judgement' }
  if (known) return { ...span(known.length), kind: 'filler' }
  return { ...span(1), kind: token.kind === 'sign' ? 'sign' : 'open' }
}

const nameable: readonly Concept[] = [
  'character',
  'word',
  'line',
  'item',
  'value',
  'type',
  'time',
  'key',
  'summarise',
  'overview',
  'remember',
  'about',
  'compare',
  'define',
  'duplicate',
  'hash',
  'row',
  'sort',
  'share',
  'recall',
  'help',
  'begin',
]

/** "the letters folder", "my notes file": the word before the noun is its name, whatever else it may mean. */
function markNames(units: readonly Unit[]): readonly Unit[] {
  return units.map((unit, at): Unit => {
    const isArticled = /^(the|my|our|a|this)$/.test(units[at - 1]?.tokens[0]?.lower ?? '')
    const noun = units[at + 1]
    const isNamed = isConcept(noun, 'folder', 'file') && !/s$/i.test(noun?.text ?? '')
    if (!isArticled || !isNamed || !isConcept(unit, ...nameable) || unit.tokens.length !== 1) return unit
    return { text: unit.text, tokens: unit.tokens, kind: 'open' }
  })
}

/** Marks the verbs that lead a clause and that no plan serves: "delete", "translate", "email this to". */
function markBeyond(units: readonly Unit[]): readonly Unit[] {
  return units.map((unit, at): Unit => {
    const word = unit.tokens[0]?.lower ?? ''
    if (unit.kind !== 'open' && unit.kind !== 'filler') return unit
    const isServed = !isStrongVerb(word) && !(isWeakVerb(word) && hasObject(units[at + 1]))
    if (unit.tokens.length !== 1 || isServed || !leadsClause(units, at)) return unit
    return { text: unit.text, tokens: unit.tokens, kind: 'beyond' }
  })
}

const objects = new Set('a an the it them this that these those me my our us all every each some to him her'.split(' '))

function hasObject(next: Unit | undefined): boolean {
  return next?.kind === 'path' || next?.kind === 'quoted' || objects.has(next?.tokens[0]?.lower ?? '')
}

function leadsClause(units: readonly Unit[], at: number): boolean {
  const before = units.slice(0, at)
  if (before.every(isCourtesy)) return true
  const boundary = before.findLastIndex(
    (u) => isConcept(u, 'and') || /^(then|,|;|\.|:)$/.test(u.tokens[0]?.lower ?? ''),
  )
  // "logs and test files" names things; "count them and delete it" asks for more.
  return boundary >= 0 && before.slice(boundary + 1).every(isCourtesy) && hasObject(units[at + 1])
}

function isCourtesy(unit: Unit): boolean {
  return unit.kind === 'filler' || unit.kind === 'sign' || isConcept(unit, 'help') || isConcept(unit, 'and')
}

/** True for a unit that stands for one of the concepts. */
export function isConcept(unit: Unit | undefined, ...concepts: readonly Concept[]): boolean {
  return unit?.kind === 'concept' && concepts.includes(unit.concept)
}
