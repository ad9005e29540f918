import type { Json } from '../../domain/json.ts'
import type { Call } from './canonical.ts'
import { constantExpression } from './expression.ts'
import { frameOf, type Workspace } from './frame.ts'
import type { AlignedNode } from './group.ts'
import { isList, isScalar, type JsonPath, leavesOf, pathText, valueAt } from './json-path.ts'
import { listsOfLength } from './lists.ts'
import { type CallPlan, isUnexplained, type NodePlan, planCall, type Unexplained } from './plan.ts'
import { type ListSource, sourcesIn } from './source.ts'

/** A node with repeats as a loop; where no list and no rule to stop explains them there is none. Source: learning 3.7. */
export function planLoop(node: AlignedNode, name: string, workspace: Workspace): NodePlan | Unexplained {
  const repeats = pagesOf(node, name, workspace) ?? cursorOf(node, name, workspace)
  return repeats ?? mapOf(node, name, workspace)
}

function ownersOf({ threads }: AlignedNode): readonly number[] {
  return threads.flatMap((iterations, thread) => iterations.map(() => thread))
}

function callsAt({ threads }: AlignedNode, at: number): readonly Call[] {
  return threads.flatMap((iterations) => iterations.flatMap((calls) => calls[at] ?? []))
}

/** The single calls of a loop by thread; null where a body has several. */
function turnsOf(node: AlignedNode): readonly (readonly Call[])[] | null {
  const isRepeated = node.threads.some((iterations) => iterations.length > 1)
  return node.body.length === 1 && isRepeated ? node.threads.map((iterations) => iterations.flat()) : null
}

/** 1, 2, 3, … in one argument, as long as the answers say that there is more. */
function pagesOf(node: AlignedNode, name: string, workspace: Workspace): NodePlan | null {
  const turns = turnsOf(node)
  const [first] = turns?.flat() ?? []
  if (turns === null || first === undefined) return null
  for (const { path, value } of leavesOf(first.args)) {
    if (typeof value !== 'number') continue
    const step = stepOf(turns, path, value)
    const more = step === null ? null : whileMore(turns)
    if (step === null || more === null) continue
    const given = new Map([[pathText(path), constantExpression(`${name}_at`)]])
    const call = planCall({ calls: turns.flat(), frame: frameOf(workspace, ownersOf(node)), given })
    if (isUnexplained(call)) continue
    const loop = { kind: 'pages', variable: `${name}_at`, start: value, step, more } as const
    return { name, node, calls: [call], loop }
  }
  return null
}

function stepOf(turns: readonly (readonly Call[])[], path: JsonPath, start: number): number | null {
  const series = turns.map((calls) => calls.map(({ args }) => valueAt(args, path)))
  const [, second] = series.find((values) => values.length > 1) ?? []
  const step = typeof second === 'number' ? second - start : 0
  const isSeries = series.every((values) => values.every((value, at) => value === start + at * step))
  return isSeries && step > 0 ? step : null
}

/** What of an answer holds something in all but the last one. */
function whileMore(turns: readonly (readonly Call[])[]): string | null {
  const [first] = turns.flat()
  const path = first === undefined ? undefined : placesIn(first.result).find((each) => endsWith(turns, each))
  return path === undefined ? null : reading('r', path)
}

function endsWith(turns: readonly (readonly Call[])[], path: JsonPath): boolean {
  return turns.every((calls) =>
    calls.every(({ result }, at) => holdsSomething(valueAt(result, path)) === at < calls.length - 1),
  )
}

