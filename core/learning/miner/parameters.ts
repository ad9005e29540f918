import { limits } from '../../domain/limits.ts'
import { goalPattern } from './goal-pattern.ts'
import { type FoundParameter, tokensIn } from './parameter-book.ts'
import { isPythonName } from './python.ts'
import { scalarsOf } from './source.ts'

export const parameterTypes = ['int', 'number', 'date', 'id', 'path', 'url', 'text'] as const
export type ParameterType = (typeof parameterTypes)[number]

/** What the caller of a mined function says. */
export interface MinedParameter {
  readonly name: string
  readonly type: ParameterType
  /** Finds it in a goal as its first group; null where the caller has to think. Every support goal was tried. */
  readonly pattern: string | null
  readonly examples: readonly string[]
  readonly isFree: boolean
  /** By thread of the support. */
  readonly values: readonly string[]
}

export interface NamedParameters {
  readonly parameters: readonly MinedParameter[]
  /** Python with names in the place of tokens. */
  name(code: string): string
}

/**
 * Those that the code needs, one derived from another left out, with names that Python and the host's functions leave free.
 * Source: learning 3.8.
 */
export function nameParameters(
  found: readonly FoundParameter[],
  {
    code,
    goals,
    taken,
  }: { readonly code: string; readonly goals: readonly string[]; readonly taken: ReadonlySet<string> },
): NamedParameters {
  const needed = new Set(tokensIn(code))
  const derived = derivedOf(found.filter(({ token }) => needed.has(token)))
  const kept = found.filter(({ token }) => needed.has(token) && !derived.has(token))
  const names = new Map<string, string>()
  const used = new Set(taken)
  for (const { token, usedAs, values } of kept) {
    const name = freeName(usedAs, { type: typeOf(values), used })
    used.add(name)
    names.set(token, name)
  }
  const named = (text: string) => {
    let result = text
    for (const [token, form] of derived) result = result.replaceAll(token, form)
    for (const [token, name] of names) result = result.replaceAll(token, name)
    return result
  }
  const parameters = kept.map(({ token, values, isFree }) => ({
    ...{ name: names.get(token) ?? '', type: typeOf(values), values, isFree },
    pattern: patternOf(values, goals),
    examples: [...new Set(values)].slice(0, 5),
  }))
  return { parameters, name: named }
}

/** By token: the Python that makes it of another parameter. */
function derivedOf(found: readonly FoundParameter[]): ReadonlyMap<string, string> {
  const derived = new Map<string, string>()
  for (const { token, values } of found) {
    const others = found.filter((other) => other.token !== token && !derived.has(other.token) && !other.isFree)
    const made = others.flatMap((other) =>
      scalarsOf({ code: other.token, values: other.values, leaf: '', needs: [] }).filter(({ form }) => form !== ''),
    )
    const same = made.find((source) => source.values.every((value, at) => value === values[at]))
    const isBack = same !== undefined && [...derived.values()].some((code) => tokensIn(code).includes(token))
    if (same !== undefined && !isBack) derived.set(token, same.code)
  }
  return derived
}

function freeName(
  usedAs: string,
  { type, used }: { readonly type: ParameterType; readonly used: ReadonlySet<string> },
): string {
  const plain = usedAs
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/\W+/g, '_')
  const base = isPythonName(plain) && !/^n\d|^_|^[abrxy]$/.test(plain) ? plain : type === 'text' ? 'value' : type
  const possible = [base, `${base}_value`, ...Array.from({ length: 20 }, (_, at) => `${base}_${at + 2}`)]
  return possible.find((name) => !used.has(name)) ?? `${base}_${used.size}`
}

