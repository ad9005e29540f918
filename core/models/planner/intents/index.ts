import type { Candidate, IntentFamily } from '../intent.ts'
import { unitsOf } from '../language/grammar.ts'
import { type Reading, readRequest } from '../language/reading.ts'
import { arithmetic } from './arithmetic.ts'
import { capabilities } from './capabilities.ts'
import { compareFiles } from './compare-files.ts'
import { compoundCandidate, isOneRequest, partsOf, withAnySubject } from './compound.ts'
import { data } from './data.ts'
import { dates } from './dates.ts'
import { duplicates } from './duplicates.ts'
import { facts } from './facts.ts'
import { filesExtreme } from './files-extreme.ts'
import { filesList } from './files-list.ts'
import { folders } from './folders.ts'
import { completed } from './follow-up.ts'
import { jsonFiles } from './json.ts'
import { lookAround } from './look-around.ts'
import { recall, remember } from './memory.ts'
import { read } from './read.ts'
import { search } from './search.ts'
import { summarise } from './summarise.ts'
import { textLines } from './text-lines.ts'

/** Every family of requests: a new one is a file and a line here. */
const families: readonly IntentFamily[] = [
  capabilities,
  remember,
  recall,
  arithmetic,
  dates,
  lookAround,
  filesList,
  filesExtreme,
  facts,
  duplicates,
  folders,
  compareFiles,
  read,
  textLines,
  search,
  summarise,
  jsonFiles,
  data,
]

/** What a request may mean, best first; `reason` is for a refusal when nothing of it comes true. */
export interface Understanding {
  readonly candidates: readonly Candidate[]
  readonly reason: string
  /** A word in it rules the request out, whatever is in the folder. */
  readonly isRefused: boolean
}

// A question fits into this; a longer text is a document, and its words would be taken for a question by chance.
const requestCharacters = 2_000

/** Reads a request. `earlier` holds what was said before in the same chat, for requests that build on it. */
export function understand(said: string, earlier: readonly string[]): Understanding {
  if (said.length > requestCharacters) return understandLong(said)
  const before: string[] = []
  for (const text of earlier) if (text.length <= requestCharacters) before.push(completed(text, before) ?? text)
  const whole = completed(said, before)
  if (whole === undefined) return understandAlone(said)
  const asAddition = understandAlone(whole)
  return asAddition.candidates.length > 0 ? asAddition : understandAlone(said)
}

/** Of a long text only a note can be made. */
function understandLong(said: string): Understanding {
  const reason = `It reads requests of up to ${requestCharacters} characters, and this one is longer.`
  return { candidates: remember.read({ text: said, units: [], corrected: [] }), reason, isRefused: true }
}

function understandAlone(said: string): Understanding {
  const parts = partsOf(said)
  const whole = understandPart(said)
  const isOne = parts.length < 2 || (isOneRequest(parts) && whole.candidates.length > 0)
  if (isOne || whole.candidates.some((c) => c.score > compoundScore)) return whole
  const each = parts.map((part, at) => understandPart(at === 0 ? part : withAnySubject(part)))
  const refused = each.find((u) => u.candidates.length === 0)
  if (refused !== undefined)
    return { ...refused, candidates: refused.isRefused ? [] : whole.candidates.filter(isWholeOf) }
  const compound = compoundCandidate(parts, (part) => understandPart(part).candidates)
  return { ...whole, candidates: [compound, ...whole.candidates.filter(isWholeOf)] }
}

const compoundScore = 0.89
// Readings that take a request of several parts as one; the others would answer half of it.
function isWholeOf({ intent, slots }: Candidate): boolean {
  const asks = Array.isArray(slots.ask) ? slots.ask : []
  // "The cheapest product, and how much does it cost": the row that answers the first part shows the second.
  const isRow = intent === 'ask-table' && (asks.includes('lowest') || asks.includes('highest'))
  return isRow || intent === 'look-around' || intent === 'compare-files'
}

function understandPart(said: string): Understanding {
  const exact = readRequest(said, { correct: false })
  const plain = candidatesOf(exact)
  const refused = outsidePath(exact) ?? refusedWord(exact)
  // "Remember that we should ask why" holds such words without asking for anything.
  if (refused !== undefined) {
    return { candidates: plain.filter((c) => c.score >= certain), reason: refused, isRefused: true }
  }
  const corrected = readRequest(said, { correct: true })
  const asCorrected = corrected.corrected.length > 0 ? candidatesOf(corrected) : []
  return {
    candidates: [...plain, ...asCorrected],
    reason: 'The request is not one that it understands.',
    isRefused: false,
  }
}

const certain = 0.96

function candidatesOf(reading: Reading): readonly Candidate[] {
  return families.flatMap((family) => family.read(reading)).sort((a, b) => b.score - a.score)
}

function refusedWord(reading: Reading): string | undefined {
  const beyond = unitsOf(reading, 'beyond')[0]
  if (beyond) return `It only reads; it has no action for "${beyond.text}".`
  const judgement = unitsOf(reading, 'judgement')[0]
  return judgement && `It gives no reasons, opinions or advice, and your request has "${judgement.text}" in it.`
}

function outsidePath(reading: Reading): string | undefined {
  const outside = unitsOf(reading, 'path').find((u) => /^[/~]|(^|\/)\.\.(\/|$)/.test(u.text))
  return outside && `It reads only inside this project's folder, and "${outside.text}" is outside.`
}
