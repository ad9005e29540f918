import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nestingOf } from '../../../../core/capabilities/actions/files/json-file.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { runRaw, useProject } from './project.ts'

const project = useProject()
const json = (asked: object) => project.run('json', asked)
const text = '{"orders":[{"id":1,"lines":["a","b"]},{"id":2}],"a.b":{"c":null},"n":"héllo"}'

it.each([
  [
    { op: 'get', at: 'orders[0].lines[1]' },
    { at: 'orders[0].lines[1]', type: 'text', value: 'b' },
  ],
  [
    { op: 'get', at: 'orders.1.id' },
    { type: 'number', value: 2 },
  ],
  [
    { op: 'get', at: '["a.b"].c' },
    { type: 'null', value: null },
  ],
  [
    { op: 'get', at: '$.n' },
    { type: 'text', value: 'héllo' },
  ],
  [
    { op: 'get', at: 'orders[1]' },
    { type: 'object', value: { id: 2 } },
  ],
  [{ op: 'keys' }, { at: '', type: 'object', keys: ['orders', 'a.b', 'n'] }],
  [
    { op: 'length', at: 'orders' },
    { type: 'list', length: 2 },
  ],
  [{ op: 'length' }, { length: 3 }],
  [{ op: 'length', at: 'n' }, { length: 5 }],
  [
    { op: 'type', at: 'orders' },
    { at: 'orders', type: 'list' },
  ],
  [{ op: 'format', at: 'orders[1]' }, { text: '{\n  "id": 2\n}' }],
])('%j', async (asked, expected) => {
  expect(await json({ text, ...asked })).toMatchObject(expected)
  await project.write({ 'a.json': text })
  expect(await json({ path: 'a.json', ...asked })).toMatchObject(expected)
})

describe('what is refused', () => {
  it.each([
    [{ op: 'get' }, 'either path or text'],
    [{ op: 'get', text, path: 'a.json' }, 'either path or text'],
    [{ op: 'get', text, at: 'orders[7]' }, '"orders" is a list of 2 items'],
    [{ op: 'get', text, at: 'nothing' }, 'The top is an object with 3 keys: orders, a.b, n'],
    [{ op: 'get', text, at: 'n.x' }, 'text, not an object'],
    [{ op: 'get', text, at: '__proto__' }, 'There is nothing'],
    [{ op: 'get', text, at: 'orders[' }, 'is no path'],
    [{ op: 'get', text, at: 'orders[0' }, 'is no path'],
    [{ op: 'keys', text, at: 'n' }, 'no keys'],
    [{ op: 'length', text, at: 'a.b' }, 'There is nothing'],
    [{ op: 'length', text, at: '["a.b"].c' }, 'it is null'],
    [{ op: 'get', text: '{"a":1,\n oops}' }, 'line 2'],
    [{ op: 'get', text: '' }, 'not valid JSON'],
    [{ op: 'get', text: `${'['.repeat(200_000)}` }, 'deeper than 64'],
  ])('%j', async (asked, message) => {
    await expect(json(asked)).rejects.toMatchObject({ code: 'action.args', message: expect.stringContaining(message) })
  })

  it('a path outside', async () => {
    await expect(json({ op: 'get', path: '../a.json' })).rejects.toMatchObject({ code: 'action.outside' })
  })
})

it('64 levels are read, 65 are not', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  expect(await json({ op: 'type', text: nested(limits.vmValueDepth) })).toMatchObject({ type: 'list' })
  await expect(json({ op: 'type', text: nested(limits.vmValueDepth + 1) })).rejects.toMatchObject({
    code: 'action.args',
  })
})

it('depth is that of the value, whatever stands in its texts', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(nestingOf(JSON.stringify(value))).toBe(depthOf(value))
    }),
  )
})

it('a value that is too large for a result is cut, and says so', async () => {
  await project.write({ 'a.json': JSON.stringify(Array.from({ length: 20_000 }, (_, at) => `item "${at}"`)) })
  expect(await json({ path: 'a.json', op: 'get' })).toMatchObject({
    type: 'list',
    complete: false,
    note: expect.stringContaining('text is its start'),
  })
  expect(await json({ path: 'a.json', op: 'format' })).toMatchObject({ complete: false })
  expect(await json({ path: 'a.json', op: 'length' })).toEqual({ at: '', type: 'list', length: 20_000 })
  const keys = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`key ${at}`, at]))
  expect(await json({ text: JSON.stringify(keys), op: 'keys' })).toMatchObject({
    complete: false,
    note: 'There are 501 keys; the first 500 are shown.',
  })
})

it('echo returns its text', async () => {
  expect(await runRaw('echo', { text: 'Hello\n"you"' })).toBe('Hello\n"you"')
  await expect(runRaw('echo', { text: 'x'.repeat(40_001) })).rejects.toMatchObject({ code: 'action.args' })
})
