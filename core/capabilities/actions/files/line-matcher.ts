import { RE2JS, RE2JSException } from 're2js'
import { refusal } from '../refusal.ts'

interface LineQuery {
  readonly query: string
  readonly regex: boolean
  readonly caseSensitive: boolean
  readonly wholeWord: boolean
}

/** Where a line matches. `first` is the start of the first match. */
interface LineMatch {
  readonly occurrences: number
  readonly first: number
}

/** undefined: the line does not match. */
export type LineMatcher = (line: string) => LineMatch | undefined

/** Of a longer line only this much is held against an expression: one line must not stall the process. */
const matchedCharacters = 100_000

/** Throws action.args for an expression that RE2 cannot run (look-around, back references) and for a query of two lines. */
export function createLineMatcher(query: LineQuery): LineMatcher {
  if (/[\r\n]/.test(query.query))
    throw refusal('action.args', 'The search goes line by line: ask for one line at a time.')
  const find = query.regex ? createPatternFinder(query) : createTextFinder(query)
  return (line) => {
    let occurrences = 0
    let first = -1
    for (const [start, end] of find(line)) {
      if (query.wholeWord && !isWholeWord(line, start, end)) continue
      if (first < 0) first = start
      occurrences += 1
    }
    return occurrences === 0 ? undefined : { occurrences, first }
  }
}

type Finder = (line: string) => Iterable<readonly [start: number, end: number]>

function createTextFinder({ query, caseSensitive }: LineQuery): Finder {
  // The same letter may be written composed or not.
  const isPlain = /^[\x20-\x7e]*$/.test(query)
  const fold = (text: string) => {
    const composed = isPlain ? text : text.normalize('NFC')
    return caseSensitive ? composed : composed.toLowerCase()
  }
  const wanted = fold(query)
  return function* (line) {
    const text = fold(line)
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      yield [at, at + wanted.length]
    }
  }
}

function createPatternFinder({ query, caseSensitive }: LineQuery): Finder {
  const expression = compile(query, caseSensitive)
  return function* (line) {
    const text = line.slice(0, matchedCharacters)
    if (!expression.test(text)) return
    const matcher = expression.matcher(text)
    while (matcher.find()) yield [matcher.start(), matcher.end()]
  }
}

function compile(query: string, caseSensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(query, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause
    throw refusal(
      'action.args',
      `The expression cannot be used: ${cause.message}. RE2 syntax has no look-around and no back references.`,
    )
  }
}

function isWholeWord(line: string, start: number, end: number): boolean {
  const before = line.slice(Math.max(0, start - 2), start)
  const after = line.slice(end, end + 2)
  return !/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(after)
}

/** At most 300 characters of the line around `first`. */
export function excerpt(line: string, first: number): string {
  const max = 300
  if (line.length <= max) return line
  const start = Math.max(0, Math.min(first - 80, line.length - max + 1))
  const cut = line.slice(start, start + max - 2).toWellFormed()
  return `${start > 0 ? '…' : ''}${cut}${start + max - 2 < line.length ? '…' : ''}`
}
