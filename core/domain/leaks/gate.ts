import { secretFamilies } from './families.ts'
import { isTelling, type KnownSecret, spellingsOf } from './known.ts'
import { readingsOf } from './views.ts'

/**
 * False for a text that holds no secret: nearly every text, at 2 to 5 µs a kB on a busy machine. True only says that it has to be looked at, for
 * which `findKnown` and `scanSecrets` take twenty times as long.
 */
export type Gate = (text: string) => boolean

export function createGate(secrets: readonly KnownSecret[]): Gate {
  const mayHoldKnown = knownGate(secrets)
  return (text) => text.length >= shortestText && (mayHoldShape(text) || mayHoldKnown(text))
}

/** The shortest known secret; a URL with a password in it is longer. */
const shortestText = 8

// Shapes. Every family but two needs a run of so many characters without a blank or a quote.
const shortestRun = 16
/** Before the run: `Authorization: Basic`, `aws_secret_access_key = `. */
const contextCharacters = 120

/** What a character is to a run; 0 ends it. A token is made of the first two. */
const [letter, digit, joint, assign, percent, unseen] = [1, 2, 4, 8, 16, 32] as const
const kinds = new Uint8Array(256)
for (const each of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-') kinds[each.charCodeAt(0)] = letter
for (const each of '0123456789') kinds[each.charCodeAt(0)] = digit
for (const each of '+/.~&#;\\') kinds[each.charCodeAt(0)] = joint
for (const each of '=:') kinds[each.charCodeAt(0)] = assign
kinds['%'.charCodeAt(0)] = percent
/** Hidden characters, and the marks in their place, do not end a run. */
for (const code of [...range(0, 8), 0x0b, 0x0c, ...range(0x0e, 0x1f), ...range(0x7f, 0x9f), 0xad]) kinds[code] = unseen
const unseenWide = new Set([
  ...[0x61c, 0x180e, ...range(0x200b, 0x200f), ...range(0x202a, 0x202e), ...range(0x2060, 0x206f), 0xfeff],
  // Halves of the letters that are tags, and the brackets of the marks.
  ...[0xdb40, ...range(0xdc00, 0xdc7f), 0x27e6, 0x27e7],
])

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

function kindOf(code: number): number {
  return code < 256 ? (kinds[code] ?? 0) : unseenWide.has(code) ? unseen : 0
}

/** Where a family does not begin with what it needs. */
const inner = ['AccountKey=', '8Q~', ':AA', 'hooks.slack.com', '/api/webhooks/', 'T3BlbkFJ', 'PRIVATE KEY'] as const
/** What the others begin with, by their first three letters. */
const beginnings = new Map<number, readonly string[]>()
for (const need of secretFamilies.flatMap(({ needs = [] }) => needs.filter((each) => each.length > 2))) {
  const code = firstThree(need, 0)
  beginnings.set(code, [...(beginnings.get(code) ?? []), need])
}

function firstThree(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2)
}

function isBeginning(text: string, at: number): boolean {
  return beginnings.get(firstThree(text, at))?.some((need) => text.startsWith(need, at)) ?? false
}

