import { limits } from '../domain/limits.ts'

/** What was asked, in the two forms that are looked at. */
export interface GoalText {
  /** For keywords and tags: lower case, compatibility forms, one blank between words. */
  readonly words: string
  /** For patterns and names: as it was written, but for its quotes and dashes. */
  readonly raw: string
}

/** Of a long text its beginning and its end: a request stands before or after what was pasted. */
export function goalTextOf(text: string): GoalText {
  const most = limits.skillGoalCharacters
  const half = Math.floor(most / 2)
  const looked = text.length <= most ? text : `${text.slice(0, half)}\n${text.slice(-half)}`.toWellFormed()
  const raw = withPlainMarks(looked)
  return { words: termOf(raw), raw }
}

/** The form in which keywords, tags and the words of a goal are compared. */
export function termOf(text: string): string {
  return withPlainMarks(text.normalize('NFKC')).toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Telephones write other quotes and dashes than keywords have. */
function withPlainMarks(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
}

const endings = ['s', 'es', 'ed', 'ing']

/** How the text holds a term as words of its own: 'ended' for one word with s, es, ed or ing. Nothing counts inside a word. */
export type Occurrence = 'whole' | 'ended' | null

/** At `end` a term ends in the text that begins at a word's beginning. */
export function occurrenceAt(text: string, term: string, end: number): Occurrence {
  if (isInside(text, end - term.length)) return null
  if (!isInside(text, end)) return 'whole'
  if (term.includes(' ')) return null
  const isEnded = endings.some((ending) => text.startsWith(ending, end) && !isInside(text, end + ending.length))
  return isEnded ? 'ended' : null
}

/** True where a word goes on over this place. Scripts that are written without blanks have no such place. */
function isInside(text: string, at: number): boolean {
  return at > 0 && at < text.length && isWord(text.charCodeAt(at - 1)) && isWord(text.charCodeAt(at))
}

/** Where a word begins, or a sign that is none; blanks are neither. */
export function startsOfWords(text: string): readonly number[] {
  const starts: number[] = []
  for (let at = 0; at < text.length; at += 1) if (text[at] !== ' ' && !isInside(text, at)) starts.push(at)
  return starts
}

/** The word that begins there, or the one sign. */
export function wordAt(text: string, start: number): string {
  let end = start + 1
  while (end < text.length && isInside(text, end)) end += 1
  return text.slice(start, end)
}

const known = new Map<number, boolean>()

function isWord(code: number): boolean {
  if (code < 128)
    return (code > 96 && code < 123) || (code > 47 && code < 58) || (code > 64 && code < 91) || code === 95
  const before = known.get(code)
  if (before !== undefined) return before
  const character = String.fromCharCode(code)
  const isOne = /[\p{L}\p{N}\p{M}]/u.test(character) && !unspaced.test(character)
  known.set(code, isOne)
  return isOne
}
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u
