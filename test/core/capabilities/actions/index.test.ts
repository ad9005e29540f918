import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { actions } from '../../../../core/capabilities/actions/index.ts'

describe('every action', () => {
  it('has its own name, in the words of the domain', () => {
    expect(actions.map(({ name }) => name)).toEqual([
      'list_files',
      'read_file',
      'search_files',
      'file_facts',
      'write_file',
      'patch_file',
      'move',
      'delete',
      'table',
      'time',
      'calculate',
      'json',
      'echo',
      'memory_write',
      'memory_read',
      'memory_search',
      'message',
      'emit_canvas',
      'shell',
    ])
  })

  it.each(actions.map((action) => [action.name, action] as const))('%s can be told to a model', (_, action) => {
    const schema = z.toJSONSchema(action.parameters, { io: 'input' })
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(JSON.stringify(schema).length).toBeLessThan(5_000)
    for (const property of Object.values(schema.properties ?? {})) {
      expect(typeof property === 'object' && ('type' in property || 'anyOf' in property)).toBe(true)
    }
    expect(action.description.length).toBeLessThan(400)
  })

  it.each(actions.map((action) => [action.name, action] as const))(
    '%s takes no parameter that it does not know',
    (_, action) => {
      expect(action.parameters.safeParse({ unheardOf: 1 }).error?.issues.map(({ code }) => code)).toContain(
        'unrecognized_keys',
      )
    },
  )

  it('only writes where it says so, and what may not run again says that too', () => {
    const writers = actions.filter(
      ({ effects }) => !effects.every((effect) => effect === 'ReadLocal' || effect === 'Compute'),
    )
    expect(writers.map(({ name, effects, isIdempotent }) => ({ name, effects, isIdempotent }))).toEqual([
      { name: 'write_file', effects: ['ReadLocal', 'WriteLocal'], isIdempotent: true },
      { name: 'patch_file', effects: ['ReadLocal', 'WriteLocal'], isIdempotent: true },
      { name: 'move', effects: ['ReadLocal', 'WriteLocal'], isIdempotent: true },
      { name: 'delete', effects: ['ReadLocal', 'WriteLocal'], isIdempotent: true },
      { name: 'memory_write', effects: ['WriteLocal'], isIdempotent: true },
      {
        name: 'shell',
        effects: ['ReadLocal', 'WriteLocal', 'ReadExternal', 'WriteExternal'],
        isIdempotent: false,
      },
    ])
  })

  it('says in at most 60 characters what a call is about', () => {
    const long = 'word '.repeat(100)
    const edits = [{ find: long, replace: long }]
    const moved = { from: long, to: long, edits }
    const asked = {
      ...moved,
      path: long,
      query: long,
      expression: long,
      text: long,
      title: long,
      op: 'now',
      content: 'x',
      command: long,
    }
    for (const action of actions) expect([...action.summarize(asked)].length).toBeLessThanOrEqual(60)
  })
})
