import { code, paragraphs, tableText, valueText } from '../answer.ts'
import { type Answer, answered, type Plan } from '../plan.ts'
import { calculate, table } from '../results.ts'
import type { TableTask } from './query.ts'
import type { Aggregate } from './scene.ts'

/** One figure per table, with their sum and difference; undefined when the question is not for one figure. */
export function* answerTables(tasks: readonly TableTask[]): Plan<Answer | undefined> {
  const wanted = tasks.map(({ question }) => oneFigure(question))
  const figures: string[] = []
  for (const [at, task] of tasks.entries()) {
    const aggregate = wanted[at]
    if (!aggregate || task.filters.alternatives) return undefined
    const result = yield* table.one({
      path: task.schema.path,
      ...(task.filters.conditions.length > 0 && { where: task.filters.conditions.map((c) => ({ ...c })) }),
      aggregate: [{ fn: aggregate.fn, as: 'figure', ...(aggregate.column !== null && { column: aggregate.column }) }],
    })
    figures.push(valueText(result.rows[0]?.figure) || '0')
  }
  const [first] = wanted
  if (!first) return undefined
  const what = first.column === null ? 'rows' : `${first.fn} of ${first.column}`
  const isAdded = first.fn === 'count' || first.fn === 'sum'
  const sum = isAdded ? yield* calculate.one({ expression: figures.map((f) => `(${f})`).join(' + ') }) : undefined
  const difference =
    tasks.length === 2 ? yield* calculate.one({ expression: `(${figures[0]}) - (${figures[1]})` }) : undefined
  const rows = tasks.map((task, at) => [code(task.schema.path), figures[at] ?? ''])
  const lines = [
    sum && `Together: **${sum.result}**.`,
    difference &&
      `Difference (${code(tasks[0]?.schema.path ?? '')} minus ${code(tasks[1]?.schema.path ?? '')}): **${difference.result}**.`,
  ]
  return answered(paragraphs(tableText(['File', what], rows), lines.filter((l) => l !== undefined).join(' ')))
}

function oneFigure(question: TableTask['question']): Aggregate | undefined {
  if (question.ask === 'count') return { fn: 'count', column: null }
  return question.ask === 'figures' && question.aggregates.length === 1 ? question.aggregates[0] : undefined
}
