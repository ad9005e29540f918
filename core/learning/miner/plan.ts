import type { EffectType } from '../../domain/action.ts'
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Call } from './canonical.ts'
import { explain } from './explain.ts'
import type { Expression } from './expression.ts'
import type { Frame } from './frame.ts'
import type { AlignedNode } from './group.ts'
import { isList, type JsonPath, pathText } from './json-path.ts'

/** A call as the program makes it. */
export interface CallPlan {
  readonly action: string
  /** Of one sample: what the arguments look like. */
  readonly shape: JsonObject
  /** By `pathText`: everything in it that is not looked into further. */
  readonly arguments: ReadonlyMap<string, Expression>
  readonly effects: readonly EffectType[]
  readonly isWrite: boolean
  readonly isRetried: boolean
  /** An argument that is only there when its variable holds something. */
  readonly optional: { readonly path: JsonPath; readonly variable: string } | null
}

export type Loop =
  | {
      readonly kind: 'map'
      readonly list: string
      readonly item: string
      readonly leaf: string
      /** Of all threads. */
      readonly elements: readonly Json[]
    }
  | {
      readonly kind: 'pages'
      readonly variable: string
      readonly start: number
      readonly step: number
      readonly more: string
    }
  | { readonly kind: 'cursor'; readonly variable: string; readonly next: string }

export interface NodePlan {
  /** `n1`: its result, or the list of its results; with several calls in a loop `n1_1`, `n1_2`. */
  readonly name: string
  readonly loop: Loop | null
  readonly calls: readonly CallPlan[]
  readonly node: AlignedNode
}

/** Which argument nothing explains. */
export interface Unexplained {
  readonly unexplained: string
}

export interface CallSamples {
  readonly calls: readonly Call[]
  readonly frame: Frame
  /** What the loop itself gives: no other explanation is looked for. */
  readonly given?: ReadonlyMap<string, Expression>
  readonly optional?: CallPlan['optional']
}

/** How one call of the program is made in all samples. */
export function planCall({ calls, frame, given, optional = null }: CallSamples): CallPlan | Unexplained {
  const [first] = calls
  if (first === undefined) return { unexplained: 'nothing' }
  const found = new Map<string, Expression>()
  const isRead = !calls.some(({ isWrite }) => isWrite)
  const isSum = first.action === 'calculate'
  const fits = (values: readonly Json[], path: JsonPath): boolean => {
    const own = given?.get(pathText(path))
    if (own !== undefined) return set(path, own)
    if (optional !== null && pathText(optional.path) === pathText(path)) return true
    if (values.every(isJsonObject)) return fieldsFit(values, path)
    const key = String(path.findLast((part) => typeof part === 'string') ?? 'value')
    const expression = explain({ key, targets: values, isWrite: !isRead, isSum }, frame)
    if (expression !== null) return set(path, expression)
    const lists = values.filter(isList)
    const [list = []] = lists
    if (lists.length < values.length || lists.some(({ length }) => length !== list.length)) return false
    return list.every((_, at) =>
      fits(
        lists.map((each) => each[at] ?? null),
        [...path, at],
      ),
    )
  }
  const set = (path: JsonPath, expression: Expression) =>
    found.set(pathText(path), expression).size <= limits.minerLeaves
  const fieldsFit = (objects: readonly JsonObject[], path: JsonPath): boolean => {
    const keys = new Set(objects.flatMap((object) => Object.keys(object)))
    for (const key of keys) {
      const below = [...path, key]
      const isOptional = optional !== null && pathText(optional.path) === pathText(below)
      if (isOptional) continue
      const values = objects.flatMap((object) => (Object.hasOwn(object, key) ? [object[key] ?? null] : []))
      if (values.length < objects.length || !fits(values, below)) {
        failedAt ??= pathText(below)
        return false
      }
    }
    return true
  }
  let failedAt: string | null = null
  if (
    !fieldsFit(
      calls.map(({ args }) => args),
      [],
    )
  )
    return { unexplained: `${first.action}.${failedAt ?? ''}` }
  return {
    ...{
      action: first.action,
      shape: first.args,
      arguments: found,
      effects: first.effects,
      isWrite: !isRead,
      optional,
    },
    isRetried: calls.some((call) => call.isRetried),
  }
}

export function isUnexplained<Plan extends object>(plan: Plan | Unexplained): plan is Unexplained {
  return 'unexplained' in plan
}
