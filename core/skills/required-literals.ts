/**
 * Texts of which every match of a pattern holds at least one, in lower case; null where nothing can be said. Only what is
 * surely needed: a pattern whose texts are not there need not be tried. Source: the syntax of RE2.
 */
export function requiredLiterals(pattern: string): readonly string[] | null {
  const reader: Reader = { pattern, at: 0 }
  const found = alternatives(reader)
  if (found === 'unknown' || reader.at < pattern.length) return null
  return wantedOf(found)
}

/** The form of a text in which such texts are looked for. */
export function literalForm(text: string): string {
  // The one letter that is an `s` to a pattern without case, and not to `toLowerCase`.
  return text.toLowerCase().replaceAll('\u017f', 's')
}

interface Reader {
  readonly pattern: string
  at: number
}

/** What a part of a pattern needs. `text`: it is just that text, so its neighbours join it. */
interface Part {
  readonly text: string | null
  readonly needs: readonly string[] | null
}
type Found = Part | 'unknown'

const anything: Part = { text: null, needs: null }
const nothing: Part = { text: '', needs: null }
const shortest = 2
const mostTexts = 16

function wantedOf({ text, needs }: Part): readonly string[] | null {
  return text !== null && text.length >= shortest ? [text] : needs
}

function alternatives(reader: Reader): Found {
  const parts: Part[] = []
  do {
    if (parts.length > 0) reader.at += 1
    const part = sequence(reader)
    if (part === 'unknown') return part
    parts.push(part)
  } while (reader.pattern[reader.at] === '|')
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const needs = parts.map(wantedOf)
  const all = needs.flatMap((each) => each ?? [])
  return { text: null, needs: needs.includes(null) || all.length > mostTexts ? null : all }
}

function sequence(reader: Reader): Found {
  let run = ''
  let isPure = true
  let best: readonly string[] | null = null
  const offer = (needs: readonly string[] | null) => {
    if (needs !== null && worth(needs) > worth(best)) best = needs
  }
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at] ?? '')) {
    const part = atom(reader)
    if (part === 'unknown') return part
    const least = repetition(reader)
    if (least === null && part.text !== null) {
      run += part.text
      continue
    }
    offer(wantedOf({ text: run, needs: null }))
    run = ''
    isPure = false
    if (least !== 0) offer(wantedOf(part))
  }
  if (isPure) return { text: run, needs: null }
  offer(wantedOf({ text: run, needs: null }))
  return { text: null, needs: best }
}

function worth(needs: readonly string[] | null): number {
  return needs === null || needs.length === 0 ? 0 : Math.min(...needs.map((text) => text.length)) - needs.length / 100
}

/** How often at least; null where nothing is said. */
function repetition(reader: Reader): number | null {
  const found = /^(?:([*?])|(\+)|\{(\d+)(?:,\d*)?\})/.exec(reader.pattern.slice(reader.at, reader.at + 24))
  if (found === null) return null
  reader.at += found[0].length
  if ('?+'.includes(reader.pattern[reader.at] ?? '-')) reader.at += 1
  if (found[1] !== undefined) return 0
  return found[2] === undefined ? Number(found[3]) : 1
}

function atom(reader: Reader): Found {
  const character = reader.pattern[reader.at] ?? ''
  switch (character) {
    case '(':
      return group(reader)
    case '[':
      return bracket(reader)
    case '\\':
      return escaped(reader)
    case '^':
    case '$':
      reader.at += 1
      return nothing
    case '.':
      reader.at += 1
      return anything
    case '*':
    case '+':
    case '?':
      return 'unknown'
  }
  reader.at += 1
  return literal(character)
}

/** What is no ASCII has other forms in other cases. */
function literal(character: string): Part {
  return character >= ' ' && character <= '~' ? { text: character.toLowerCase(), needs: null } : anything
}

function group(reader: Reader): Found {
  const head = /^\((?:\?(?:P?<\w+>|[imsU-]*(?<end>[:)])))?/.exec(reader.pattern.slice(reader.at, reader.at + 80))
  if (head === null || reader.pattern.startsWith('(?', reader.at) !== head[0].length > 1) return 'unknown'
  reader.at += head[0].length
  if (head.groups?.end === ')') return nothing
  const inside = alternatives(reader)
  if (inside === 'unknown' || reader.pattern[reader.at] !== ')') return 'unknown'
  reader.at += 1
  return inside
}

function bracket(reader: Reader): Found {
  const found = /^\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/s.exec(reader.pattern.slice(reader.at))
  if (found === null) return 'unknown'
  reader.at += found[0].length
  return anything
}

function escaped(reader: Reader): Found {
  const found = /^\\(?:[pP](?:\{[^}]*\}|\w)|x(?:\{[0-9a-fA-F]+\}|[0-9a-fA-F]{2})|[0-7]{1,3}|[^Q])/s.exec(
    reader.pattern.slice(reader.at, reader.at + 80),
  )
  if (found === null) return 'unknown'
  reader.at += found[0].length
  const [, character = ''] = found[0]
  if ('bBAz'.includes(character)) return nothing
  return /[a-zA-Z0-9]/.test(character) ? anything : literal(character)
}
