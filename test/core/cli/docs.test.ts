import fs from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Access } from '../../../core/cli/access.ts'
import { exportDocs, listDocs, searchDocs, showDoc } from '../../../core/cli/docs.ts'
import { createTerminal } from '../../../core/cli/terminal.ts'
import { folderWith, startEngine, temporaryFolder } from '../../support/engine.ts'

async function start(isJson = true) {
  const engine = await startEngine()
  const project = folderWith({})
  const { id: projectId } = await engine.api.call('project.open', { folder: project })
  const [out, err] = [new PassThrough(), new PassThrough()]
  const access: Access = {
    isOwn: true,
    whenLeft: '',
    call: (name, input) => engine.api.call(name, input),
    subscribe: engine.subscribe,
    close: async () => undefined,
  }
  const save = (title: string, content: string, type: 'Note' | 'Lesson' = 'Note') =>
    engine.api.call('doc.save', { projectId, type, title, content, tags: ['a "b"'] })
  const text = () => String(out.read() ?? '')
  const lines = () =>
    text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { engine, project, access, terminal: createTerminal({ out, err }, isJson), save, text, lines }
}

test('a list is one line a doc, newest first, by page and type', async () => {
  const { access, project, terminal, save, lines } = await start()
  const first = await save('parking', 'blue')
  await save('tide', 'low')
  await save('gauge', 'reads low', 'Lesson')
  await listDocs(access, terminal, { project, type: undefined, limit: 2, before: undefined })
  const page = lines()
  expect(page.map((line) => line.title)).toEqual(['gauge', 'tide'])
  await listDocs(access, terminal, { project, type: 'Note', limit: 5, before: page[1].number })
  expect(lines()).toEqual([
    {
      ...{ id: first.id, number: first.number, type: 'Note', title: 'parking', version: 1, tags: ['a "b"'] },
      ...{ provenance: 'user', untrusted: false, sourceThreadId: null },
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ])
})

test('a doc is shown by its id or its title, in any version', async () => {
  const { access, project, terminal, save, lines } = await start()
  const { id } = await save('release day', 'Monday')
  await save('release day', 'Thursday')
  await showDoc(access, terminal, { project, id: 'release day', version: undefined })
  expect(lines()).toMatchObject([{ id, version: 2, content: 'Thursday' }])
  await showDoc(access, terminal, { project, id, version: 1 })
  expect(lines()).toMatchObject([{ id, version: 1, content: 'Monday' }])
  const show = (name: string, version?: number) => showDoc(access, terminal, { project, id: name, version })
  await expect(show('no such')).rejects.toMatchObject({ code: 'memory.not_found' })
  await expect(show(id, 3)).rejects.toMatchObject({ code: 'memory.not_found' })
  await save('release day', 'learnt', 'Lesson')
  await expect(show('release day')).rejects.toMatchObject({ code: 'usage' })
})

test('a search prints the best first, and why', async () => {
  const { access, project, terminal, save, lines } = await start()
  await save('parking', 'the blue garage')
  await searchDocs(access, terminal, { project, query: 'where is the garage?', limit: 5 })
  expect(lines()).toMatchObject([
    { title: 'parking', snippet: 'the blue garage', ftsRank: 1, vectorRank: 1, embedder: 'lexical' },
  ])
  const people = await start(false)
  await people.save('parking', 'the blue garage')
  await searchDocs(people.access, people.terminal, { project: people.project, query: 'garage', limit: 5 })
  expect(people.text()).toMatch(/^Note {5}parking {2}words 1, lexical 1 {2}doc_/)
})

test('an export is a Markdown file each, with a header in which no title is YAML', async () => {
  const { access, project, terminal, save, lines } = await start()
  const out = path.join(temporaryFolder(), 'deep/er')
  const hostile = 'a: "b"\u2028 --- #c ../../etc'
  const { id } = await save(hostile, '---\nbody: 1\n---\n')
  await save('Größe', 'x', 'Lesson')
  await exportDocs(access, terminal, { project, id: undefined, out })
  const written = lines()
  expect(written.map(({ file }) => path.relative(out, file)).toSorted()).toEqual(fs.readdirSync(out).toSorted())
  expect(fs.readdirSync(out)).toHaveLength(2)
  const { file } = written.find((line) => line.id === id)
  expect(path.basename(file)).toBe(`a-b-c-etc.${id}.md`)
  const text = fs.readFileSync(file, 'utf8')
  const [, header = '', body] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text) ?? []
  expect(body).toBe('---\nbody: 1\n---\n')
  expect(header.split('\n').map((line) => line.replace(/:.*/, ''))).toEqual([
    'id',
    'type',
    'title',
    'version',
    'tags',
    'provenance',
    'untrusted',
    'sourceThread',
    'created',
    'updated',
  ])
  expect(header).toContain('tags: ["a \\"b\\""]')
  const title = header.split('\n').find((line) => line.startsWith('title: '))
  expect(title).not.toContain('\u2028')
  expect(JSON.parse(title?.slice(7) ?? '')).toBe((await access.call('doc.get', { id })).title)
  await exportDocs(access, terminal, { project, id: 'Größe', out })
  expect(lines()).toMatchObject([{ title: 'Größe', version: 1 }])
  fs.writeFileSync(path.join(out, 'file'), '')
  const blocked = exportDocs(access, terminal, { project, id, out: path.join(out, 'file') })
  await expect(blocked).rejects.toMatchObject({ code: 'store.io' })
})

test('archived docs are left out, and a folder that is no project is told', async () => {
  const { access, project, terminal, save, text } = await start()
  const { id } = await save('parking', 'blue')
  await access.call('doc.archive', { id, archived: true })
  const out = temporaryFolder()
  await exportDocs(access, terminal, { project, id: undefined, out })
  await listDocs(access, terminal, { project, type: undefined, limit: 5, before: undefined })
  expect(text()).toBe('')
  expect(fs.readdirSync(out)).toEqual([])
  const elsewhere = listDocs(access, terminal, { project: out, type: undefined, limit: 5, before: undefined })
  await expect(elsewhere).rejects.toMatchObject({ code: 'project.not_found' })
})
