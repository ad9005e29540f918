import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts'

/** A text that an action is given, and where it stands in its arguments: `body.title`. */
export interface Leaf {
  readonly place: string
  readonly text: string
  readonly kind: 'text' | 'number' | 'name'
}

/** Strings and numbers at every depth, and the names of fields below the first level, which a caller can often choose. */
export function* leavesOf(args: JsonObject): Generator<Leaf> {
  for (const [name, value] of Object.entries(args)) yield* within(value, name)
}

function* within(value: Json, place: string): Generator<Leaf> {
  if (typeof value === 'string') yield { place, text: value, kind: 'text' }
  else if (typeof value === 'number') yield { place, text: String(value), kind: 'number' }
  else if (Array.isArray(value)) for (const each of value) yield* within(each, `${place}[]`)
  else if (isJsonObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      yield { place: `${place}.`, text: name, kind: 'name' }
      yield* within(each, `${place}.${name}`)
    }
  }
}
