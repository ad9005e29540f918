import {
  entitiesView,
  jsonEscapesView,
  percentView,
  plainView,
  type View,
  withoutBlanks,
  withoutHidden,
} from './views.ts'

/** A secret that is kept here: nothing that leaves or is stored may hold its value. */
export interface KnownSecret {
  readonly name: string
  readonly value: string
}

export interface KnownHit {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Shorter values stand in ordinary text by chance. */
const shortest = 8
const longestWords = 24
/** `00000000` and `12121212` stand in many a number. */
const leastDistinct = 4

/**
 * False for a value that ordinary text holds without saying anything secret: `lm-studio`, `not-needed` and `sk-no-key-required`
 * are what people enter where a server on their own computer wants any key at all.
 */
export function isTelling(value: string): boolean {
  const signs = withoutBlanksIn(value)
  if (signs.length < shortest || new Set(signs).size < leastDistinct) return false
  return value.length >= longestWords || !/^(?:[a-z]{1,12}|[a-z]{1,12}(?:[-_][a-z]{1,12})+)$/i.test(value)
}

/**
 * Where one of the secrets stands: as it is, in base64 at any alignment, base64url, hex, percent-encoded or escaped for JSON
 * once or twice, as HTML entities, with hidden characters, or split by blanks. Compressed or reversed it is not found.
 */
export function findKnown(text: string, secrets: readonly KnownSecret[]): readonly KnownHit[] {
  const looked = secrets.filter(({ value }) => isTelling(value))
  if (looked.length === 0 || text === '') return []
  const hits = viewsOf(text).flatMap((view) => looked.flatMap((secret) => hitsIn(view, secret)))
  return withoutOverlaps(hits)
}

function viewsOf(text: string): readonly View[] {
  const plain = plainView(text)
  const once = percentView(plain)
  const unescaped = jsonEscapesView(plain)
  const twice = [once && percentView(once), unescaped && jsonEscapesView(unescaped)]
  const decoded = [once, unescaped, ...twice, entitiesView(plain), withoutHidden(plain)]
  const views = [plain, ...decoded.filter((view) => view !== null)]
  return [...views, ...views.map(withoutBlanks).filter((view) => view !== null)]
}

function hitsIn(view: View, { name, value }: KnownSecret): readonly KnownHit[] {
  const folded = view.shown.toLowerCase()
  const exact = [value, withoutBlanksIn(value), ...base64Needles(value)].flatMap((needle) =>
    placesOf(view.shown, needle),
  )
  const hex = placesOf(folded, Buffer.from(value).toString('hex'))
  return [...exact, ...hex].map(([start, end]) => ({ name, ...view.written(start, end) }))
}

/** As each spelling of a value ends, for whoever looks for the few texts that could hold one. */
export function spellingsOf(value: string): readonly string[] {
  return [value, Buffer.from(value).toString('hex'), ...base64Needles(value)]
}

/** A key of several lines or words is found in a view that has no blanks either. */
function withoutBlanksIn(value: string): string {
  return value.replace(/\s+/g, '')
}

function placesOf(text: string, needle: string): readonly (readonly [number, number])[] {
  const places: (readonly [number, number])[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    places.push([at, at + needle.length])
  }
  return places
}

/** The characters that stay the same whatever stands before and after the value, in both alphabets. */
function base64Needles(value: string): readonly string[] {
  const needles = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]).toString('base64')
    const start = before === 0 ? 0 : before + 1
    const bytes = before + Buffer.byteLength(value)
    // A last group that is not full changes with what follows.
    return encoded.slice(start, Math.floor((bytes * 4) / 3))
  })
  return [...new Set(needles.flatMap((needle) => [needle, needle.replaceAll('+', '-').replaceAll('/', '_')]))]
}

/** The first hit on a place counts. */
export function withoutOverlaps<Hit extends { readonly start: number; readonly end: number }>(
  hits: readonly Hit[],
): readonly Hit[] {
  // By their start, so that only neighbours have to be looked at: a page of keys has many.
  const kept: Hit[] = []
  for (const hit of hits) {
    const at = placeIn(kept, hit.start)
    const [before, after] = [kept[at - 1], kept[at]]
    const isFree = (before === undefined || before.end <= hit.start) && (after === undefined || hit.end <= after.start)
    if (isFree) kept.splice(at, 0, hit)
  }
  return kept
}

/** How many begin before. */
function placeIn(kept: readonly { readonly start: number }[], start: number): number {
  let [low, high] = [0, kept.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((kept[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
}
