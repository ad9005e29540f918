import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../../core/domain/json.ts'

/** A field of a type: what it is (`null` for a value without parts), what it takes, and where it comes from. */
export interface GraphqlField {
  readonly type: string | null
  /** Argument → its type, without the exclamation mark. */
  readonly args?: Readonly<Record<string, string>>
  /** A list that has pages: it counts its parts as often as it may have rows. */
  readonly isConnection?: boolean
  readonly resolve?: (parent: JsonObject, args: JsonObject) => Json
}
export type GraphqlTypes = Readonly<Record<string, Readonly<Record<string, GraphqlField>>>>

/** The document or the data is wrong; `code` as Linear has it in `extensions`. */
export class GraphqlFault extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
const invalid = (message: string) => new GraphqlFault('GRAPHQL_VALIDATION_FAILED', message)

type Argument =
  | { readonly variable: string }
  | { readonly value: Json }
  | { readonly parts: Record<string, Argument> }
  | { readonly items: readonly Argument[] }
interface Selected {
  readonly name: string
  readonly args: Readonly<Record<string, Argument>>
  readonly fields: readonly Selected[] | null
}
interface Document {
  readonly root: 'Query' | 'Mutation'
  /** Variable → its type, without the exclamation mark, and whether it must be given. */
  readonly variables: Readonly<Record<string, { readonly type: string; readonly isRequired: boolean }>>
  readonly fields: readonly Selected[]
}

/** One operation: no fragments, no directives, no aliases, which is what a skill's text needs of the language. */
function parse(source: string): Document {
  const tokens = source.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\w+|[^\s,]/g) ?? []
  let at = 0
  const peek = () => tokens[at]
  const take = (wanted?: string): string => {
    const token = tokens[at]
    if (token === undefined || (wanted !== undefined && token !== wanted)) {
      throw new GraphqlFault(
        'GRAPHQL_PARSE_FAILED',
        `Syntax Error: Expected ${wanted ?? 'a token'}, found ${token ?? '<EOF>'}.`,
      )
    }
    at += 1
    return token
  }
  const until = <Item>(end: string, item: () => Item): readonly Item[] => {
    const items: Item[] = []
    while (peek() !== end) items.push(item())
    take(end)
    return items
  }
  const argument = (): Argument => {
    const token = take()
    if (token === '$') return { variable: take() }
    if (token === '[') return { items: until(']', argument) }
    if (token === '{') return { parts: Object.fromEntries(until('}', named)) }
    return { value: /^["\d-]|^(?:true|false|null)$/.test(token) ? z.json().parse(JSON.parse(token)) : token }
  }
  const named = (): readonly [string, Argument] => {
    const name = take()
    take(':')
    return [name, argument()]
  }
  const optional = <Item>(open: string, close: string, item: () => Item): readonly Item[] | null => {
    if (peek() !== open) return null
    take(open)
    return until(close, item)
  }
  const field = (): Selected => ({
    name: take(),
    args: Object.fromEntries(optional('(', ')', named) ?? []),
    fields: optional('{', '}', field),
  })
  const variable = () => {
    take('$')
    const name = take()
    take(':')
    const type = take()
    const isRequired = peek() === '!'
    if (isRequired) take('!')
    return [name, { type, isRequired }] as const
  }
  const root = peek() === 'mutation' ? 'Mutation' : 'Query'
  if (peek() !== '{') take()
  const variables = Object.fromEntries(optional('(', ')', variable) ?? [])
  take('{')
  const fields = until('}', field)
  if (peek() !== undefined) throw new GraphqlFault('GRAPHQL_PARSE_FAILED', `Syntax Error: Unexpected ${peek()}.`)
  return { root, variables, fields }
}

/** Checks the whole document against the types, then answers it. @throws GraphqlFault */
export function execute(source: string, given: JsonObject, types: GraphqlTypes): JsonObject {
  const document = parse(source)
  for (const [name, { type, isRequired }] of Object.entries(document.variables)) {
    if (isRequired && (given[name] ?? null) === null)
      throw invalid(`Variable "$${name}" of required type "${type}!" was not provided.`)
  }
  const cost = complexity(document.fields, document.root, { document, types, given })
  if (cost > 10_000) throw new GraphqlFault('INPUT_ERROR', 'Query too complex')
  return select({}, document.fields, { type: document.root, given, types })
}

interface Checking {
  readonly document: Document
  readonly types: GraphqlTypes
  readonly given: JsonObject
}

/** A tenth for each value, one for each object, and a list counts its parts for each row that it may have (50 without `first`). */
function complexity(fields: readonly Selected[], type: string, checking: Checking): number {
  return fields.reduce((sum, selected) => {
    const field = checking.types[type]?.[selected.name]
    if (field === undefined) throw invalid(`Cannot query field "${selected.name}" on type "${type}".`)
    for (const [name, argument] of Object.entries(selected.args))
      checkArgument(`${type}.${selected.name}`, [name, argument, field], checking)
    if (field.type === null) return sum + 0.1
    if (selected.fields === null)
      throw invalid(`Field "${selected.name}" of type "${field.type}!" must have a selection of subfields.`)
    const first = selected.args.first === undefined ? 50 : Number(argumentValue(selected.args.first, checking.given))
    return sum + 1 + complexity(selected.fields, field.type, checking) * (field.isConnection === true ? first : 1)
  }, 0)
}

function checkArgument(
  place: string,
  [name, argument, field]: readonly [string, Argument, GraphqlField],
  { document }: Checking,
): void {
  const expected = field.args?.[name]
  if (expected === undefined) throw invalid(`Unknown argument "${name}" on field "${place}".`)
  if (!('variable' in argument)) return
  const declared = document.variables[argument.variable]
  if (declared === undefined) throw invalid(`Variable "$${argument.variable}" is not defined.`)
  if (declared.type !== expected) {
    throw invalid(
      `Variable "$${argument.variable}" of type "${declared.type}" used in position expecting type "${expected}".`,
    )
  }
}

function select(
  parent: JsonObject,
  fields: readonly Selected[],
  on: { readonly type: string; readonly given: JsonObject; readonly types: GraphqlTypes },
): JsonObject {
  const entries = fields.map(({ name, args, fields: parts }): [string, Json] => {
    const field = on.types[on.type]?.[name]
    const given = Object.fromEntries(Object.entries(args).map(([key, each]) => [key, argumentValue(each, on.given)]))
    const value = field?.resolve?.(parent, given) ?? parent[name] ?? null
    const type = field?.type ?? null
    if (type === null || parts === null) return [name, value]
    const inner = (each: Json) => (isJsonObject(each) ? select(each, parts, { ...on, type }) : each)
    return [name, Array.isArray(value) ? value.map(inner) : inner(value)]
  })
  return Object.fromEntries(entries)
}

function argumentValue(argument: Argument, given: JsonObject): Json {
  if ('variable' in argument) return given[argument.variable] ?? null
  if ('value' in argument) return argument.value
  if ('items' in argument) return argument.items.map((each) => argumentValue(each, given))
  return Object.fromEntries(Object.entries(argument.parts).map(([key, each]) => [key, argumentValue(each, given)]))
}
