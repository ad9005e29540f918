import { amount, code, paragraphs, valueText } from '../answer.ts'
import { loadCatalogue } from '../files/catalogue.ts'
import { chooseOne } from '../files/choose.ts'
import { targetOf, unknownNames } from '../files/target.ts'
import type { IntentFamily } from '../intent.ts'
import { has, leftOver, unitsOf } from '../language/grammar.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { table } from '../results.ts'
import { scopeSlots } from './files-list.ts'

const linesShown = 100

/** "Sort the lines of names.txt", "how many different lines are in it", "which lines are repeated?" */
export const textLines: IntentFamily = {
  name: 'text-lines',
  read(reading) {
    const isText = unitsOf(reading, 'path').some((u) => /\.(txt|md|log|text)$/i.test(u.text))
    if (
      !(has(reading, 'line') || (isText && !has(reading, 'word', 'file'))) ||
      !has(reading, 'sort', 'distinct', 'duplicate', 'empty', 'ascending')
    )
      return []
    const concepts = [
      'line',
      'sort',
      'distinct',
      'duplicate',
      'empty',
      'ascending',
      'descending',
      'count',
      'show',
      'list',
      'find',
      'which',
      'file',
      'contain',
      'and',
      'with',
      'not',
      'per',
      'name',
      'value',
      'item',
      'row',
    ] as const
    if (leftOver(reading, { concepts, kinds: ['open', 'path', 'quoted', 'number', 'fileKind'] }).length > 0) return []
    return [{ intent: 'text-lines', score: 0.84, slots: scopeSlots(reading), plan: () => plan(reading) }]
  },
}

function* plan(reading: Reading): Plan<Answer> {
  const target = targetOf(reading, yield* loadCatalogue())
  if (target.unknown.length > 0) return unknownNames(target.unknown)
  const choice = chooseOne(target.mentions.flatMap((m) => m.files))
  if (!choice) return declined('It is not clear which file is meant.')
  if ('question' in choice) return answered(choice.question)
  const { path } = choice.file
  const limit = Number(unitsOf(reading, 'number')[0]?.value ?? linesShown)
  if (has(reading, 'empty')) {
    const op = has(reading, 'not') ? 'notEmpty' : 'isEmpty'
    const result = yield* table.one({ path, format: 'lines', where: [{ column: 'text', op }], limit: 1 })
    return answered(
      `${code(path)} has **${amount(result.rowsMatched, 'line')}** of ${result.rowsTotal} that ${result.rowsMatched === 1 ? 'is' : 'are'} ${op === 'isEmpty' ? 'empty' : 'not empty'}.`,
    )
  }
  const grouped = { path, format: 'lines', groupBy: ['text'], aggregate: [{ fn: 'count', as: 'times' }] }
  if (has(reading, 'duplicate')) {
    const result = yield* table.one({
      ...grouped,
      where: [{ column: 'text', op: 'notEmpty' }],
      sort: [{ column: 'times', order: 'desc' }],
      limit: linesShown,
    })
    const repeated = result.rows.filter((row) => Number(valueText(row.times)) > 1)
    const list = repeated.map((row) => `- ${code(valueText(row.text))}, ${valueText(row.times)} times`)
    return answered(
      repeated.length === 0
        ? `No line of ${code(path)} stands in it twice.`
        : paragraphs(`Lines of ${code(path)} that stand in it more than once:`, list.join('\n')),
    )
  }
  if (has(reading, 'distinct')) {
    const result = yield* table.one({
      ...grouped,
      sort: [{ column: 'text', order: 'asc' }],
      limit: Math.min(limit, 200),
    })
    const list = result.rows.map((row) => `- ${code(valueText(row.text) || ' ')}, ${valueText(row.times)} times`)
    return answered(
      paragraphs(
        `${code(path)} has **${result.groups ?? result.rowsReturned}** different lines, of ${result.rowsTotal} in all.`,
        list.join('\n'),
      ),
    )
  }
  const order = has(reading, 'descending') ? 'desc' : 'asc'
  const result = yield* table.one({
    path,
    format: 'lines',
    sort: [{ column: 'text', order }],
    limit: Math.min(limit, 200),
  })
  const rest = result.rowsReturned < result.rowsMatched && `Shown are the first ${result.rowsReturned}.`
  return answered(
    paragraphs(
      `The ${result.rowsTotal} lines of ${code(path)}, sorted:`,
      result.rows.map((row) => `- ${valueText(row.text)}`).join('\n'),
      rest,
    ),
  )
}
