import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { createMemory } from '../../../core/memory/memory.ts'
import { folderWith, startEngine } from '../../support/engine.ts'

async function start() {
  const engine = await startEngine()
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const other = await engine.api.call('project.open', { folder: folderWith({}) })
  let next = 0
  const memory = createMemory({
    store: engine.store,
    now: () => 1_000 + next,
    nextId: (prefix) => `${prefix}_${++next}`,
  })
  const write = (title: string, content: string, change: Partial<{ callKey: string; projectId: string }> = {}) =>
    memory.writeNote({ projectId, threadId: 'thr_1', title, content, tags: [], callKey: `key ${++next}`, ...change })
  return { memory, write, projectId, otherId: other.id }
}

test('a note of the same title becomes its next version, and only the newest is found', async () => {
  const { memory, write, projectId } = await start()
  const first = write('release day', 'it is Monday')
  const second = write('release day', 'it is Thursday')
  expect(second).toMatchObject({ id: first.id, version: 2, content: 'it is Thursday' })
  expect(memory.read(projectId, 'release day')).toEqual(second)
  expect((await memory.search(projectId, 'Monday', 5)).hits).toEqual([])
  expect((await memory.search(projectId, 'thursday', 5)).hits).toMatchObject([{ id: first.id, title: 'release day' }])
})

test('the same call twice is one write', async () => {
  const { write } = await start()
  const once = write('n', 'a', { callKey: 'same' })
  expect(write('n', 'a', { callKey: 'same' })).toEqual(once)
})

test('words are alternatives, a title counts more, and nothing of a query is syntax', async () => {
  const { memory, write, projectId } = await start()
  write('parking', 'the blue garage, level 2')
  write('garage door', 'code is on the fridge')
  expect((await memory.search(projectId, 'where is the garage?', 5)).hits.map((hit) => hit.title)).toEqual([
    'garage door',
    'parking',
  ])
  for (const hostile of ['"', '*', 'a OR', 'NEAR(', 'title:x', '-', '^garage', ')))']) {
    await memory.search(projectId, hostile, 5)
  }
  expect((await memory.search(projectId, '?!', 5)).hits).toEqual([])
})

test('a project sees its own notes only', async () => {
  const { memory, write, otherId } = await start()
  const note = write('secret', 'of the first project')
  expect(memory.read(otherId, note.id)).toBeUndefined()
  expect((await memory.search(otherId, 'secret', 5)).hits).toEqual([])
})

test('a note one character over the limit is refused and nothing is written', async () => {
  const { memory, write, projectId } = await start()
  expect(() => write('long', 'x'.repeat(limits.memoryDocCharacters + 1))).toThrow(
    expect.objectContaining({ code: 'action.too_large' }),
  )
  expect(memory.recent(projectId, 5)).toEqual([])
  expect(write('long', 'x'.repeat(limits.memoryDocCharacters)).version).toBe(1)
})
