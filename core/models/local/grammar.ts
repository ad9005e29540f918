import type { GbnfJsonSchema } from 'node-llama-cpp'
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts'

/** How deep a schema is followed; below it any JSON may stand. Also what ends a schema that contains itself. */
const deepest = 6

/** Any value. A list or an object in it may again hold any. */
const anything: GbnfJsonSchema = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array' },
    { type: 'object', additionalProperties: true },
  ],
}

/**
 * The part of JSON Schema that a grammar can hold a model to. Every property is written, so one that may be left out may be
 * null instead (see `withoutNulls`). Lengths, ranges and patterns are left out: they would make a grammar of thousands of
 * rules, and whoever runs the call checks them all the same.
 */
export function grammarSchema(schema: JsonObject): GbnfJsonSchema {
  return convert(schema, { root: schema, depth: 0 })
}

interface Place {
  readonly root: JsonObject
  readonly depth: number
}

function convert(given: Json | undefined, place: Place): GbnfJsonSchema {
  const schema = resolved(given, place.root)
  if (schema === undefined || place.depth > deepest) return anything
  const described = describedAs(schema)
  const below = { ...place, depth: place.depth + 1 }
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return { oneOf: choices.map((each) => convert(each, below)), ...described }
  if (Array.isArray(schema.allOf) && schema.allOf.length === 1) return convert(schema.allOf[0], below)
  if (Array.isArray(schema.enum)) return { enum: schema.enum.filter(isPlain), ...described }
  if (isPlain(schema.const)) return { const: schema.const, ...described }
  if (schema.type === 'object') return objectOf(schema, below)
  if (schema.type === 'array') return { type: 'array', items: convert(schema.items, below), ...described }
  const types = [schema.type].flat().filter(isPlainType)
  const [first] = types
  if (first === undefined) return anything
  return { type: types.length === 1 ? first : types, ...described }
}

function objectOf(schema: JsonObject, below: Place): GbnfJsonSchema {
  const described = describedAs(schema)
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  if (properties.length === 0) {
    const { additionalProperties } = schema
    const values = additionalProperties === false ? false : convert(additionalProperties, below)
    return { type: 'object', additionalProperties: values, ...described }
  }
  const required = requiredOf(schema)
  const written = properties.map(([name, property]): [string, GbnfJsonSchema] => {
    const converted = convert(property, below)
    return [name, required.has(name) ? converted : orNull(converted)]
  })
  return { type: 'object', properties: Object.fromEntries(written), ...described }
}

function orNull(schema: GbnfJsonSchema): GbnfJsonSchema {
  const { description } = schema
  return { oneOf: [schema, { type: 'null' }], ...(description !== undefined && { description }) }
}

function describedAs({ description }: JsonObject) {
  return typeof description === 'string' ? { description } : {}
}

function requiredOf({ required }: JsonObject): ReadonlySet<Json> {
  return new Set(Array.isArray(required) ? required : [])
}

/** The schema itself, or what its `$ref` of this document means; undefined where there is none. */
function resolved(given: Json | undefined, root: JsonObject): JsonObject | undefined {
  if (!isJsonObject(given)) return undefined
  const { $ref } = given
  if (typeof $ref !== 'string') return given
  let found: Json | undefined = root
  for (const part of $ref.split('/').slice(1)) found = isJsonObject(found) ? found[part] : undefined
  return isJsonObject(found) && found.$ref === undefined ? found : undefined
}

function isPlain(value: Json | undefined): value is string | number | boolean | null {
  return value !== undefined && (value === null || typeof value !== 'object')
}

const plainTypes = ['string', 'number', 'integer', 'boolean', 'null'] as const
function isPlainType(type: Json | undefined): type is (typeof plainTypes)[number] {
  return plainTypes.some((each) => each === type)
}

/** The arguments without the nulls that stand for what was left out: where the schema itself takes null, null is meant. */
export function withoutNulls(value: Json, schema: JsonObject): Json {
  return pruned(value, schema, { root: schema, depth: 0 })
}

function pruned(value: Json, given: Json | undefined, place: Place): Json {
  const schema = resolved(given, place.root)
  if (schema === undefined || place.depth > deepest) return value
  const below = { ...place, depth: place.depth + 1 }
  if (Array.isArray(value)) return value.map((each) => pruned(each, schema.items, below))
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return value
  const { properties } = schema
  const required = requiredOf(schema)
  const kept = Object.entries(value).filter(
    ([name, each]) => each !== null || required.has(name) || takesNull(properties[name], place.root),
  )
  return Object.fromEntries(kept.map(([name, each]) => [name, pruned(each, properties[name], below)]))
}

function takesNull(given: Json | undefined, root: JsonObject): boolean {
  const schema = resolved(given, root)
  if (schema === undefined) return false
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return choices.some((each) => takesNull(each, root))
  if (Array.isArray(schema.enum)) return schema.enum.includes(null)
  return schema.const === null || [schema.type].flat().includes('null')
}
