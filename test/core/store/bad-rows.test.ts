import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { EventBatch } from '../../../core/domain/contract.ts'
import { limits } from '../../../core/domain/limits.ts'
import { storePath } from '../../../core/store/store.ts'
import { eventsOf, folderWith, runGoal, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'

/** An ended thread, and a way to spoil what is on disk of it while the engine runs on. */
async function start() {
  const dataDir = temporaryFolder()
  const answer = 'the answer '.repeat(1_000)
  const engine = await startEngine({ dataDir, embedded: { scripted: scriptedModel(() => ({ text: answer })) } })
  await useScriptedModel(engine)
  const thread = await runGoal(engine, folderWith({}), 'go')
  const events = eventsOf(engine, thread.id)
  const spoil = (sql: string, ...values: readonly (string | number)[]) => {
    const db = new Database(storePath(dataDir))
    try {
      expect(db.prepare(sql).run(...values).changes).toBeGreaterThan(0)
    } finally {
      db.close()
    }
  }
  return { engine, thread, events, spoil, answer }
}

const spoilt: readonly (readonly [string, string])[] = [
  ['facts that are no JSON', `UPDATE event SET data = '{"step": ' WHERE seq = ?`],
  ['facts that are no object', `UPDATE event SET data = 'null' WHERE seq = ?`],
  ['a kind that does not exist', `UPDATE event SET kind = 'step.strated' WHERE seq = ?`],
]

test.each(spoilt)('an event with %s stands in its place as unreadable; all others are there', async (_name, sql) => {
  const { engine, thread, events, spoil } = await start()
  const victim = events.find((event) => event.kind === 'step.started')
  spoil(sql, victim?.seq ?? 0)

  const { rows } = await engine.api.call('thread.events', { id: thread.id })
  expect(rows.map((row) => row.seq)).toEqual(events.map((event) => event.seq))
  expect(rows.filter((row) => row.kind === 'unreadable').map((row) => row.seq)).toEqual([victim?.seq])

  const batches: EventBatch[] = []
  engine.subscribe(0, (batch) => batches.push(batch))
  const pushed = batches.flatMap((batch) => batch.events).filter(({ threadId }) => threadId === thread.id)
  expect(pushed.map((event) => event.seq)).toEqual(events.map((event) => event.seq))
  expect(pushed.find((event) => event.kind === 'unreadable')?.seq).toBe(victim?.seq)

  expect((await engine.api.call('thread.calls', { id: thread.id })).rows.length).toBeGreaterThan(0)
  await expect(engine.api.call('event.body', { seq: victim?.seq ?? 0 })).rejects.toMatchObject({
    code: 'store.corrupt',
  })
})

test.each([
  ['is no JSON', `UPDATE blob SET content = '{"content": "the ans'`],
  ['is gone', 'DELETE FROM blob'],
])('a message whose body %s is said to be unreadable in its chat; the others are there', async (_name, sql) => {
  const { engine, thread, spoil, answer } = await start()
  expect(answer.length).toBeGreaterThan(limits.inlineBodyBytes)
  spoil(sql)
  const { rows } = await engine.api.call('chat.messages', { conversationId: thread.conversationId })
  expect(rows.map((row) => row.content)).toEqual(['go', expect.stringContaining('cannot be read')])
  expect(
    (await engine.api.call('thread.events', { id: thread.id })).rows.every((row) => row.kind !== 'unreadable'),
  ).toBe(true)
})

test('what a thread goes on from is read strictly: it fails rather than go on from half a record', async () => {
  const { engine, thread, events, spoil } = await start()
  spoil(`UPDATE event SET data = '{' WHERE seq = ?`, events.at(-1)?.seq ?? 0)
  expect(() => engine.store.events.ofThread(thread.id, 0, 1_000)).toThrow(
    expect.objectContaining({ code: 'store.corrupt', data: { seq: events.at(-1)?.seq } }),
  )
})

test('a lease that cannot be read grants nothing and hides no other', async () => {
  const { engine, thread, spoil } = await start()
  const before = engine.store.leases.ofThread(thread.id)
  spoil(`UPDATE lease SET actions = '[1' WHERE threadId = ?`, thread.id)
  expect(engine.store.leases.ofThread(thread.id)).toEqual(before.map((lease) => ({ ...lease, actions: [] })))
})

test('a doc whose tags cannot be read is listed and says so', async () => {
  const { engine, thread, spoil } = await start()
  const { projectId } = thread
  engine.store.transaction(() => {
    for (const id of ['doc_1', 'doc_2']) {
      engine.store.docs.insert({ id, projectId, type: 'Note', title: id, at: 1 })
      engine.store.docs.addVersion({
        ...{ docId: id, version: 1, content: 'text', tags: ['a'] },
        ...{ sourceThreadId: null, callKey: null, createdAt: 1 },
      })
    }
  })
  spoil(`UPDATE doc_version SET tags = 'a,b' WHERE docId = 'doc_1'`)
  expect(engine.store.docs.get('doc_1')).toMatchObject({ content: 'text', tags: ['unreadable'] })
  expect(engine.store.docs.recent(projectId, 10)).toHaveLength(2)
})
