import { describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { docTypes } from '../../../core/domain/memory.ts'
import { startMemory } from './support.ts'

test.each(docTypes)('a %s can be written, and says who wrote it, by which thread and call', async (type) => {
  const { write, memory } = await startMemory()
  const origin = { provenance: 'mission', untrusted: true, sourceThreadId: 'thr_9', callKey: 'thr_9/1/1' } as const
  const doc = write('what came of it', 'text', { type, ...origin })
  expect(doc).toMatchObject({ type, version: 1, archivedAt: null, ...origin })
  expect(memory.versions(doc.id)).toEqual([{ version: 1, characters: 4, createdAt: doc.updatedAt, ...origin }])
})

test('every version can be read again, with its own origin', async () => {
  const { write, memory, projectId } = await startMemory()
  const { id } = write('release day', 'Monday', { provenance: 'action', sourceThreadId: 'thr_1', callKey: 'k1' })
  write('release day', 'Tuesday', { untrusted: true, provenance: 'import' })
  memory.edit({ id, projectId, type: 'Note', title: 'release day', content: 'Wednesday', tags: ['dates'] })
  expect(memory.versions(id).map(({ version, provenance }) => [version, provenance])).toEqual([
    [3, 'user'],
    [2, 'import'],
    [1, 'action'],
  ])
  expect(memory.read(projectId, id, 1)).toMatchObject({ content: 'Monday', version: 1, provenance: 'action', tags: [] })
  expect(memory.get(id, 2)).toMatchObject({ content: 'Tuesday', untrusted: true })
  expect(memory.read(projectId, 'release day', 4)).toBeUndefined()
  expect(() => memory.get(id, 4)).toThrow(expect.objectContaining({ code: 'memory.not_found' }))
})

test('of a doc that is written again and again the newest 200 versions are listed, and all are kept', async () => {
  const { engine, write, memory } = await startMemory()
  const { id } = write('tide', '1')
  engine.store.transaction(() => {
    for (let version = 2; version <= 203; version += 1) {
      const origin = { sourceThreadId: null, callKey: null, createdAt: version }
      engine.store.docs.addVersion({ docId: id, version, content: String(version), tags: [], ...origin })
    }
  })
  const versions = memory.versions(id)
  expect(versions).toHaveLength(200)
  expect(versions[0]?.version).toBe(203)
  expect(memory.get(id, 1).content).toBe('1')
})

describe("a person's edit", () => {
  test('is a new version, also under a new title, and the old words no longer find it', async () => {
    const { write, memory, titles, projectId } = await startMemory()
    const { id } = write('parking', 'the blue garage')
    const edited = memory.edit({
      id,
      projectId,
      type: 'Lesson',
      title: 'where to leave the car',
      content: 'red lot',
      tags: [],
    })
    expect(edited).toMatchObject({
      id,
      version: 2,
      type: 'Lesson',
      title: 'where to leave the car',
      provenance: 'user',
    })
    expect(await titles('blue garage parking')).toEqual([])
    expect(await titles('red lot')).toEqual(['where to leave the car'])
  })

  test('of untrusted text stays untrusted', async () => {
    const { write, memory, projectId } = await startMemory()
    const { id } = write('page', 'from the web', { untrusted: true })
    expect(
      memory.edit({ id, projectId, type: 'Note', title: 'page', content: 'from the web, shorter', tags: [] }).untrusted,
    ).toBe(true)
  })

  test('cannot take the title of another doc, nor change a skill; nothing is written then', async () => {
    const { write, memory, projectId, otherId } = await startMemory()
    write('taken', 'first')
    const { id } = write('mine', 'second')
    const skill = write('skill', 'text', { type: 'Skill' })
    const edit = (doc: string, title: string) => () =>
      memory.edit({ id: doc, projectId, type: 'Note', title, content: 'x', tags: [] })
    expect(edit(id, 'taken')).toThrow(expect.objectContaining({ code: 'memory.conflict' }))
    expect(edit(skill.id, 'other')).toThrow(expect.objectContaining({ code: 'policy.denied' }))
    expect(edit('doc_x', 'other')).toThrow(expect.objectContaining({ code: 'memory.not_found' }))
    const elsewhere = { id, projectId: otherId, type: 'Note', title: 'mine', content: 'x', tags: [] } as const
    expect(() => memory.edit(elsewhere)).toThrow(expect.objectContaining({ code: 'memory.not_found' }))
    expect(memory.versions(id)).toHaveLength(1)
    expect(memory.get(id).title).toBe('mine')
  })
})

test('an archived doc keeps its versions, is listed apart, and is in use again when it is written', async () => {
  const { write, memory, projectId } = await startMemory()
  const { id } = write('tide', 'one')
  const listed = (archived: boolean) => memory.list({ projectId, archived, limit: 10 }).map((doc) => doc.title)
  expect(memory.archive(id, true)).toMatchObject({ version: 1, archivedAt: expect.any(Number) })
  expect(memory.archive(id, true).archivedAt).toBe(memory.get(id).archivedAt)
  expect([listed(false), listed(true)]).toEqual([[], ['tide']])
  expect(memory.recent(projectId, 5)).toEqual([])
  write('tide', 'two')
  expect(memory.get(id)).toMatchObject({ version: 2, archivedAt: null })
  expect([listed(false), listed(true)]).toEqual([['tide'], []])
})

test('a list is paged by number, and narrowed by type and a part of the title', async () => {
  const { write, memory, projectId, otherId } = await startMemory()
  for (const title of ['alpha', 'beta', 'Ärger mit Alpha']) write(title, 'text')
  write('alpha', 'text', { type: 'Lesson' })
  write('alpha', 'text', { projectId: otherId })
  const list = (filter: object) => memory.list({ projectId, archived: false, limit: 10, ...filter })
  const names = (filter: object) => list(filter).map((doc) => `${doc.type} ${doc.title}`)
  expect(names({})).toEqual(['Lesson alpha', 'Note Ärger mit Alpha', 'Note beta', 'Note alpha'])
  expect(names({ query: 'ALPHA', type: 'Note' })).toEqual(['Note Ärger mit Alpha', 'Note alpha'])
  expect(names({ query: 'Ärger' })).toEqual(['Note Ärger mit Alpha'])
  expect(names({ query: '%' })).toEqual([])
  const page = list({ limit: 2 })
  expect(names({ limit: 2, before: page[1]?.number })).toEqual(['Note beta', 'Note alpha'])
})

describe('titles', () => {
  test.each([
    'orchestrator:main',
    'Orchestrator: failures',
    'ORCHESTRATOR_v2',
    'prompt:codeact_preamble',
    'prompt :x',
    'ｏｒｃｈｅｓｔｒａｔｏｒ：main',
    'orches\u200btrator:main',
    'orchestra\u200dtor:main',
    'orchéstrator:main',
    ' \n orchestrator:main',
    '.system/engine/orchestrator/v1.py',
    'engine/orchestrator',
    'notes/../engine//./orchestrator/v2.py',
    'engine\\orchestrator\\v2.py',
    '.system/other',
  ])('%j is the engine’s own: refused for whoever writes', async (title) => {
    const { write, memory, projectId } = await startMemory()
    const refused = expect.objectContaining({ code: 'policy.denied' })
    expect(() => write(title, 'text')).toThrow(refused)
    const note = { projectId, threadId: 't', title, content: 'x', tags: [], callKey: 'k' }
    expect(() => memory.writeNote(note)).toThrow(refused)
    expect(memory.recent(projectId, 5)).toEqual([])
  })

  test.each(['orchestrators of Vienna', 'the prompt: how to answer', 'Note: orchestrator: main', 'promptness'])(
    '%j is an ordinary title',
    async (title) => {
      const { write } = await startMemory()
      expect(write(title, 'text').title).toBe(title)
    },
  )

  test('are one line, not empty, and at most so long', async () => {
    const { write } = await startMemory()
    expect(write('  two\n lines ', 'text').title).toBe('two lines')
    expect(() => write(' \n ', 'text')).toThrow(expect.objectContaining({ code: 'action.args' }))
    expect(write('x'.repeat(limits.memoryTitleCharacters), 'text').version).toBe(1)
    expect(() => write('x'.repeat(limits.memoryTitleCharacters + 1), 'text')).toThrow(
      expect.objectContaining({ code: 'action.too_large' }),
    )
  })
})

test('a project that is not known is told apart from a broken store', async () => {
  const { write } = await startMemory()
  expect(() => write('t', 'x', { projectId: 'prj_x' })).toThrow(expect.objectContaining({ code: 'project.not_found' }))
})
