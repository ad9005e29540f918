import { isJsonObject, type Json } from '../../../domain/json.ts'
import type { ToolDefinition } from '../../../domain/model.ts'
import { toldPlan } from '../answer-plan.ts'
import type { PlanContext } from '../intent.ts'
import { outcomeError, type Plan } from '../plan.ts'

const briefBegins = '# Mission: '

/** True for what a firing of a mission is told, and for nothing that a person would say. */
export function isBrief(said: string): boolean {
  return said.startsWith(briefBegins)
}

/**
 * A mission whose goal names an action: the first that it may use is called, and what that says of itself is the account. Any other
 * goal is a request as a person would type it, and its answer, as plain text, the account; what it does not understand takes a model. Throws the
 * named action's error.
 */
export function* missionPlan(brief: string, tools: readonly ToolDefinition[], context: PlanContext): Plan<string> {
  const goal = goalOf(brief)
  const name = actionNamedIn(goal, tools)
  if (name === undefined) {
    const { text, isAnswer } = yield* toldPlan({ said: goal, earlier: [], earlierAnswer: undefined }, context)
    return isAnswer ? `${text}\n\n${account({ done: text.replace(/\*\*|`/g, ''), evidence: [] })}` : text
  }
  const [outcome] = yield [{ name, arguments: {} }]
  if (outcome === undefined || !outcome.ok)
    throw outcomeError(name, outcome ?? { code: 'action.failed', message: 'there is no result on record' })
  return accountOf(name, outcome.value)
}

/** What the mission is for, without its name and by what it is reached: of the rest of a brief a person wrote nothing. */
function goalOf(brief: string): string {
  const end = brief.search(/^## /m)
  const [, ...rest] = (end < 0 ? brief : brief.slice(0, end)).split('\n')
  const [goal = ''] = rest.join('\n').split(/^It is reached when: /m)
  return goal.trim()
}

function actionNamedIn(goal: string, tools: readonly ToolDefinition[]): string | undefined {
  const named = [...goal.matchAll(/`([a-z][a-z0-9_-]*)`/g)].map(([, name = '']) => name.replaceAll('-', '_'))
  const known = new Map(tools.map((tool) => [tool.name.replaceAll('-', '_'), tool.name]))
  return named.flatMap((name) => known.get(name) ?? [])[0]
}

const mostCharacters = 1_500

/** The JSON with which a firing ends. An action that says what it did, as `done` and `evidence`, is taken at its word. */
function accountOf(name: string, value: Json): string {
  const told = isJsonObject(value) ? value : {}
  const done = typeof told.done === 'string' && told.done.trim() !== '' ? told.done : resultText(name, value)
  const texts = Array.isArray(told.evidence) ? told.evidence : []
  const evidence = texts.flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [cut(text)] : []))
  return account({ done, evidence: evidence.slice(0, mostEvidence) })
}

function account({ done, evidence }: { readonly done: string; readonly evidence: readonly string[] }): string {
  const told = { done: cut(done), nextFocus: null, goalReached: false, evidence }
  return `\`\`\`json\n${JSON.stringify(told)}\n\`\`\``
}

const mostEvidence = 20

function resultText(name: string, value: Json): string {
  return `${name} was called, and gave ${JSON.stringify(value)}`
}

function cut(text: string): string {
  return text.slice(0, mostCharacters).toWellFormed()
}
