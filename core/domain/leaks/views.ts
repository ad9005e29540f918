/** A text as a reader who decodes it would see it, with the way back. */
export interface View {
  readonly shown: string
  /** Offsets in the text as it was written, of the characters from `start` up to `end` (exclusive) of `shown`. */
  readonly written: (start: number, end: number) => { readonly start: number; readonly end: number }
}

export function plainView(text: string): View {
  return { shown: text, written: (start, end) => ({ start, end }) }
}

/** `of` with each match of `pattern` replaced. Null where nothing matches: the view would be the same text. */
function replacedView(of: View, { pattern, replace }: Spelling): View | null {
  const starts: number[] = []
  const ends: number[] = []
  let shown = ''
  let at = 0
  const keep = (from: number, to: number) => {
    for (let place = from; place < to; place += 1) {
      starts.push(place)
      ends.push(place + 1)
    }
    shown += of.shown.slice(from, to)
  }
  for (const { 0: match, index } of of.shown.matchAll(pattern)) {
    keep(at, index)
    at = index + match.length
    const piece = replace(match)
    for (let offset = 0; offset < piece.length; offset += 1) {
      starts.push(index)
      ends.push(at)
    }
    shown += piece
  }
  if (at === 0 && shown === '') return null
  keep(at, of.shown.length)
  return {
    shown,
    written: (start, end) => {
      const from = starts[start] ?? of.shown.length
      const to = ends[end - 1] ?? from
      return of.written(from, to)
    },
  }
}

interface Spelling {
  readonly pattern: RegExp
  readonly replace: (written: string) => string
}

const percent: Spelling = {
  pattern: /%[0-9a-f]{2}/gi,
  replace: (written) => {
    const code = Number.parseInt(written.slice(1), 16)
    return code < 0x80 ? String.fromCharCode(code) : written
  },
}

/** Characters that nobody sees, and the marks that `sanitizeText` puts in their place. */
const hidden: Spelling = {
  pattern:
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /(?:[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]|⟦U\+[0-9A-F]{4,5}⟧)+/g,
  replace: () => '',
}

const jsonEscapes: Spelling = {
  pattern: /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi,
  replace: (written) => {
    const escaped = written[1] ?? ''
    if (escaped === 'u' || escaped === 'U') return String.fromCharCode(Number.parseInt(written.slice(2), 16))
    return letters[escaped] ?? escaped
  },
}
const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** `&#65;`, `&#x41;` and the five names. */
const entities: Spelling = {
  pattern: /&(?:#\d{1,6}|#x[0-9a-f]{1,5}|amp|lt|gt|quot|apos);/gi,
  replace: (written) => {
    const body = written.slice(1, -1).toLowerCase()
    if (!body.startsWith('#')) return names[body] ?? written
    const code = body.startsWith('#x') ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10)
    return code < 0x10000 ? String.fromCharCode(code) : written
  },
}
const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Percent-encoding undone; what is not ASCII stays as it is. */
export const percentView = (of: View) => replacedView(of, percent)
/** Characters that nobody sees, left out. */
export const withoutHidden = (of: View) => replacedView(of, hidden)
/** The escapes of a JSON string undone. */
export const jsonEscapesView = (of: View) => replacedView(of, jsonEscapes)
export const entitiesView = (of: View) => replacedView(of, entities)
/** Blanks and line breaks left out: a secret that was wrapped, or spelled with gaps. */
export const withoutBlanks = (of: View) => replacedView(of, { pattern: /\s+/g, replace: () => '' })

/** The same readings without the way back, for a quick look. */
export function readingsOf(text: string): readonly string[] {
  const read = (from: string, { pattern, replace }: Spelling) => from.replace(pattern, replace)
  const once = read(text, percent)
  const unescaped = read(text, jsonEscapes)
  const twice = [read(once, percent), read(unescaped, jsonEscapes)]
  const readings = [once, unescaped, ...twice, read(text, entities), read(text, hidden)]
  return readings.filter((reading) => reading !== text)
}
