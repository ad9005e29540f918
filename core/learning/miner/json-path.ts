import { isJsonObject, type Json } from '../../domain/json.ts'

/** Where a value stands inside another: keys and places. */
export type JsonPath = readonly (string | number)[]

export type Scalar = null | boolean | number | string

export function isScalar(value: Json | undefined): value is Scalar {
  return value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string'
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Undefined where nothing is. */
export function valueAt(value: Json | undefined, path: JsonPath): Json | undefined {
  let here = value
  for (const key of path) {
    if (isList(here) && typeof key === 'number') here = here.at(key)
    else if (isJsonObject(here) && typeof key === 'string' && Object.hasOwn(here, key)) here = here[key]
    else return undefined
  }
  return here
}

/** Every scalar with its path, in the order of the text; `isWhole` says which values are not looked into. */
export function leavesOf(value: Json, isWhole: (value: Json) => boolean = () => false): readonly Leaf[] {
  const leaves: Leaf[] = []
  const walk = (here: Json, path: JsonPath) => {
    if (isScalar(here) || isWhole(here)) leaves.push({ path, value: here })
    else if (isList(here)) for (const [at, item] of here.entries()) walk(item, [...path, at])
    else for (const [key, item] of Object.entries(here)) walk(item, [...path, key])
  }
  walk(value, [])
  return leaves
}

export interface Leaf {
  readonly path: JsonPath
  readonly value: Json
}

export function pathText(path: JsonPath): string {
  return path.join('.')
}
