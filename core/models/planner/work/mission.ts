import { isJsonObject, type Json } from '../../../domain/json.ts'
import type { ToolDefinition } from '../../../domain/model.ts'
import type { Plan } from '../plan.ts'
import { outcomeError } from '../plan.ts'
import { refusalText } from '../refusal.ts'

const briefBegins = '# Mission: '

/** True for what a firing of a mission is told, and for nothing that a person would say. */
export function isBrief(said: string): boolean {
  return said.startsWith(briefBegins)
}

/**
 * A mission whose goal names an action: the first that it may use is called, and what that says of itself is the account. Whatever
 * else a goal asks for takes a model. Throws the action's error.
 */
export function* missionPlan(brief: string, tools: readonly ToolDefinition[]): Plan<string> {
  const name = actionNamedIn(goalOf(brief), tools)
  if (name === undefined) return refusalText('The mission names no action that it could call by itself.')
  const [outcome] = yield [{ name, arguments: {} }]
  if (outcome === undefined || !outcome.ok)
    throw outcomeError(name, outcome ?? { code: 'action.failed', message: 'there is no result on record' })
  return accountOf(name, outcome.value)
}

/** What the mission is for: of the rest of a brief a person wrote nothing. */
function goalOf(brief: string): string {
  const end = brief.search(/^## /m)
  return end < 0 ? brief : brief.slice(0, end)
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
  const account = { done: cut(done), nextFocus: null, goalReached: false, evidence: evidence.slice(0, mostEvidence) }
  return `\`\`\`json\n${JSON.stringify(account)}\n\`\`\``
}

const mostEvidence = 20

function resultText(name: string, value: Json): string {
  return `${name} was called, and gave ${JSON.stringify(value)}`
}

function cut(text: string): string {
  return text.slice(0, mostCharacters).toWellFormed()
}
