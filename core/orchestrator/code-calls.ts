import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts'
import type { ToolDefinition } from '../domain/model.ts'

/** A call that code made: a host function or an action, by its Python name. */
export interface CodeCall {
  readonly name: string
  readonly args: readonly Json[]
  readonly kwargs: JsonObject
}

const parallelCall = z.tuple([z.string(), z.array(z.json()), z.record(z.string(), z.json())])

/** What `__parallel__` was given: `[name, args, kwargs]` for each. Undefined for anything else. */
export function parallelCalls(value: Json | undefined): readonly CodeCall[] | undefined {
  const parsed = z.array(parallelCall).safeParse(value)
  return parsed.success ? parsed.data.map(([name, args, kwargs]) => ({ name, args, kwargs })) : undefined
}

/** Positional arguments take the names of the action's parameters, in their order; one dict alone is all of them. */
export function namedArguments({ args, kwargs }: CodeCall, definition: ToolDefinition | undefined): JsonObject {
  const properties = definition?.parameters.properties
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  const [only] = args
  if (args.length === 1 && isJsonObject(only) && Object.keys(kwargs).length === 0) {
    if (Object.keys(only).every((key) => names.includes(key))) return only
  }
  const given = args.map((value, at) => [names[at] ?? `argument_${at + 1}`, value] as const)
  return { ...Object.fromEntries(given), ...kwargs }
}

/** The text of an argument, wherever it was given. */
export function textArgument({ args, kwargs }: CodeCall, at: number, name: string): string | undefined {
  const value = args[at] ?? kwargs[name]
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A list of texts: `llm_query_batched(["a", "b"])`. */
export function textsArgument({ args, kwargs }: CodeCall, at: number, name: string): readonly string[] | undefined {
  const value = args[at] ?? kwargs[name]
  return Array.isArray(value)
    ? value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    : undefined
}
