import type { Json } from '../../domain/json.ts'
import { isJsonObject } from '../../domain/json.ts'
import { isScalar, type JsonPath, type Scalar, valueAt } from './json-path.ts'
import { pythonOf } from './python.ts'
import type { ListSource } from './source.ts'

/** Lists with so many elements in each thread, as they are or as a part of one. Source: learning 3.6, Lists. */
export function listsOfLength(lists: readonly ListSource[], counts: readonly number[]): readonly ListSource[] {
  const fits = ({ values }: ListSource) => values.every((list, at) => list.length === counts[at])
  const plain = lists.filter(fits)
  return [...plain, ...lists.flatMap(partsOf).filter(fits)]
}

const made = new WeakMap<ListSource, readonly ListSource[]>()

/** Made once for each list: many arguments are held against them. */
function partsOf(list: ListSource): readonly ListSource[] {
  const parts = made.get(list) ?? makeParts(list)
  made.set(list, parts)
  return parts
}

function makeParts(list: ListSource): readonly ListSource[] {
  const all = list.values.flat()
  if (all.length === 0 || all.length > 5_000) return []
  return pathsIn(all).flatMap((path) => [
    ...byValue(list, path),
    ...byEnding(list, path),
    ...withoutRepeats(list, path),
  ])
}

/** Paths of scalars that every element has, two deep. */
function pathsIn(elements: readonly Json[]): readonly JsonPath[] {
  const [first] = elements
  if (isScalar(first)) return [[]]
  if (!isJsonObject(first)) return []
  const paths: JsonPath[] = []
  for (const [key, value] of Object.entries(first)) {
    if (isScalar(value)) paths.push([key])
    else if (isJsonObject(value))
      for (const inner of Object.keys(value)) if (isScalar(value[inner])) paths.push([key, inner])
  }
  return paths.filter((path) => elements.every((element) => isScalar(valueAt(element, path)))).slice(0, 24)
}

const code = (path: JsonPath) => `y${path.map((key) => `[${JSON.stringify(key)}]`).join('')}`

function where(list: ListSource, condition: string, is: (element: Json) => boolean): ListSource {
  const values = list.values.map((elements) => elements.filter(is))
  return { code: `[y for y in ${list.code} if ${condition}]`, leaf: list.leaf, values }
}

/** What a leaf sorts into few kinds: the elements of one kind, and those of all others. */
function byValue(list: ListSource, path: JsonPath): readonly ListSource[] {
  const kinds = new Set<Scalar>()
  for (const element of list.values.flat()) {
    const value = valueAt(element, path)
    if (isScalar(value)) kinds.add(value)
    if (kinds.size > 6) return []
  }
  if (kinds.size < 2) return []
  return [...kinds].flatMap((kind) => [
    where(list, `${code(path)} == ${pythonOf(kind)}`, (element) => valueAt(element, path) === kind),
    where(list, `${code(path)} != ${pythonOf(kind)}`, (element) => valueAt(element, path) !== kind),
  ])
}

function byEnding(list: ListSource, path: JsonPath): readonly ListSource[] {
  const endingOf = (element: Json) => /\.[a-z0-9]{1,5}$/.exec(String(valueAt(element, path)))?.[0]
  const endings = new Set(list.values.flat().flatMap((element) => endingOf(element) ?? []))
  if (endings.size === 0 || endings.size > 6) return []
  return [...endings].map((ending) =>
    where(list, `${code(path)}.endswith(${JSON.stringify(ending)})`, (element) => endingOf(element) === ending),
  )
}

function withoutRepeats(list: ListSource, path: JsonPath): readonly ListSource[] {
  const texts = list.values.map((elements) => elements.map((element) => valueAt(element, path)))
  if (!texts.flat().every((text) => typeof text === 'string')) return []
  const values = texts.map((each) => [...new Set(each)].flatMap((text) => (typeof text === 'string' ? [text] : [])))
  if (values.every((each, at) => each.length === texts[at]?.length)) return []
  return [{ code: `list(dict.fromkeys([${code(path)} for y in ${list.code}]))`, leaf: list.leaf, values }]
}
