import { nounsOf } from '../language/grammar.ts'
import { isConcept, type Reading, type Unit } from '../language/reading.ts'

/** What is looked for, and which units of the request say so. */
export interface Wanted {
  readonly text: string
  readonly from: number
  /** The first unit after it. */
  readonly to: number
  /** The cue: a verb like "mention", "find", or counting alone. */
  readonly cue: 'contain' | 'find' | 'count' | 'ask'
  readonly isQuoted: boolean
}

const places = /^(in|inside|within|from|across|under|throughout)$/
const contentKinds: readonly Unit['kind'][] = ['open', 'quoted', 'number', 'path', 'beyond', 'date']

/** The text that a request looks for: behind "mention", "find", "the word"; or before "occur", "is defined". */
export function wantedText(reading: Reading): Wanted | undefined {
  const { units } = reading
  const found = cueOf(reading)
  if (!found) return undefined
  const quoted = units.findIndex((u) => u.kind === 'quoted')
  if (quoted >= 0) return wanted(reading, quoted, quoted + 1, found.cue)
  const after = found.cue === 'count' || found.cue === 'ask' ? countedSpan(units, found.at) : spanAfter(units, found.at)
  if (after) return wanted(reading, after.from, after.to, found.cue)
  // "Is it mentioned", "does it occur": what stands before is looked for. Before "contains" stands the place.
  const isPassive =
    /^(occur|appear|mentioned|found|used|show|turn|come|contained|included|cited|referenced|defined|declared|implemented|matched|spoken)/i
  const before = isPassive.test(units[found.at]?.text ?? '') ? spanBefore(units, found.at) : undefined
  return before && found.cue === 'contain' ? wanted(reading, before.from, before.to, found.cue) : undefined
}

function wanted(reading: Reading, from: number, to: number, cue: Wanted['cue']): Wanted {
  const all = reading.units.slice(from, to)
  // "TODO comments": the comments are not part of what stands there.
  const isOfKind =
    cue !== 'contain' &&
    all.length > 1 &&
    /^(comment|marker|message|entry|entries|note|tag)s?$/.test(all.at(-1)?.tokens[0]?.lower ?? '')
  const own = isOfKind ? all.slice(0, -1) : all
  const [only] = own
  const isQuoted = own.length === 1 && only?.kind === 'quoted'
  const start = own[0]?.tokens[0]?.start ?? 0
  const end = own.at(-1)?.tokens.at(-1)?.end ?? start
  return { text: isQuoted ? only.text : reading.text.slice(start, end), from, to, cue, isQuoted }
}

function cueOf(reading: Reading): { readonly at: number; readonly cue: Wanted['cue'] } | undefined {
  const { units } = reading
  // The last one: "find all files that mention", "occurrences of the word".
  const contain = units.findLastIndex((u) => isConcept(u, 'contain'))
  if (contain >= 0) return { at: contain, cue: 'contain' }
  const define = units.findIndex((u) => isConcept(u, 'define'))
  if (define >= 0) return { at: define, cue: 'contain' }
  const about = units.findIndex((u) => isConcept(u, 'about'))
  if (about >= 0 && nounsOf(reading).some((n) => n.concept === 'file' || n.concept === 'line'))
    return { at: about, cue: 'contain' }
  if (about >= 0 && /\b(anything|something|information|info|everything|things?)\b[^.?!]*\babout\b/i.test(reading.text))
    return { at: about, cue: 'contain' }
  const line = units.findIndex((u) => isConcept(u, 'line'))
  const withAt = units.findIndex((u, at) => at > line && isConcept(u, 'with'))
  if (line >= 0 && withAt > line) return { at: withAt, cue: 'contain' }
  const find = units.findIndex((u) => isConcept(u, 'find', 'where'))
  if (find >= 0) return { at: find, cue: 'find' }
  const count = units.findIndex((u) => isConcept(u, 'count'))
  if (count >= 0) return { at: count, cue: 'count' }
  // "What is the port in config.yaml?": the lines of that file that name it.
  const which = units.findIndex((u) => isConcept(u, 'which', 'who', 'when'))
  return which >= 0 && units.some((u) => u.kind === 'path') ? { at: which, cue: 'ask' } : undefined
}

// "how many ERROR lines are in the log": only the words right behind.
function countedSpan(units: readonly Unit[], cue: number): { from: number; to: number } | undefined {
  const from = units.findIndex((u, at) => at > cue && u.kind !== 'filler' && !isConcept(u, 'word'))
  // "How many words are in the readme": what stands behind "in" is the place, not the text.
  if (from >= 0 && isPlace(units, from)) return undefined
  let to = from
  while (units[to]?.kind === 'open') to += 1
  return from >= 0 && to > from ? { from, to } : undefined
}

function spanAfter(units: readonly Unit[], cue: number): { from: number; to: number } | undefined {
  const from = units.findIndex((u, at) => at > cue && u.kind !== 'filler' && u.kind !== 'sign' && !isLeadIn(u))
  if (from < 0 || isPlace(units, from)) return undefined
  const stop = units.findIndex((u, at) => at > from && isPlaceStart(units, at) && u.kind !== 'open')
  let to = stop < 0 ? units.length : stop
  while (to > from && ['filler', 'sign'].includes(units[to - 1]?.kind ?? '')) to -= 1
  return units.slice(from, to).some((u) => contentKinds.includes(u.kind)) ? { from, to } : undefined
}

// "occurrences of the word X", "find all lines with X": these lead to the text, they are not it.
function isLeadIn(unit: Unit): boolean {
  return isConcept(unit, 'contain', 'word', 'line', 'name', 'with', 'file', 'each', 'which', 'item', 'about')
}

function isPlaceStart(units: readonly Unit[], at: number): boolean {
  const word = units[at]?.tokens[0]?.lower ?? ''
  return (units[at]?.kind === 'filler' && places.test(word)) || isConcept(units[at], 'per', 'under')
}

function isPlace(units: readonly Unit[], from: number): boolean {
  const before = units
    .slice(0, from)
    .findLast((u) => !/^(the|a|an|my|our|this|that|these|all)$/.test(u.tokens[0]?.lower ?? ''))
  return before?.kind === 'filler' && places.test(before.tokens[0]?.lower ?? '')
}

function spanBefore(units: readonly Unit[], cue: number): { from: number; to: number } | undefined {
  const isDefining = isConcept(units[cue], 'define')
  const isText = (u: Unit) =>
    contentKinds.includes(u.kind) ||
    (isDefining && isConcept(u, 'sum', 'average', 'count', 'value', 'name', 'size', 'type'))
  const from = units.findIndex((u, at) => at < cue && isText(u) && u.kind !== 'path' && !isPlace(units, at))
  if (from < 0) return undefined
  const stop = units.findIndex((_, at) => at > from && at < cue && isPlaceStart(units, at))
  let to = stop < 0 ? cue : stop
  while (to > from && (units[to - 1]?.kind === 'filler' || isConcept(units[to - 1], 'and'))) to -= 1
  return { from, to }
}
