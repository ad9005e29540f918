import { code, paragraphs, tableText, valueText } from '../answer.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { calculate, table } from '../results.ts'
import { columnsAnswer, countAnswer, distinctAnswer, figuresAnswer, shareAnswer } from './answer-figures.ts'
import { extremesAnswer, groupsAnswer } from './answer-ranks.ts'
import { duplicatesAnswer, rowsAnswer, schemaText, valuesAnswer } from './answer-rows.ts'
import type { Filters } from './filter-draft.ts'
import { aggregateCalls, aggregateName, figureWord, type TableTask, where, whereText } from './query.ts'
import type { Aggregate } from './scene.ts'

/** Asks the `table` action and words what it returned. */
export function* answerQuestion(task: TableTask): Plan<Answer> {
  const { question, filters } = task
  if (filters.alternatives) return yield* answerAlternatives(task, filters.alternatives)
  switch (question.ask) {
    case 'schema':
      return answered(schemaText(task.schema))
    case 'unclear':
      return declined(question.why)
    case 'count':
      return yield* countAnswer(task)
    case 'distinct':
      return yield* distinctAnswer(task, question.column)
    case 'figures':
      return yield* figuresAnswer(task, question.aggregates)
    case 'groups':
      return yield* groupsAnswer(task, question)
    case 'extremes':
      return yield* extremesAnswer(task, question)
    case 'values':
      return yield* valuesAnswer(task, question.column)
    case 'columns':
      return yield* columnsAnswer(task, question.columns)
    case 'share':
      return yield* shareAnswer(task, question.column)
    case 'duplicates':
      return yield* duplicatesAnswer(task, question.column)
    case 'rows':
      return yield* rowsAnswer(task, question)
  }
}

function verdict(values: readonly string[], difference: number | null): string | undefined {
  if (difference === null) return undefined
  return difference === 0 ? 'Both are equal.' : `**${difference > 0 ? values[0] : values[1]}** has more.`
}

/** The same question for each of several values, one after the other, and their sum or difference. */
function* answerAlternatives(task: TableTask, { column, values }: NonNullable<Filters['alternatives']>): Plan<Answer> {
  const { question, filters, schema } = task
  const aggregate: Aggregate | undefined =
    question.ask === 'figures'
      ? question.aggregates[0]
      : question.ask === 'count' || question.ask === 'distinct'
        ? { fn: 'count', column: null }
        : undefined
  if (!aggregate) {
    const texts: string[] = []
    for (const value of values) {
      const own = {
        ...filters,
        alternatives: undefined,
        conditions: [...filters.conditions, { column, op: 'eq', value }],
      }
      const answer = yield* answerQuestion({ ...task, filters: own })
      if (answer.kind === 'declined') return answer
      texts.push(answer.text)
    }
    return answered(paragraphs(...texts))
  }
  const results = yield* table.all(
    values.map((value) => ({
      path: schema.path,
      ...where([...filters.conditions, { column, op: 'eq', value }]),
      ...aggregateCalls([aggregate]),
    })),
  )
  const figures = results.map((r) => (r.ok ? valueText(r.value.rows[0]?.[aggregateName(aggregate)]) || '0' : ''))
  if (figures.includes('')) return declined('Not every value could be worked out.')
  const isAdded = aggregate.fn === 'count' || aggregate.fn === 'sum'
  const sum = isAdded ? yield* calculate.one({ expression: figures.map((f) => `(${f})`).join(' + ') }) : undefined
  const difference =
    values.length === 2 ? yield* calculate.one({ expression: `(${figures[0]}) - (${figures[1]})` }) : undefined
  const what = aggregate.column === null ? 'rows' : `${figureWord(aggregate)} ${code(aggregate.column)}`
  const rows = values.map((value, at) => [value, figures[at] ?? ''])
  const lines = [
    sum && `Together: **${sum.result}**.`,
    difference && verdict(values, difference.value),
    difference && `Difference (${values[0]} minus ${values[1]}): **${difference.result}**.`,
  ]
  return answered(
    paragraphs(
      `In ${code(schema.path)}${whereText(filters.conditions)}, ${what} for each ${code(column)}:`,
      tableText([column, what.replaceAll('`', '')], rows),
      lines.filter((l) => l !== undefined).join(' '),
    ),
  )
}
