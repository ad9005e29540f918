import type { Json } from '../../domain/json.ts'
import { isJsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { isList, isScalar, type Scalar } from './json-path.ts'
import { columnForm, fieldForm, keysOf, secondForms, shortForms, type TextForm } from './text-forms.ts'

/** Something that is known when a call is made, as Python, with what it was in each sample. */
export interface Source {
  readonly code: string
  readonly values: readonly Scalar[]
  /** What of which result it rests on: `n3.body.total`. */
  readonly leaf: string
  /** How it was made of that: '' where it is that itself. */
  readonly form: string
  /** Lists that must hold something for it. */
  readonly needs: readonly string[]
}

export interface ListSource {
  readonly code: string
  readonly values: readonly (readonly Json[])[]
  readonly leaf: string
}

export interface Sources {
  readonly scalars: readonly Source[]
  readonly lists: readonly ListSource[]
}

/** A value by its Python name, in each sample. */
export interface Known {
  readonly code: string
  readonly leaf: string
  readonly values: readonly Json[]
  readonly needs?: readonly string[]
}

const longestText = 20_000
const deepest = 8

/** Everything that can be said of a value, the nearest first: what all samples have. Source: learning 3.6. */
export function sourcesIn(known: Known): Sources {
  const scalars: Source[] = []
  const lists: ListSource[] = []
  const queue: (Known & { depth: number })[] = [{ ...known, depth: 0 }]
  for (let here = queue.shift(); here !== undefined; here = queue.shift()) {
    if (scalars.length >= limits.minerSources || lists.length >= limits.minerLists) break
    const { code, leaf, values, needs = [], depth } = here
    const next = (part: Pick<Known, 'code' | 'leaf' | 'values'> & { needs?: readonly string[] }) => {
      if (depth < deepest) queue.push({ needs, ...part, depth: depth + 1 })
    }
    if (values.every(isScalar)) {
      scalars.push(...scalarsOf({ code, leaf, values, needs }))
      const opened = openJson(values)
      if (opened !== null) next({ code: `json.loads(${code})`, leaf, values: opened })
      const lines = linesOf(values)
      if (lines !== null) lists.push({ code: `[y for y in ${code}.split("\\n") if y.strip()]`, leaf, values: lines })
    } else if (values.every(isList)) {
      lists.push({ code, leaf, values })
      scalars.push({ code: `len(${code})`, leaf, form: 'count', needs: [], values: values.map((list) => list.length) })
      if (values.every((list) => list.length > 0)) {
        const first = values.map((list) => list[0] ?? null)
        next({ code: `${code}[0]`, leaf: `${leaf}.0`, values: first, needs: [...needs, code] })
      }
    } else if (values.every(isJsonObject)) {
      for (const key of commonKeys(values)) {
        const parts = values.map((object) => object[key] ?? null)
        next({ code: `${code}[${JSON.stringify(key)}]`, leaf: `${leaf}.${key}`, values: parts })
      }
    }
  }
  return { scalars: scalars.slice(0, limits.minerSources), lists: lists.slice(0, limits.minerLists) }
}

/** What a server says of the transport is no matter of the task. */
const leftOut: ReadonlySet<string> = new Set(['headers'])

function commonKeys(objects: readonly { readonly [key: string]: Json }[]): readonly string[] {
  const [first = {}, ...others] = objects
  return Object.keys(first).filter(
    (key) => !leftOut.has(key) && key.isWellFormed() && others.every((each) => Object.hasOwn(each, key)),
  )
}

/** A scalar and what can be made of it. */
export function scalarsOf(base: Omit<Source, 'form'>): readonly Source[] {
  const sources: Source[] = [{ ...base, form: '' }]
  const texts = textsOf(base.values)
  if (texts === null || texts.some((text) => text.length > longestText)) return sources
  const [first = ''] = texts
  const fields = keysOf(first).map(fieldForm)
  const columns = first.includes(',')
    ? first
        .split(',')
        .slice(0, 12)
        .map((_, at) => columnForm(at))
    : []
  for (const form of [...fields, ...shortForms, ...columns]) {
    const made = derive(base, form)
    if (made === null) continue
    sources.push(made)
    if (!fields.includes(form) && !form.name.startsWith('between')) continue
    for (const second of secondForms) {
      const again = derive(made, second)
      if (again !== null) sources.push({ ...again, form: `${form.name}, ${second.name}` })
    }
  }
  return sources
}

/** Null where it is not total over the samples, or makes nothing new. */
function derive(base: Omit<Source, 'form'>, form: TextForm): Source | null {
  const texts = textsOf(base.values)
  const made = texts?.map((text) => form.of(text)) ?? []
  const values = made.flatMap((value) => (value === undefined || value === '' ? [] : [value]))
  if (texts === null || values.length < texts.length || values.every((value, at) => value === texts[at])) return null
  return { ...base, code: form.python(base.code), values, form: form.name }
}

export function textsOf(values: readonly Json[]): readonly string[] | null {
  const texts = values.filter((value) => typeof value === 'string')
  return texts.length === values.length ? texts : null
}

function openJson(values: readonly Json[]): readonly Json[] | null {
  const texts = textsOf(values)
  if (texts === null || !texts.every((text) => /^\s*[[{]/.test(text) && text.length <= 200_000)) return null
  try {
    return texts.map((text): Json => JSON.parse(text))
  } catch {
    // It only looks like JSON: then it is text.
    return null
  }
}

function linesOf(values: readonly Json[]): readonly (readonly string[])[] | null {
  const texts = textsOf(values)
  if (texts === null || !texts.every((text) => text.includes('\n') && text.length <= longestText)) return null
  return texts.map((text) => text.split('\n').filter((line) => line.trim() !== ''))
}
