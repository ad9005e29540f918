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
function replacedView(of: View, pattern: RegExp, replace: (match: string) => string): View | null {
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

/** Percent-encoding undone; what is not ASCII stays as it is. */
export function percentView(of: View): View | null {
  return replacedView(of, /%[0-9a-f]{2}/gi, (written) => {
    const code = Number.parseInt(written.slice(1), 16)
    return code < 0x80 ? String.fromCharCode(code) : written
  })
}

/** Characters that nobody sees, left out. */
export function withoutHidden(of: View): View | null {
  return replacedView(of, /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/g, () => '')
}

/** `\u0041` and `\/` of JSON undone. */
export function jsonEscapesView(of: View): View | null {
  return replacedView(of, /\\u[0-9a-f]{4}|\\\//gi, (written) =>
    written === '\\/' ? '/' : String.fromCharCode(Number.parseInt(written.slice(2), 16)),
  )
}

/** `&#65;`, `&#x41;` and the five names undone. */
export function entitiesView(of: View): View | null {
  return replacedView(of, /&(?:#\d{1,6}|#x[0-9a-f]{1,5}|amp|lt|gt|quot|apos);/gi, (written) => {
    const body = written.slice(1, -1).toLowerCase()
    if (!body.startsWith('#')) return names[body] ?? written
    const code = body.startsWith('#x') ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10)
    return code < 0x10000 ? String.fromCharCode(code) : written
  })
}
const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Blanks and line breaks left out: a secret that was wrapped, or spelled with gaps. */
export function withoutBlanks(of: View): View | null {
  return replacedView(of, /\s+/g, () => '')
}