const contexts = /key|token|secret|passw|pwd|bearer|authorization|aws|cloudflare|heroku/i
const urlPassword = /:\/\/[^\s/@"'<>]*:[^\s/@"'<>]{3,200}@/
const basicAuthorization = /authorization["'\s:=]+basic/i
const mailchimp = /[0-9a-f]{32}-us\d/
const twilio = /SK[0-9a-fA-F]{32}/
const shortestDiscord = 58
const discord = /[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\./

function mayHoldShape(text: string): boolean {
  if (inner.some((need) => text.includes(need))) return true
  if (text.includes('@') && text.includes('://') && urlPassword.test(text)) return true
  if (basicAuthorization.test(text)) return true
  // A run of n covers every n-th place: most of a text is never looked at.
  let at = shortestRun - 1
  while (at < text.length) {
    let start = at
    const least = at - shortestRun + 1
    while (start >= least && kindOf(text.charCodeAt(start)) !== 0) start -= 1
    if (start >= least) {
      at = start + shortestRun
      continue
    }
    while (start >= 0 && kindOf(text.charCodeAt(start)) !== 0) start -= 1
    const end = endOfRun(text, start + 1)
    if (end < 0) return true
    at = end + shortestRun
  }
  return false
}

/** Where the run ends that begins there; -1 where a secret may be in it. */
function endOfRun(text: string, start: number): number {
  let seen = 0
  let isInside = false
  let at = start
  for (; at < text.length; at += 1) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind === 0) break
    seen |= kind
    const isToken = kind <= digit
    if (isToken && !isInside && isBeginning(text, at)) return -1
    // A beginning may be hidden itself.
    if (kind === unseen || (kind === percent && isEscape(text, at))) return -1
    isInside = isToken
  }
  if ((seen & digit) === 0) return at
  const run = text.slice(start, at)
  if ((seen & joint) !== 0 && run.length >= shortestDiscord && discord.test(run)) return -1
  if (run.includes('-us') && mailchimp.test(run)) return -1
  if (run.includes('SK') && twilio.test(run)) return -1
  // The name of a value stands before the run, or before a `=` in it.
  const named = text.slice(Math.max(0, start - contextCharacters), (seen & assign) === 0 ? start : at)
  return contexts.test(named) ? -1 : at
}

function isEscape(text: string, at: number): boolean {
  return /^%[0-9a-fA-F]{2}/.test(text.slice(at, at + 3))
}

// Known secrets: the last four letters of each spelling, whatever blanks, quotes and escapes stand between them.
const blockCharacters = 65_536

/** Letters folded; 0 for what may stand within a secret that was wrapped, quoted or escaped. */
const folded = new Uint8Array(256)
for (let code = 33; code < 256; code += 1) folded[code] = code >= 65 && code <= 90 ? code + 32 : code
for (const code of [quote(), backslash(), ...range(0x7f, 0x9f), 0xad, 0xff]) folded[code] = 0

function quote(): number {
  return '"'.charCodeAt(0)
}
function backslash(): number {
  return '\\'.charCodeAt(0)
}

/** Spellings that hide the letters of a value themselves. */
const encoded =
  /%[0-9a-f]{2}|\\u[0-9a-f]{4}|&(?:#|amp|lt|gt|quot|apos)|[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\udb40]|\u27e6U\+/i

function knownGate(secrets: readonly KnownSecret[]): Gate {
  const told = secrets.filter(({ value }) => isTelling(value))
  if (told.length === 0) return () => false
  const grams = createGrams()
  for (const { value } of told) for (const spelling of spellingsOf(value)) grams.add(spelling)
  return (text) => grams.isIn(text) || (encoded.test(text) && readingsOf(text).some(grams.isIn))
}

/** Sets of four letters. */
function createGrams() {
  const known = new Set<number>()
  const filter = new Uint8Array(4_096)
  const block = Buffer.alloc(blockCharacters)
  const bytes = new Uint8Array(block.buffer, block.byteOffset, blockCharacters)

  /** The last four letters of a text, or the first known ones that it holds. */
  function read(text: string): number {
    let gram = 0
    let isEscaped = false
    for (let from = 0; from < text.length; from += blockCharacters) {
      const part = text.length <= blockCharacters ? text : text.slice(from, from + blockCharacters)
      const length = block.write(part, 'latin1')
      for (let at = 0; at < length; at += 1) {
        const code = bytes[at] ?? 0
        const letter = folded[code] ?? 0
        if (letter === 0) {
          isEscaped = code === 92
          continue
        }
        // `\n` of a JSON string is a line break, not an n.
        const isBreak = isEscaped && (letter === 110 || letter === 114 || letter === 116)
        isEscaped = false
        if (isBreak) continue
        gram = (gram << 8) | letter
        if (filter[placeOf(gram)] === 1 && known.has(gram)) return gram
      }
    }
    return gram
  }

  return {
    add(spelling: string): void {
      const gram = read(spelling)
      known.add(gram)
      filter[placeOf(gram)] = 1
    },
    isIn: (text: string) => known.has(read(text)),
  }
}

function placeOf(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> 20
}
