import { isJsonObject, type Json, type JsonObject } from '../../../core/domain/json.ts'
import { GraphqlFault } from './graphql.ts'

/** Today, for what is counted back from it: `-P7D`. */
const now = Date.UTC(2026, 0, 11)

const comparators: Readonly<Record<string, (value: Json, wanted: Json) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  neq: (value, wanted) => value !== wanted,
  in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  nin: (value, wanted) => Array.isArray(wanted) && !wanted.includes(value),
  lte: (value, wanted) => compared(value) <= compared(wanted),
  gte: (value, wanted) => compared(value) >= compared(wanted),
}

/** A filter of Linear as a test of a row: comparators of values, filters of objects, `and` and `or` of filters. */
export function linearFilter(filter: Json): (row: JsonObject) => boolean {
  if (!isJsonObject(filter)) throw unknown(String(filter))
  const tests = Object.entries(filter).map(([name, wanted]): ((row: JsonObject) => boolean) => {
    if (name === 'and') return (row) => filters(wanted).every((test) => test(row))
    if (name === 'or') return (row) => filters(wanted).some((test) => test(row))
    return testOf(name, wanted)
  })
  return (row) => tests.every((test) => test(row))
}

const known: ReadonlySet<string> = new Set([
  'key',
  'team',
  'state',
  'type',
  'assignee',
  'isMe',
  'priority',
  'updatedAt',
  'title',
])

function testOf(name: string, wanted: Json): (row: JsonObject) => boolean {
  if (!known.has(name) || !isJsonObject(wanted)) throw unknown(name)
  const isComparing = Object.keys(wanted).every((each) => each in comparators)
  if (!isComparing) {
    const inner = linearFilter(wanted)
    return (row) => {
      const value = row[name]
      return isJsonObject(value) && inner(value)
    }
  }
  return (row) =>
    Object.entries(wanted).every(([each, value]) => comparators[each]?.(row[name] ?? null, value) === true)
}

function filters(wanted: Json) {
  if (!Array.isArray(wanted)) throw unknown('and/or without a list')
  return wanted.map(linearFilter)
}

const unknown = (name: string) =>
  new GraphqlFault('GRAPHQL_VALIDATION_FAILED', `Field "${name}" is not defined by this filter.`)

/** Numbers as they are, moments in milliseconds, spans counted from today. */
function compared(value: Json): number {
  if (typeof value !== 'string') return Number(value)
  const [, days] = /^-P(\d+)D$/.exec(value) ?? []
  return days === undefined ? Date.parse(value) : now - Number(days) * 86_400_000
}