function typeOf(values: readonly string[]): ParameterType {
  const all = (pattern: RegExp) => values.every((value) => pattern.test(value))
  if (all(/^-?\d+$/)) return 'int'
  if (all(/^-?\d[\d,]*(?:\.\d+)?$/)) return 'number'
  if (all(/^\d{4}-\d{2}(?:-\d{2})?$/)) return 'date'
  if (all(/^https?:\/\//)) return 'url'
  if (all(/\/|\.[a-z0-9]{1,5}$/i)) return 'path'
  return all(/^\S*\d\S*$/) ? 'id' : 'text'
}

/** A pattern that finds the value in each goal of the support, so far as there is one. */
export function patternOf(values: readonly string[], goals: readonly string[]): string | null {
  const possible = [shapePattern(values), prefixPattern(values), ...neighbourPatterns(values, goals)]
  return possible.find((pattern) => pattern !== null && finds(pattern, values, goals)) ?? null
}

/** A pattern is tried as it will be used: without regard to case. */
function finds(pattern: string, values: readonly string[], goals: readonly string[]): boolean {
  return goals.every((goal, at) => goalPattern(pattern).valueIn(goal) === values[at])
}

type Piece = { readonly kind: 'digits' | 'letters' | 'signs'; readonly text: string }

function piecesOf(value: string): readonly Piece[] {
  return (value.match(/\d+|\p{L}+|[^\d\p{L}]+/gu) ?? []).map((text) => ({
    text,
    kind: /^\d/.test(text) ? 'digits' : /^\p{L}/u.test(text) ? 'letters' : 'signs',
  }))
}

/** `A-2039`, `A-2082` → `\b(A-\d{4})\b`. */
function shapePattern(values: readonly string[]): string | null {
  const [first = [], ...others] = values.map(piecesOf)
  const isOneShape = others.every(
    (pieces) => pieces.length === first.length && pieces.every(({ kind }, at) => kind === first[at]?.kind),
  )
  if (!isOneShape || !first.some(({ kind }) => kind === 'digits')) return null
  const parts = first.map(({ kind, text }, at) => {
    const texts = [text, ...others.map((pieces) => pieces[at]?.text ?? '')]
    const lengths = new Set(texts.map(({ length }) => length))
    if (kind === 'digits') return lengths.size === 1 ? `\\d{${text.length}}` : '\\d+'
    if (texts.every((each) => each === text)) return escaped(text)
    return kind === 'letters' ? '\\p{L}+' : null
  })
  return parts.includes(null) ? null : `\\b(${parts.join('')})\\b`
}

/** `scans/a`, `scans/bc` → `(scans/[\w.-]+)`; the sign before a full stop at the end of a sentence is a word's. */
function prefixPattern(values: readonly string[]): string | null {
  const [first = ''] = values
  let length = 0
  while (length < first.length && values.every((value) => value[length] === first[length])) length += 1
  while (length > 0 && /[\w]/.test(first[length - 1] ?? '')) length -= 1
  const prefix = first.slice(0, length)
  return prefix.trim().length < 2 ? null : `(${escaped(prefix)}[\\w./-]*\\w)`
}

/** Characters on each side in which that word stands. */
const nearby = 80

/** The word beside it, where it is one and the same. */
function neighbourPatterns(values: readonly string[], goals: readonly string[]): readonly string[] {
  const value = values.every((each) => /^[\w.-]+$/.test(each)) ? '([\\w.-]*\\w)' : '([\\w./-]*\\w(?: [\\w./-]*\\w)*?)'
  const sides = goals.flatMap((whole, at) => {
    const goal = whole.slice(0, limits.skillGoalCharacters)
    const from = goal.indexOf(values[at] ?? '')
    if (from < 0) return []
    const to = from + (values[at]?.length ?? 0)
    const before = /(\p{L}+)[\s:"'=]+$/u.exec(goal.slice(Math.max(0, from - nearby), from))
    const after = /^[\s:"',.]+(\p{L}+)/u.exec(goal.slice(to, to + nearby))
    return [{ before: before?.[1]?.toLowerCase() ?? null, after: after?.[1]?.toLowerCase() ?? null }]
  })
  const [first] = sides
  if (first === undefined || sides.length < goals.length) return []
  const isSame = (side: 'before' | 'after') => first[side] !== null && sides.every((each) => each[side] === first[side])
  return [
    ...(isSame('before') && isSame('after')
      ? [`\\b${first.before}[\\s:"'=]+${value}[\\s:"',.]+${first.after}\\b`]
      : []),
    ...(isSame('before') ? [`\\b${first.before}[\\s:"'=]+${value}`] : []),
    ...(isSame('after') ? [`${value}[\\s:"',.]+${first.after}\\b`] : []),
  ]
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, (sign) => (sign === '/' || sign === '-' ? sign : `\\${sign}`))
}
