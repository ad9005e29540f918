import { z } from 'zod'
import { canonicalActionName } from '../domain/action.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ToolDefinition } from '../domain/model.ts'
import type { Action } from './action.ts'

/** The actions of this engine, by name; underscore and hyphen are one (RULES 3). */
export interface Registry {
  readonly names: readonly string[]
  get(name: string): Action | undefined
  /** What a model is told, for the named actions, always in the same order and with the same bytes. */
  definitions(names: readonly string[]): readonly ToolDefinition[]
}

export function createRegistry(actions: readonly Action[]): Registry {
  const byName = new Map(
    actions.flatMap((action) =>
      [action.name, ...(action.aliases ?? [])].map((name) => [canonicalActionName(name), action] as const),
    ),
  )
  const definitions = new Map(actions.map((action) => [action.name, definitionOf(action)]))
  const names = [...definitions.keys()].sort()
  return {
    names,
    get: (name) => byName.get(canonicalActionName(name)),
    definitions(wanted) {
      const offered = new Set(wanted.map(canonicalActionName))
      return names
        .filter((name) => offered.has(canonicalActionName(name)))
        .flatMap((name) => definitions.get(name) ?? [])
    },
  }
}

const jsonSchema = z.record(z.string(), z.json())

function definitionOf(action: Action): ToolDefinition {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(action.parameters, { io: 'input' })
  const parameters: JsonObject = jsonSchema.parse(schema)
  return { name: action.name, description: action.description, parameters }
}
