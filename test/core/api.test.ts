import { describe, expect, test } from 'vitest'
import { apiInputs } from '../../core/api.ts'
import { limits } from '../../core/domain/limits.ts'
import { folderWith, startEngine } from '../support/engine.ts'

test('what is no call is api.unknown, also where it is the name of something every object has', async () => {
  const engine = await startEngine()
  for (const name of ['thread.burn', '', 'constructor', '__proto__', 'toString', 'x'.repeat(10_000)]) {
    await expect(engine.api.callByName(name, {})).rejects.toMatchObject({ code: 'api.unknown' })
  }
})

test.each(Object.keys(apiInputs))('%s refuses what is not its input, with a code and without harm', async (name) => {
  const engine = await startEngine()
  for (const input of [
    null,
    7,
    'text',
    [],
    { unknownField: 1 },
    { id: 7 },
    { id: '' },
    JSON.parse('{"__proto__": {"id": "x"}, "more": 1}'),
  ]) {
    await expect(engine.api.callByName(name, input)).rejects.toMatchObject({ code: 'api.input' })
  }
})

describe('limits of the contract', () => {
  const goes = (name: keyof typeof apiInputs, input: unknown) => apiInputs[name].safeParse(input).success

  test('a message', () => {
    expect(goes('thread.send', { text: 'x'.repeat(limits.goalCharacters) })).toBe(true)
    expect(goes('thread.send', { text: 'x'.repeat(limits.goalCharacters + 1) })).toBe(false)
  })

  test('the steps of a thread', () => {
    expect(goes('thread.send', { text: 'x', maxSteps: limits.maxStepsCeiling })).toBe(true)
    expect(goes('thread.send', { text: 'x', maxSteps: limits.maxStepsCeiling + 1 })).toBe(false)
  })

  test('a page', () => {
    expect(goes('thread.list', { limit: limits.pageRows })).toBe(true)
    expect(goes('thread.list', { limit: limits.pageRows + 1 })).toBe(false)
  })
})

test('a project is its real folder: a link and a path with dots are the same one', async () => {
  const engine = await startEngine()
  const folder = folderWith({ 'a/b.txt': '' })
  const project = await engine.api.call('project.open', { folder })
  expect(await engine.api.call('project.open', { folder: `${folder}/a/..` })).toEqual(project)
  expect(await engine.api.call('project.list', {})).toHaveLength(1)
})
