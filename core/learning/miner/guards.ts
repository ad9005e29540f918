import type { Json } from '../../domain/json.ts'
import { isJsonObject } from '../../domain/json.ts'
import { isList, isScalar, type Scalar } from './json-path.ts'
import type { NodePlan } from './plan.ts'
import { pythonOf } from './python.ts'

/** What was the same in all threads and decides whether this is the same task. */
export interface Guard {
  /** The node after which, or before whose loop, it stands. */
  readonly node: string
  readonly isBefore: boolean
  /** True where the program must not go on. */
  readonly condition: string
  readonly message: string
}

const longestKind = 24
const longestSeen = 4_000

/**
 * Values of reads that no argument rests on and that were one and the same: they become preconditions. Source: learning 3.9.
 */
export function guardsOf(nodes: readonly NodePlan[]): readonly Guard[] {
  const used = new Set(
    nodes.flatMap(({ calls }) => calls.flatMap((call) => [...call.arguments.values()].flatMap(({ leaves }) => leaves))),
  )
  const all = nodes.flatMap((node) => [...emptiness(node), ...elementGuards(node, used), ...resultGuards(node, used)])
  return all.filter(({ condition }, at) => all.findIndex((other) => other.condition === condition) === at)
}

function resultGuards({ name, loop, calls: [plan], node }: NodePlan, used: ReadonlySet<string>): readonly Guard[] {
  if (loop !== null || plan === undefined || plan.isWrite || plan.effects.every((effect) => effect === 'Compute'))
    return []
  const calls = node.threads.flatMap((iterations) => iterations[0]?.[0] ?? [])
  const said = new Set<Json>(calls.flatMap(({ args }) => Object.values(args)))
  const guards: Guard[] = []
  for (const { code, leaf, values } of samePlaces({
    code: name,
    leaf: name,
    values: calls.map(({ result }) => result),
  })) {
    const [value] = values
    if (value === undefined || said.has(value) || !values.every((each) => each === value)) continue
    const isStatus = leaf === `${name}.status` && typeof value === 'number'
    if ((isKind(value) || isStatus) && !used.has(leaf))
      guards.push(after(name, `${code} != ${pythonOf(value)}`, `${leaf} is not ${shortened(value)}`))
    else if (typeof value === 'string' && isDocument(value))
      guards.push(after(name, isOther(code, value), `${leaf} has changed`))
  }
  return guards
}

function after(node: string, condition: string, message: string): Guard {
  return { node, isBefore: false, condition, message }
}

function shortened(value: Scalar): string {
  return String(value).slice(0, longestKind)
}

/** Yes or no, or a short word: no name of a thing, no date, no path. */
export function isKind(value: Scalar): boolean {
  if (typeof value === 'boolean') return true
  return (
    typeof value === 'string' && value.length > 0 && value.length <= longestKind && /^[\p{L}][\p{L} _-]*$/u.test(value)
  )
}

/** A text that was read and never changed: what it says was followed. */
function isDocument(value: string): boolean {
  return value.length > longestKind && value.isWellFormed()
}

function isOther(code: string, seen: string): string {
  if (seen.length <= longestSeen) return `${code} != ${pythonOf(seen)}`
  const [start, end] = [seen.slice(0, longestSeen / 2), seen.slice(-longestSeen / 2)]
  return `len(${code}) != ${[...seen].length} or not ${code}.startswith(${pythonOf(start)}) or not ${code}.endswith(${pythonOf(end)})`
}

interface Place {
  readonly code: string
  readonly leaf: string
  readonly values: readonly Json[]
}

/** Scalars that all samples have, through objects and lists of one. */
function samePlaces(root: Place): readonly (Omit<Place, 'values'> & { readonly values: readonly Scalar[] })[] {
  const found: (Omit<Place, 'values'> & { readonly values: readonly Scalar[] })[] = []
  const walk = ({ code, leaf, values }: Place, depth: number) => {
    if (depth > 6 || found.length > 60) return
    if (values.every(isScalar)) found.push({ code, leaf, values })
    else if (values.every(isJsonObject)) {
      const [first = {}] = values
      for (const key of Object.keys(first)) {
        if (key === 'headers' || !key.isWellFormed() || !values.every((each) => Object.hasOwn(each, key))) continue
        const parts = values.map((each) => each[key] ?? null)
        walk({ code: `${code}[${JSON.stringify(key)}]`, leaf: `${leaf}.${key}`, values: parts }, depth + 1)
      }
    } else if (values.every(isList) && values.every(({ length }) => length === 1)) {
      walk({ code: `${code}[0]`, leaf: `${leaf}.0`, values: values.map((each) => each[0] ?? null) }, depth + 1)
    }
  }
  walk(root, 0)
  return found
}

/** Lists that held something in all threads must do so again. */
function emptiness({ name, calls }: NodePlan): readonly Guard[] {
  const needs = new Set(calls.flatMap((call) => [...call.arguments.values()].flatMap((expression) => expression.needs)))
  return [...needs].map((code) => ({
    node: name,
    isBefore: true,
    condition: `not ${code}`,
    message: 'nothing was found',
  }))
}

/** Before a loop that writes: there is something to do, and all of it is of the one kind that it always was. */
function elementGuards({ name, loop, calls }: NodePlan, used: ReadonlySet<string>): readonly Guard[] {
  if (loop?.kind !== 'map' || !calls.some(({ isWrite }) => isWrite)) return []
  const before = (condition: string, message: string): Guard => ({ node: name, isBefore: true, condition, message })
  const places = samePlaces({ code: 'y', leaf: `${loop.leaf}[]`, values: loop.elements })
  const kinds = places.flatMap(({ code, leaf, values }) => {
    const [value] = values
    const isSame = value !== undefined && values.every((each) => each === value)
    if (!isSame || !isKind(value) || used.has(leaf)) return []
    return [
      before(`[y for y in ${loop.list} if ${code} != ${pythonOf(value)}]`, `${leaf} is not always ${shortened(value)}`),
    ]
  })
  return [before(`not ${loop.list}`, 'nothing was found'), ...kinds]
}
