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

test('a doc is saved by a person, found, edited, archived and brought back', async () => {
  const engine = await startEngine()
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const asked = { projectId, type: 'Lesson' as const, title: 'tide gauge', content: 'reads low', tags: ['sea'] }
  const saved = await engine.api.call('doc.save', asked)
  expect(saved).toMatchObject({ ...asked, version: 1, provenance: 'user', untrusted: false, archivedAt: null })
  const edit = { ...asked, id: saved.id, title: 'tide gauges', content: 'read high' }
  expect(await engine.api.call('doc.save', edit)).toMatchObject({ id: saved.id, version: 2, title: 'tide gauges' })
  expect(await engine.api.call('doc.get', { id: saved.id, version: 1 })).toMatchObject({ content: 'reads low' })
  expect(await engine.api.call('doc.versions', { id: saved.id })).toMatchObject([{ version: 2 }, { version: 1 }])
  const search = () => engine.api.call('doc.search', { projectId, query: 'tide gauges' })
  expect(await search()).toMatchObject([{ id: saved.id, ftsRank: 1, vectorRank: 1 }])
  expect((await engine.api.call('doc.archive', { id: saved.id, archived: true })).archivedAt).not.toBeNull()
  expect(await search()).toEqual([])
  const list = (filter: object) => engine.api.call('doc.list', { projectId, ...filter })
  expect(await list({})).toEqual({ rows: [], next: null })
  expect((await list({ archived: true })).rows).toMatchObject([{ id: saved.id, title: 'tide gauges' }])
  await engine.api.call('doc.archive', { id: saved.id, archived: false })
  expect(await search()).toHaveLength(1)
  await engine.api.call('doc.save', { ...asked, type: 'Note' })
  const page = await list({ limit: 1 })
  expect(page).toMatchObject({ rows: [{ type: 'Note' }], next: expect.any(Number) })
  expect((await list({ limit: 1, before: page.next })).rows).toMatchObject([{ type: 'Lesson' }])
})

test('docs that a person may not write are refused with a code', async () => {
  const engine = await startEngine()
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const save = (change: object) =>
    engine.api.callByName('doc.save', { projectId, type: 'Note', title: 't', content: 'c', ...change })
  await expect(save({ type: 'Skill' })).rejects.toMatchObject({ code: 'api.input' })
  await expect(save({ title: 'orchestrator:main' })).rejects.toMatchObject({ code: 'policy.denied' })
  await expect(save({ projectId: 'prj_x' })).rejects.toMatchObject({ code: 'project.not_found' })
  await expect(save({ id: 'doc_x' })).rejects.toMatchObject({ code: 'memory.not_found' })
  await expect(save({ content: 'x'.repeat(limits.memoryDocCharacters + 1) })).rejects.toMatchObject({
    code: 'api.input',
  })
  await expect(engine.api.call('doc.get', { id: 'doc_x' })).rejects.toMatchObject({ code: 'memory.not_found' })
})

test('a project is its real folder: a link and a path with dots are the same one', async () => {
  const engine = await startEngine()
  const folder = folderWith({ 'a/b.txt': '' })
  const project = await engine.api.call('project.open', { folder })
  expect(await engine.api.call('project.open', { folder: `${folder}/a/..` })).toEqual(project)
  expect(await engine.api.call('project.list', {})).toHaveLength(1)
})
