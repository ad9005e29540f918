import { type SecretFamily, secretFamilies } from './families.ts'

/** Where a secret lies in a text: UTF-16 offsets, `end` exclusive. */
export interface SecretHit {
  readonly family: string
  readonly start: number
  readonly end: number
}

/**
 * What looks like a secret, by shape alone: nothing is ever asked of the service it belongs to. Hits do not overlap and come
 * in order. Percent-encoding and hidden characters inside a value do not hide it.
 */
export function scanSecrets(text: string): readonly SecretHit[] {
  const hits = viewsOf(text).flatMap(({ shown, origin }) =>
    hitsIn(shown).map(({ family, start, end }) => ({
      family,
      start: origin(start),
      end: origin(end - 1, 'last'),
    })),
  )
  return withoutOverlaps(hits)
}

interface View {
  readonly shown: string
  /** The place in the text of a place in `shown`; for `last`, the end of what that character was written as. */
  readonly origin: (at: number, of?: 'last') => number
}

/** The text itself, and how a reader who decodes it would see it. */
function viewsOf(text: string): readonly View[] {
  const plain: View = { shown: text, origin: (at, of) => (of === undefined ? at : at + 1) }
  const views = [plain]
  if (/%[0-9a-f]{2}/i.test(text)) views.push(viewBy(text, /%[0-9a-f]{2}/gi, decodedByte))
  if (hiddenCharacters.test(text)) views.push(viewBy(text, hiddenInside, () => ''))
  return views
}

const hiddenCharacters = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/
const hiddenInside = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/g

function decodedByte(written: string): string {
  const code = Number.parseInt(written.slice(1), 16)
  // What is not ASCII is no part of any family's shape.
  return code < 0x80 ? String.fromCharCode(code) : written
}

/** Each match of `pattern` replaced, with the way back to where it stood. */
function viewBy(text: string, pattern: RegExp, replace: (match: string) => string): View {
  const starts: number[] = []
  const ends: number[] = []
  let shown = ''
  let at = 0
  const add = (piece: string, from: number, to: number, isWhole: boolean) => {
    for (let offset = 0; offset < piece.length; offset += 1) {
      starts.push(isWhole ? from : from + offset)
      ends.push(isWhole ? to : from + offset + 1)
    }
    shown += piece
  }
  for (const match of text.matchAll(pattern)) {
    add(text.slice(at, match.index), at, match.index, false)
    at = match.index + match[0].length
    add(replace(match[0]), match.index, at, true)
  }
  add(text.slice(at), at, text.length, false)
  return { shown, origin: (place, of) => (of === undefined ? starts[place] : ends[place]) ?? text.length }
}

function hitsIn(text: string): readonly SecretHit[] {
  const folded = text.toLowerCase()
  return secretFamilies
    .filter(({ needs, needsFolded }) => holdsOne(text, needs) && holdsOne(folded, needsFolded))
    .flatMap((family) => hitsOf(family, text))
}

function holdsOne(text: string, needs: readonly string[] | undefined): boolean {
  return needs === undefined || needs.some((need) => text.includes(need))
}

function hitsOf(family: SecretFamily, text: string): readonly SecretHit[] {
  const hits: SecretHit[] = []
  for (const match of text.matchAll(family.pattern)) {
    const found = match[0]
    const secret = match[1] ?? found
    if (isPlaceholder(secret) || (family.mustBeRandom && !looksRandom(secret))) continue
    const start = match.index + (match[1] === undefined ? 0 : found.lastIndexOf(secret))
    hits.push({ family: family.nameOf?.(found) ?? family.name, start, end: start + secret.length })
  }
  return hits
}

/** Earlier families are the more telling ones: what they found is not found again by a later one. */
function withoutOverlaps(hits: readonly SecretHit[]): readonly SecretHit[] {
  const kept: SecretHit[] = []
  for (const hit of hits) {
    if (kept.every((other) => hit.end <= other.start || hit.start >= other.end)) kept.push(hit)
  }
  return kept.sort((a, b) => a.start - b.start)
}

/** What documents and templates write in the place of a secret. */
function isPlaceholder(secret: string): boolean {
  return /^(?:[$<{[%]|.*(?:your|example|placeholder|changeme|change-me|redacted|xxxx|\*\*\*|\.\.\.|<|\$\{))/i.test(
    secret,
  )
}

const leastDistinct = 10
const leastBits = 3.2

/** Letters and digits mixed, no words: a sentence, a path or a name has less entropy or no digit. */
function looksRandom(secret: string): boolean {
  const body = secret.replace(/=+$/, '')
  if (!/\d/.test(body) || !/[A-Za-z]/.test(body)) return false
  const counts = new Map<string, number>()
  for (const character of body) counts.set(character, (counts.get(character) ?? 0) + 1)
  if (counts.size < leastDistinct) return false
  let bits = 0
  for (const count of counts.values()) bits -= (count / body.length) * Math.log2(count / body.length)
  return bits >= leastBits
}

/** The text with each secret replaced by what it was, and what was found. Offsets are of the text as it came. */
export function redactSecrets(text: string): { readonly text: string; readonly hits: readonly SecretHit[] } {
  const hits = scanSecrets(text)
  let shown = ''
  let at = 0
  for (const { family, start, end } of hits) {
    shown += `${text.slice(at, start)}[redacted: ${family}]`
    at = end
  }
  return { text: hits.length === 0 ? text : shown + text.slice(at), hits }
}
