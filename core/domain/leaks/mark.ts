/** Where a secret was taken out of a value: its family, the path in the value, and the place in that text. */
export interface Redaction {
  /** `github-classic`; `stored-key` for a key that is kept here. */
  readonly what: string
  /** `result.lines[3]`; empty for the value itself. */
  readonly where: string
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** A key that is kept here, by its value: which one is no matter of whoever reads the mark. */
export const storedKey = 'stored-key'

const opening = '[redacted: '

export function markOf(what: string): string {
  return `${opening}${what}]`
}

/** Each mark that stands in a value. Offsets are those of the mark. */
export function marksIn(value: unknown): readonly Redaction[] {
  const marks: Redaction[] = []
  eachText(value, (text, where) => {
    if (!text.includes(opening)) return
    for (const { 0: mark, 1: what = '', index } of text.matchAll(/\[redacted: ([a-z0-9-]{2,40})\]/g))
      marks.push({ what, where: where(), start: index, end: index + mark.length })
  })
  return marks
}

/** Every text of a value with the path to it, keys of objects too. The path is written only where it is asked for. */
function eachText(value: unknown, visit: (text: string, where: () => string) => void): void {
  const path: (string | number)[] = []
  const where = () => pathText(path)
  const walk = (each: unknown): void => {
    if (typeof each === 'string') visit(each, where)
    if (typeof each !== 'object' || each === null) return
    if (Array.isArray(each)) {
      for (const [at, item] of each.entries()) {
        path.push(at)
        walk(item)
        path.pop()
      }
      return
    }
    for (const [key, item] of Object.entries(each)) {
      visit(key, where)
      path.push(key)
      walk(item)
      path.pop()
    }
  }
  walk(value)
}

export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}
