import { type SecretFamily, secretFamilies } from './families.ts'
import { withoutOverlaps } from './known.ts'
import { percentView, plainView, type View, withoutHidden } from './views.ts'

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
  const hits = viewsOf(text).flatMap(({ shown, written }) =>
    hitsIn(shown).map(({ family, start, end }) => ({ family, ...written(start, end) })),
  )
  return withoutOverlaps(hits)
}

/** The text itself, and how a reader who decodes it would see it. */
function viewsOf(text: string): readonly View[] {
  const plain = plainView(text)
  return [plain, percentView(plain), withoutHidden(plain)].filter((view) => view !== null)
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