/** As Python sees it. */
function holdsSomething(value: Json | undefined): boolean {
  return isList(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== 0 && value !== ''
}

/** Scalars and lists that are reached through objects alone. */
function placesIn(result: Json): readonly JsonPath[] {
  const isWhole = (value: Json) => isList(value)
  const places = leavesOf(result, isWhole).map(({ path }) => path)
  return places.filter((path) => path.length > 0 && path[0] !== 'headers')
}

/** The last key may be missing where there is nothing to say. */
function reading(variable: string, path: JsonPath): string {
  const keys = path.map((key) => JSON.stringify(key))
  return `${variable}${keys
    .slice(0, -1)
    .map((key) => `[${key}]`)
    .join('')}.get(${keys.at(-1)})`
}

/** An argument that is absent at first, and then what the answer before it named. */
function cursorOf(node: AlignedNode, name: string, workspace: Workspace): NodePlan | null {
  const turns = turnsOf(node)
  if (turns === null) return null
  const later = turns.flatMap((calls) => calls.slice(1))
  const [example] = later
  if (example === undefined) return null
  for (const { path } of leavesOf(example.args)) {
    const isAbsentFirst = turns.every(([first]) => !holdsSomething(valueAt(first?.args, path)))
    if (!isAbsentFirst || !later.every(({ args }) => holdsSomething(valueAt(args, path)))) continue
    const from = placesIn(turns.find((calls) => calls.length > 1)?.[0]?.result ?? null).find((place) =>
      leads(turns, place, path),
    )
    if (from === undefined) continue
    const variable = `${name}_at`
    const call = planCall({
      calls: turns.flat(),
      frame: frameOf(workspace, ownersOf(node)),
      optional: { path, variable },
    })
    if (isUnexplained(call)) continue
    return { name, node, calls: [call], loop: { kind: 'cursor', variable, next: reading('r', from) } }
  }
  return null
}

function leads(turns: readonly (readonly Call[])[], from: JsonPath, to: JsonPath): boolean {
  return turns.every((calls) =>
    calls.every(({ result }, at) => {
      const next = valueAt(result, from)
      const following = calls[at + 1]
      if (following === undefined) return !holdsSomething(next)
      return isScalar(next) && next === valueAt(following.args, to)
    }),
  )
}

const mostLists = 16

/** One iteration for each element of a list that was read before. */
function mapOf(node: AlignedNode, name: string, workspace: Workspace): NodePlan | Unexplained {
  const counts = node.threads.map((iterations) => iterations.length)
  let unexplained: Unexplained = { unexplained: `${callsAt(node, 0)[0]?.action ?? ''}.loop` }
  for (const list of listsOfLength(workspace.lists, counts).slice(0, mostLists)) {
    const calls = planBody(node, { name, list }, workspace)
    if (!isUnexplained(calls)) {
      const elements = list.values.flat()
      return {
        name,
        node,
        calls,
        loop: { kind: 'map', list: list.code, item: `${name}_item`, leaf: list.leaf, elements },
      }
    }
    unexplained = calls
  }
  return unexplained
}

function planBody(
  node: AlignedNode,
  { name, list }: { readonly name: string; readonly list: ListSource },
  workspace: Workspace,
): readonly CallPlan[] | Unexplained {
  const owners = ownersOf(node)
  const leaf = `${list.leaf}[]`
  const own = [...sourcesIn({ code: `${name}_item`, leaf, values: list.values.flat() }).scalars]
  const plans: CallPlan[] = []
  for (const at of node.body.keys()) {
    const calls = callsAt(node, at)
    const plan = planCall({ calls, frame: frameOf(workspace, owners, own) })
    if (isUnexplained(plan)) return plan
    plans.push(plan)
    const variable = resultName(name, { at, of: node.body.length, isInside: true })
    own.push(...sourcesIn({ code: variable, leaf: variable, values: calls.map(({ result }) => result) }).scalars)
  }
  const uses = plans.flatMap((plan) => [...plan.arguments.values()].flatMap(({ leaves }) => leaves))
  return uses.some((each) => each.startsWith(leaf)) ? plans : { unexplained: `${plans[0]?.action ?? ''}.loop` }
}

/** Inside the loop one result is `r`, or `r_1`, `r_2`; outside stand the lists of them. */
export function resultName(name: string, { at, of, isInside }: { at: number; of: number; isInside: boolean }): string {
  const own = isInside ? `${name}_r` : name
  return of === 1 ? own : `${own}_${at + 1}`
}

/** What a loop leaves behind. */
export function learnLoop({ name, node, loop }: NodePlan, workspace: Workspace): void {
  for (const at of node.body.keys()) {
    const code = resultName(name, { at, of: node.body.length, isInside: false })
    const values = node.threads.map((iterations) => iterations.map((calls) => calls[at]?.result ?? null))
    const lists = [...flattened({ code, leaf: code, values }), { code, leaf: code, values }]
    const counts = lists.map((list) => ({
      ...{ code: `len(${list.code})`, leaf: list.leaf, form: 'count', needs: [] },
      values: list.values.map(({ length }) => length),
    }))
    workspace.add(counts, [...lists, ...pairs({ code, leaf: code, values }, loop, workspace)])
    if (!values.every(({ length }) => length > 0)) continue
    const last = sourcesIn({
      code: `${code}[-1]`,
      leaf: `${code}[-1]`,
      values: values.map((each) => each.at(-1) ?? null),
    })
    workspace.add(last.scalars, [])
  }
}

function flattened({ code, leaf, values }: ListSource): readonly ListSource[] {
  const results = values.flat()
  const [first = null] = results
  const paths = placesIn(first).filter((path) => results.every((result) => isList(valueAt(result, path))))
  return paths.map((path) => ({
    code: `[x for r in ${code} for x in r${path.map((key) => `[${JSON.stringify(key)}]`).join('')}]`,
    leaf: `${leaf}.${pathText(path)}`,
    values: values.map((each) => each.flatMap((result) => toList(valueAt(result, path)))),
  }))
}

function toList(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

/** What was asked beside what came of it. */
function pairs(
  { code, leaf, values }: ListSource,
  loop: NodePlan['loop'],
  workspace: Workspace,
): readonly ListSource[] {
  if (loop?.kind !== 'map') return []
  const known = listsOfLength(
    workspace.lists,
    values.map(({ length }) => length),
  ).find((list) => list.code === loop.list)
  if (known === undefined) return []
  const both = known.values.map((items, thread) =>
    items.map((item, at) => ({ item, result: values[thread]?.[at] ?? null })),
  )
  return [{ code: `[{"item": a, "result": b} for a, b in zip(${loop.list}, ${code})]`, leaf, values: both }]
}
