import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrations } from '../../../core/store/migrations.ts'
import { storePath } from '../../../core/store/store.ts'
import { folderWith, startEngine, temporaryFolder } from '../../support/engine.ts'

/** A store as the version before left it: one note, without origin and without a vector. */
function layOldStore(dataDir: string): void {
  const db = new Database(storePath(dataDir))
  db.exec(migrations[0] ?? '')
  db.pragma('user_version = 1')
  db.pragma('application_id = 0x5448534d')
  db.exec(`
    INSERT INTO project VALUES ('prj_1', '/nowhere', 'old', 1);
    INSERT INTO doc VALUES (1, 'doc_1', 'prj_1', 'Note', 'deployments', 1, 5, 5);
    INSERT INTO doc_version VALUES ('doc_1', 1, 'on Thursdays', '[]', 'thr_1', 'k', 5);
    INSERT INTO doc_fts (rowid, title, content) VALUES (1, 'deployments', 'on Thursdays');
  `)
  db.close()
}

test('notes of the version before are found by their vectors too, and an action wrote them', async () => {
  const dataDir = temporaryFolder()
  layOldStore(dataDir)
  const engine = await startEngine({ dataDir })
  expect(await engine.api.call('doc.get', { id: 'doc_1' })).toMatchObject({
    ...{ provenance: 'action', untrusted: false, archivedAt: null, content: 'on Thursdays' },
  })
  const hits = await engine.api.call('doc.search', { projectId: 'prj_1', query: 'deployment' })
  expect(hits).toMatchObject([{ id: 'doc_1', ftsRank: 1, vectorRank: 1 }])
  expect(engine.store.docSearch.vectors('lexical', 'prj_1', 0, 9)).toMatchObject([{ vector: expect.anything() }])
})

test('a process that only reads searches by vectors, writes none, and sees what the owner writes', async () => {
  const dataDir = temporaryFolder()
  layOldStore(dataDir)
  const owner = await startEngine({ dataDir })
  const { id: projectId } = await owner.api.call('project.open', { folder: folderWith({ 'a.txt': path.sep }) })
  const reader = await startEngine({ dataDir, readOnly: true })
  const search = (id: string, query: string) => reader.api.call('doc.search', { projectId: id, query })
  expect(await search('prj_1', 'deployment')).toMatchObject([{ id: 'doc_1', vectorRank: 1 }])
  expect(owner.store.docSearch.vectors('lexical', 'prj_1', 0, 9)).toMatchObject([{ vector: null }])
  expect(await search(projectId, 'gauge')).toEqual([])
  await owner.api.call('doc.save', { projectId, type: 'Note', title: 'gauges', content: 'read low' })
  expect(await search(projectId, 'gauge')).toMatchObject([{ title: 'gauges', vectorRank: 1 }])
  await expect(
    reader.api.call('doc.save', { projectId, type: 'Note', title: 'n', content: 'x' }),
  ).rejects.toMatchObject({ code: 'store.read_only' })
})
