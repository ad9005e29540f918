import { wordsOf } from '../language/lemma.ts'
import type { Plan } from '../plan.ts'
import { type TableResult, table } from '../results.ts'

export interface Column {
  readonly name: string
  readonly type: string
  readonly filled: number
  readonly words: readonly string[]
}

/** A table file as far as one call shows it. */
export interface Schema {
  readonly path: string
  readonly columns: readonly Column[]
  readonly rowsTotal: number
  readonly result: TableResult
}

/** What stands in a column: its values, most frequent first; `groups` counts all of them. */
export interface ColumnValues {
  readonly column: string
  readonly values: readonly string[]
  readonly groups: number
  readonly isComplete: boolean
}

const valuesShown = 200
const columnsRead = 14

/** The columns of several files, in one batch. What is no table is left out. */
export function* loadSchemas(paths: readonly string[]): Plan<readonly Schema[]> {
  const attempts = yield* table.all(paths.map((path) => ({ path, limit: 1 })))
  return attempts.flatMap((attempt, at) => {
    if (!attempt.ok || attempt.value.columns.length === 0) return []
    const columns = attempt.value.columns.map((c) => ({ ...c, words: wordsOf(c.name) }))
    return [{ path: paths[at] ?? '', columns, rowsTotal: attempt.value.rowsTotal, result: attempt.value }]
  })
}

/** The distinct values of all columns that are not numbers. */
export function* loadValues(schemas: readonly Schema[]): Plan<ReadonlyMap<string, readonly ColumnValues[]>> {
  const asked = schemas.flatMap((schema) =>
    schema.columns
      .filter((c) => c.type === 'text' || c.type === 'boolean')
      .slice(0, columnsRead)
      .map((column) => ({ schema, column })),
  )
  const attempts = yield* table.all(
    asked.map(({ schema, column }) => ({
      path: schema.path,
      groupBy: [column.name],
      aggregate: [{ fn: 'count', as: 'rows' }],
      sort: [{ column: 'rows', order: 'desc' }],
      limit: valuesShown,
    })),
  )
  const byPath = new Map<string, ColumnValues[]>()
  asked.forEach(({ schema, column }, at) => {
    const attempt = attempts[at]
    if (!attempt?.ok) return
    const values = attempt.value.rows.map((row) => String(row[column.name] ?? '')).filter((v) => v !== '')
    const groups = attempt.value.groups ?? values.length
    const own = byPath.get(schema.path) ?? []
    own.push({ column: column.name, values, groups, isComplete: attempt.value.complete })
    byPath.set(schema.path, own)
  })
  return byPath
}

/** Numbers that only tell rows apart. */
export function isIdentifier({ words }: Column): boolean {
  return /^(id|key|code|nr|no|number|zip|postcode|phone|sku|index)$/.test(words.at(-1) ?? '')
}

/** Numeric columns that can be added up: identifiers and years are left out. */
export function measuresOf(schema: Schema): readonly Column[] {
  return schema.columns.filter((c) => c.type === 'number' && !isIdentifier(c) && !c.words.includes('year'))
}

export function dateColumnsOf(schema: Schema): readonly Column[] {
  return schema.columns.filter((c) => c.type === 'date')
}
