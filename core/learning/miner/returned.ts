import { piecesExpression } from './expression.ts'
import { frameOf } from './frame.ts'
import { parseTogether } from './parse.ts'
import type { Program } from './program.ts'
import type { Source } from './source.ts'
import { goalView } from './span.ts'

/**
 * What the function gives back. `isComplete`: every number and id of all answers stands in it; never where the answers were one and
 * the same, for then nothing shows that they came of what was found. Source: learning 3.11.
 */
export interface Returned {
  readonly code: string
  readonly isComplete: boolean
}

const mostParts = 12

/** What the answers mention, and else what came last. */
export function returnedOf(program: Program, answers: readonly string[]): Returned {
  const { nodes, workspace, book } = program
  const answer = answerIn(program, answers)
  const said = answers.map(tokensOf)
  const known: readonly Source[] = [...book.sources(), ...workspace.scalars]
  const mentioned = known.filter(({ values }) =>
    values.every((value, thread) => said[thread]?.has(String(value)) ?? false),
  )
  // What was made of a value, or stands first in some list, may be in the answers by chance.
  const sure = mentioned.filter(({ form, needs }) => needs.length === 0 && (form === '' || form === 'count'))
  const shown = (explainsAll(sure, said) ? sure : mentioned).slice(0, mostParts)
  const isComplete = answer !== null || (shown.length > 0 && !isOne(answers) && explainsAll(shown, said))
  const parts = new Map<string, Source>()
  for (const source of shown) parts.set(freeKey(keyOf(source, book), parts), source)
  const last = nodes.at(-1)
  const rest = isComplete ? [] : last === undefined ? [] : [`"last": ${last.loop === null ? last.name : lastOf(last)}`]
  const fields = [...parts].map(([key, { code }]) => `${JSON.stringify(key)}: ${code}`)
  const whole = answer === null ? [] : [`"answer": ${answer}`]
  return {
    code: `{${[...whole, ...fields, ...rest].join(', ')}}`,
    isComplete,
  }
}

/** The answers themselves, where they are one text around what was found; null where they are not. Nothing is taken from goals for it. */
function answerIn({ workspace }: Program, answers: readonly string[]): string | null {
  const [first = ''] = answers
  if (first === '' || answers.some((answer) => answer.length > longestAnswer)) return null
  if (isOne(answers)) return null
  const owners = answers.map((_, thread) => thread)
  const { sources } = frameOf(workspace, owners)
  const sure = sources.filter(({ needs }) => needs.length === 0)
  const goals = answers.map(() => goalView('', ''))
  for (const possible of [sure, sources]) {
    const task = { targets: answers, sources: possible, owners, goals, checkTime: workspace.checkTime }
    const pieces = parseTogether(task)
    if (pieces?.some(({ kind }) => kind === 'source')) return piecesExpression(pieces, () => '""').code
  }
  return null
}

const longestAnswer = 400

function isOne(answers: readonly string[]): boolean {
  return new Set(answers).size < 2
}

function lastOf({ name, calls }: Program['nodes'][number]): string {
  return calls.length === 1 ? `${name}[-5:]` : `${name}_${calls.length}[-5:]`
}

/** Every number and id that is not in all answers. */
function explainsAll(sources: readonly Source[], said: readonly ReadonlySet<string>[]): boolean {
  return said.every((tokens, thread) => {
    const explained = new Set(sources.map(({ values }) => String(values[thread])))
    const isConstant = (token: string) => said.every((each) => each.has(token))
    return [...tokens].every((token) => !/\d/.test(token) || explained.has(token) || isConstant(token))
  })
}

/** Words, numbers and paths; no full stop at the end. */
function tokensOf(answer: string): ReadonlySet<string> {
  return new Set(answer.match(/[\p{L}\p{N}](?:[\p{L}\p{N}_.,:/-]*[\p{L}\p{N}])?/gu) ?? [])
}

function keyOf({ leaf, form, code }: Source, book: Program['book']): string {
  if (form === 'count') return 'count'
  const asked = book.found.find(({ token }) => token === code)
  if (asked !== undefined) return asked.usedAs.replace(/\W/g, '_')
  const last = leaf.split('.').findLast((part) => /^[a-z][\w ]*$/i.test(part) && !/^n\d+$/.test(part)) ?? 'value'
  return last === 'answer' ? 'answer_found' : last.replace(/\W/g, '_')
}

function freeKey(key: string, taken: ReadonlyMap<string, Source>): string {
  if (!taken.has(key)) return key
  const numbered = Array.from({ length: mostParts }, (_, at) => `${key}_${at + 2}`)
  return numbered.find((each) => !taken.has(each)) ?? key
}
