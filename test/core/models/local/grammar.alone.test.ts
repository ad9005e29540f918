import { beforeAll, describe, expect, it } from 'vitest'
import { actions, createRegistry } from '../../../../core/capabilities/capabilities.ts'
import type { JsonObject } from '../../../../core/domain/json.ts'
import { grammarSchema, withoutNulls } from '../../../../core/models/local/grammar.ts'
import { hasLibrary } from './support.ts'

type Library = typeof import('node-llama-cpp')
type Llama = Awaited<ReturnType<Library['getLlama']>>

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
})

describe('the part of JSON Schema that a grammar can hold a model to', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'lengths, ranges and patterns are left to whoever runs the call',
      { type: 'string', maxLength: 9, pattern: '^a' },
      { type: 'string' },
    ],
    [
      'choices are choices',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    [
      'a list has its items',
      { type: 'array', items: { type: 'integer' } },
      { type: 'array', items: { type: 'integer' } },
    ],
    ['values to choose from', { enum: ['a', 1, null] }, { enum: ['a', 1, null] }],
    ['a description stays', { type: 'boolean', description: 'why' }, { type: 'boolean', description: 'why' }],
    [
      'what may be left out may be null',
      object({ a: { type: 'string' }, b: { type: 'number', description: 'how many' } }, ['a']),
      {
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { oneOf: [{ type: 'number', description: 'how many' }, { type: 'null' }], description: 'how many' },
        },
      },
    ],
    [
      'a reference is what it refers to',
      { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } },
      { type: 'array', items: { type: 'number' } },
    ],
    [
      'keys that nobody knows keep their values’ type',
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
  ])('%s', (_what, schema, grammar) => {
    expect(grammarSchema(schema)).toEqual(grammar)
  })

  it('a schema that contains itself ends', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' } }, required: ['left'] }
    expect(JSON.stringify(grammarSchema(tree)).length).toBeLessThan(2_000)
  })
})

it('nulls that stand for what was left out are taken away, those that are meant are not', () => {
  const schema = object(
    {
      gone: { type: 'string' },
      meant: { type: ['string', 'null'] },
      choice: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      inner: object({ gone: { type: 'string' } }),
      list: { type: 'array', items: object({ gone: { type: 'string' }, kept: { type: 'string' } }) },
    },
    ['inner', 'list'],
  )
  const given = {
    ...{ gone: null, meant: null, choice: null, inner: { gone: null } },
    list: [{ gone: null, kept: 'x' }],
  }
  expect(withoutNulls(given, schema)).toEqual({ meant: null, choice: null, inner: {}, list: [{ kept: 'x' }] })
})

describe.skipIf(!hasLibrary)('the library makes a grammar', () => {
  let llama: Llama
  beforeAll(async () => {
    const library: Library = await import('node-llama-cpp')
    llama = await library.getLlama({ gpu: false, build: 'never', skipDownload: true })
    return () => llama.dispose()
  })

  const registry = createRegistry(actions)
  const tools = registry.definitions(registry.names)
  it.each(tools.map(({ name, parameters }) => [name, parameters] as const))(
    'of the parameters of %s',
    async (_name, parameters) => {
      const schema = JSON.parse(JSON.stringify(grammarSchema(parameters)))
      await expect(llama.createGrammarForJsonSchema(schema)).resolves.toBeDefined()
    },
  )
})
