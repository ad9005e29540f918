import type { JsonObject } from '../../../domain/json.ts'
import { code, inWords } from '../answer.ts'
import type { Plan } from '../plan.ts'
import { type TableResult, table } from '../results.ts'
import type { Condition, Filters } from './filter-draft.ts'
import type { Aggregate, Question } from './scene.ts'
import type { Schema } from './schema.ts'

/** A question with the table that it is asked of. */
export interface TableTask {
  readonly question: Question
  readonly filters: Filters
  readonly schema: Schema
}

export function where(conditions: readonly Condition[]): JsonObject {
  return conditions.length === 0 ? {} : { where: conditions.map((c) => ({ ...c })) }
}

const opWords: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  lt: 'is below',
  le: 'is at most',
  gt: 'is above',
  ge: 'is at least',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  isEmpty: 'is empty',
  notEmpty: 'is not empty',
}

/** ` where country is Germany and amount is above 100`; empty without conditions. */
export function whereText(conditions: readonly Condition[]): string {
  if (conditions.length === 0) return ''
  const parts = conditions.map(
    (c) => `${code(c.column)} ${opWords[c.op] ?? c.op}${c.value === undefined ? '' : ` ${c.value}`}`,
  )
  return ` where ${inWords(parts)}`
}

export interface Ordering {
  readonly order: 'asc' | 'desc'
  readonly limit: number
}

export function aggregateName({ fn, column }: Aggregate): string {
  if (fn === 'count') return 'rows'
  const words = { sum: 'total', avg: 'average', min: 'lowest', max: 'highest', median: 'median', distinct: 'different' }
  return `${words[fn]} ${column}`
}

export function aggregateCalls(aggregates: readonly Aggregate[]): JsonObject {
  return {
    aggregate: aggregates.map((a) => ({
      fn: a.fn,
      as: aggregateName(a),
      ...(a.column !== null && { column: a.column }),
    })),
  }
}

export function* groupTable(
  { schema, filters }: Pick<TableTask, 'schema' | 'filters'>,
  by: readonly string[],
  aggregates: readonly Aggregate[],
  { order, limit }: Ordering,
): Plan<TableResult> {
  const [first] = aggregates
  return yield* table.one({
    path: schema.path,
    ...where(filters.conditions),
    groupBy: [...by],
    ...aggregateCalls(aggregates),
    sort: first
      ? [
          { column: aggregateName(first), order },
          { column: by[0] ?? '', order: 'asc' },
        ]
      : [],
    limit,
  })
}

export function moreGroups(result: TableResult): string | false {
  return (
    result.groups !== undefined &&
    result.groups > result.rowsReturned &&
    `Shown are the first ${result.rowsReturned} of ${result.groups} groups.`
  )
}

export function figureWord({ fn }: Aggregate): string {
  return {
    count: 'count of',
    sum: 'total of',
    avg: 'average of',
    min: 'lowest',
    max: 'highest',
    median: 'median of',
    distinct: 'number of different',
  }[fn]
}
