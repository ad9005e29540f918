import { isTelling, type KnownSecret, spellingsOf } from './known.ts'
import type { Redactor } from './redactor.ts'

/** A text that comes in pieces: what may still become a secret is held back until it is clear that it does not. */
export interface StreamRedactor {
  /** What can be shown now, of this piece and those before it. */
  push(piece: string): string
  /** The rest: nothing comes any more. */
  end(): string
}

/** A shorter run says nothing secret, and most words are shorter: they are shown at once. */
const shortestHeld = 8
/** What was shown, for the shapes that are told by what stands before them. */
const contextCharacters = 200
/** A longer run without a blank is no key: it is shown in parts. */
const longestHeld = 20_000
const shortestBeginning = 4

export function createStreamRedactor(redactor: Redactor): StreamRedactor {
  const beginnings = beginningsOf(redactor.known)
  let shown = ''
  let held = ''

  function release(length: number): string {
    const text = shown + held.slice(0, length)
    const { value, hits } = redactor.redact(text)
    const start = hits.reduce((from, hit) => (hit.start < from && hit.end > from ? hit.start : from), shown.length)
    // Of what is shown already nothing is taken back.
    const before = redactor.text(text.slice(0, start))
    const out = value.startsWith(before) ? value.slice(before.length) : redactor.text(held.slice(0, length))
    shown = text.slice(-contextCharacters)
    held = held.slice(length)
    return out
  }

  return {
    push(piece) {
      held += piece
      const length = held.length > longestHeld ? held.length - longestHeld / 2 : clearLength(shown, held, beginnings)
      return length === 0 ? '' : release(length)
    },
    end: () => (held === '' ? '' : release(held.length)),
  }
}

/** How much of what is held cannot be the beginning of a secret. */
function clearLength(shown: string, held: string, beginnings: readonly string[]): number {
  const text = shown + held
  const run = /[A-Za-z0-9_+/=.~%&#;:@\\-]*$/.exec(text)?.[0].length ?? 0
  const beforeRun = run >= shortestHeld ? text.length - run : text.length
  return Math.max(0, Math.min(beforeRun, beforeKey(text), beforeKnown(text, beginnings)) - shown.length)
}

/** A private key has many lines: from its first one on it is held until its last. */
function beforeKey(text: string): number {
  const begins = text.lastIndexOf('-----BEGIN')
  if (begins < 0 || /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/.test(text.slice(begins))) return text.length
  const header = text.slice(begins, begins + longestHeader)
  return header.length === longestHeader && !header.includes('PRIVATE KEY') ? text.length : begins
}

const longestHeader = 60

/** The end of a text, whatever blanks are in it, may be the beginning of a known secret. */
function beforeKnown(text: string, beginnings: readonly string[]): number {
  if (beginnings.length === 0) return text.length
  const longest = Math.max(...beginnings.map((each) => each.length))
  let tail = ''
  let from = text.length
  let clear = text.length
  while (from > 0 && tail.length < longest) {
    from -= 1
    const letter = text[from] ?? ''
    if (/\s/.test(letter)) continue
    tail = letter + tail
    if (tail.length >= shortestBeginning && beginnings.some((each) => each.startsWith(tail))) clear = from
  }
  return clear
}

function beginningsOf(known: readonly KnownSecret[]): readonly string[] {
  return known
    .filter(({ value }) => isTelling(value))
    .flatMap(({ value }) => spellingsOf(value).map((spelling) => spelling.replace(/\s+/g, '')))
}
