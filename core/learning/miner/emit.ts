import { isJsonObject, type Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Guard } from './guards.ts'
import { isList, type JsonPath, pathText } from './json-path.ts'
import { resultName } from './loops.ts'
import { pythonNameOf } from './naming.ts'
import type { CallPlan, NodePlan } from './plan.ts'
import { keywordsOf, pythonOf } from './python.ts'
import { type HelperName, helpers } from './text-forms.ts'

/** A line of the program and what it is for: evidence is kept by line. */
export interface Line {
  readonly text: string
  /** Null for lines of no node: the head, helpers, the return. */
  readonly node: string | null
  /** Names for whose sake it is there: other lines use them. */
  readonly serves?: readonly string[]
}

/** The body of the function, without its head and its helpers: parameters still stand in it as tokens. Source: learning 3.11. */
export function bodyLines(nodes: readonly NodePlan[], guards: readonly Guard[], returned: string): readonly Line[] {
  const lines: Line[] = []
  const guardLines = (node: string, isBefore: boolean) => {
    for (const { condition, message } of guards.filter((guard) => guard.node === node && guard.isBefore === isBefore)) {
      lines.push({ node, text: `    if ${condition}:` })
      lines.push({ node, text: `        raise ValueError(${JSON.stringify(`skill guard: ${message}`)})` })
    }
  }
  const loops: string[] = []
  for (const node of nodes) {
    guardLines(node.name, true)
    lines.push(...nodeLines(node, loops).map((text) => ({ text, node: node.name })))
    guardLines(node.name, false)
    if (node.loop !== null) loops.push(resultName(node.name, { at: 0, of: node.calls.length, isInside: false }))
  }
  return [...lines, { text: `    return ${returned}`, node: null }]
}

/** The whole function. `code` of lines has its names by now. */
export function functionText(name: string, parameters: readonly string[], lines: readonly Line[]): readonly Line[] {
  const body = lines.map(({ text }) => text).join('\n')
  const used = helperNames.filter((helper) => body.includes(`${helper}(`))
  const head = `def ${name}(${parameters.length > 0 ? `*, ${parameters.join(', ')}` : ''}):`
  return [
    ...(body.includes('json.loads(') ? [{ text: 'import json', node: null, serves: ['json'] }] : []),
    { text: head, node: null, serves: parameters },
    ...used.flatMap((helper) => helpers[helper].map((line) => ({ text: `    ${line}`, node: null, serves: [helper] }))),
    ...lines,
  ]
}

const helperNames: readonly HelperName[] = ['_field', '_between', '_base', '_stem', '_number']

function nodeLines({ name, loop, calls }: NodePlan, before: readonly string[]): readonly string[] {
  const [only] = calls
  if (only === undefined) return []
  if (loop === null) return callLines(name, only, '    ')
  if (loop.kind === 'map') {
    const names = calls.map(
      (_, at) => [resultName(name, { at, of: calls.length, isInside: false }), inside(name, at, calls.length)] as const,
    )
    return [
      ...names.map(([list]) => `    ${list} = []`),
      `    if ${[`${calls.length > 1 ? `${calls.length} * ` : ''}len(${loop.list})`, ...before.map((list) => `len(${list})`)].join(' + ')} > ${limits.minerIterations}:`,
      '        raise ValueError("skill guard: too many for one run")',
      `    for ${loop.item} in ${loop.list}:`,
      ...calls.flatMap((call, at) => {
        const [list = '', result = ''] = names[at] ?? []
        return [...callLines(result, call, '        '), `        ${list}.append(${result})`]
      }),
    ]
  }
  const start = loop.kind === 'pages' ? String(loop.start) : 'None'
  const goOn =
    loop.kind === 'pages'
      ? [
          `        if not ${loop.more}:`,
          '            break',
          `        ${loop.variable} = ${loop.variable} + ${loop.step}`,
        ]
      : [`        ${loop.variable} = ${loop.next}`, `        if not ${loop.variable}:`, '            break']
  return [
    `    ${name} = []`,
    `    ${loop.variable} = ${start}`,
    `    while len(${name}) < ${limits.minerIterations}:`,
    ...callLines('r', only, '        '),
    `        ${name}.append(r)`,
    ...goOn,
    `    if len(${name}) >= ${limits.minerIterations}:`,
    `        raise ValueError("skill guard: more than ${limits.minerIterations} pages")`,
  ]
}

/** A service that was busy once will be again: the same request, a few times. */
function callLines(variable: string, plan: CallPlan, indent: string): readonly string[] {
  const call = `${indent}${variable} = ${callCode(plan)}`
  if (!plan.isRetried) return [call]
  return [
    call,
    `${indent}for _ in range(4):`,
    `${indent}    if ${variable}["status"] not in (429, 503):`,
    `${indent}        break`,
    `    ${call}`,
  ]
}

function inside(name: string, at: number, of: number): string {
  return resultName(name, { at, of, isInside: true })
}

function callCode(plan: CallPlan): string {
  const { action, shape, optional } = plan
  const args = Object.keys(shape).flatMap((key) => {
    const isOptional = optional !== null && pathText(optional.path) === key
    return isOptional ? [] : [[key, argumentCode(shape[key] ?? null, [key], plan)] as const]
  })
  const variable = optional?.path.length === 1 ? optional : null
  const own = keywordsOf(args)
  const more = variable === null ? '' : `${own === '' ? '' : ', '}**${optionalDict(variable)}`
  const call = `${pythonNameOf(action)}(${own}${more})`
  return call
}

function optionalDict({ path, variable }: { readonly path: JsonPath; readonly variable: string }): string {
  return `({${JSON.stringify(path.at(-1))}: ${variable}} if ${variable} else {})`
}

function argumentCode(value: Json, path: JsonPath, plan: CallPlan): string {
  const expression = plan.arguments.get(pathText(path))
  if (expression !== undefined) return expression.code
  if (isList(value)) return `[${value.map((item, at) => argumentCode(item, [...path, at], plan)).join(', ')}]`
  if (!isJsonObject(value)) return pythonOf(value)
  const { optional } = plan
  const isOptional = (key: string) => optional !== null && pathText(optional.path) === pathText([...path, key])
  const fields = Object.entries(value).flatMap(([key, item]) =>
    isOptional(key) ? [] : [`${JSON.stringify(key)}: ${argumentCode(item, [...path, key], plan)}`],
  )
  const isHere =
    optional !== null && optional.path.length > 1 && pathText(optional.path.slice(0, -1)) === pathText(path)
  return `{${[...fields, ...(isHere ? [`**${optionalDict(optional)}`] : [])].join(', ')}}`
}
