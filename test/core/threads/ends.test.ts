import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Engine } from '../../../core/engine.ts'
import { storePath } from '../../../core/store/store.ts'
import { eventsOf, folderWith, runGoal, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

async function start(script: ModelScript, options: Parameters<typeof startEngine>[0] = {}) {
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model }, ...options })
  await useScriptedModel(engine)
  return { engine, model }
}

test('what went wrong in a thread is put on record when it ends, and what matters becomes an Issue doc', async () => {
  const { engine } = await start((_request, n) =>
    n < 3 ? { toolCalls: [scriptedCall('read_file', { path: `missing-${n}.txt` }, `c${n}`)] } : { text: 'not found' },
  )
  const thread = await runGoal(engine, folderWith({}), 'go')
  const analysed = () => eventsOf(engine, thread.id).find((event) => event.kind === 'trace.analysed')
  await expect.poll(analysed).toBeDefined()
  const issues = await engine.api.call('thread.issues', { id: thread.id })
  expect(analysed()).toMatchObject({ data: { issues } })
  expect(issues).toContainEqual(expect.objectContaining({ class: 'tool_error', severity: 'Warning' }))
  const docs = await engine.api.call('doc.list', { projectId: thread.projectId, type: 'Issue' })
  expect(docs.rows).toMatchObject([{ type: 'Issue' }])
  const doc = await engine.api.call('doc.get', { id: docs.rows[0]?.id ?? '' })
  expect(doc).toMatchObject({ sourceThreadId: thread.id, provenance: 'analysis' })
})

const analysesOf = (engine: Engine, threadId: string) =>
  eventsOf(engine, threadId).filter((event) => event.kind === 'trace.analysed').length

test('a thread whose process did not live to look at it is looked at at the next start, once', async () => {
  const dataDir = temporaryFolder()
  const { engine } = await start(
    (_request, n) =>
      n < 3 ? { toolCalls: [scriptedCall('read_file', { path: `no-${n}` }, `c${n}`)] } : { text: 'no' },
    { dataDir },
  )
  const thread = await runGoal(engine, folderWith({}), 'go')
  await expect.poll(() => analysesOf(engine, thread.id)).toBe(1)
  await engine.stop('the test')
  const connection = new Database(storePath(dataDir))
  connection.exec(`DELETE FROM event WHERE kind = 'trace.analysed'`)
  connection.close()
  const second = await start([], { dataDir })
  await expect.poll(() => analysesOf(second.engine, thread.id)).toBe(1)
  const docs = await second.engine.api.call('doc.list', { projectId: thread.projectId, type: 'Issue' })
  expect(docs.rows).toHaveLength(1)
  await second.engine.stop('the test')
  const third = await start([], { dataDir })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(analysesOf(third.engine, thread.id)).toBe(1)
})

test('a thread in which all went well leaves nothing behind, and one that a person stopped neither', async () => {
  const { engine } = await start([{ text: 'fine' }])
  const thread = await runGoal(engine, folderWith({}), 'go')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(eventsOf(engine, thread.id).some((event) => event.kind === 'trace.analysed')).toBe(false)
  expect((await engine.api.call('doc.list', { projectId: thread.projectId })).rows).toEqual([])
})

test('the whole record of an ended thread is written where traces are wanted', async () => {
  const traceDir = path.join(temporaryFolder(), 'traces')
  const { engine } = await start([{ text: 'fine' }], { traceDir })
  const thread = await runGoal(engine, folderWith({}), 'go')
  const file = path.join(traceDir, `thread_${thread.id}.json`)
  await expect.poll(() => fs.existsSync(file)).toBe(true)
  const trace = JSON.parse(fs.readFileSync(file, 'utf8'))
  expect(trace.thread).toMatchObject({ id: thread.id, outcome: 'answered' })
  expect(trace.events).toHaveLength(eventsOf(engine, thread.id).length)
})

test('after the computer slept, an open call is made again from the record; what had run does not run again', async () => {
  let isAsleep = true
  const { engine, model } = await start((_request, n) => {
    if (n === 0) return { toolCalls: [scriptedCall('memory_write', { title: 'log', content: 'once' })] }
    return n === 1 && isAsleep ? new Promise(() => undefined) : { text: 'awake' }
  })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go' })
  await expect.poll(() => model.requests.length).toBe(2)
  isAsleep = false
  expect(await engine.wokeUp()).toEqual([threadId])
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered' })
  expect(model.requests).toHaveLength(3)
  expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages)
  const kinds = eventsOf(engine, threadId).map((event) => event.kind)
  expect(kinds).toContain('step.restarted')
  expect(kinds.filter((kind) => kind === 'action.finished')).toHaveLength(1)
  expect(await engine.wokeUp()).toEqual([])
})

test('hooks see calls and answers, may refuse a call, and can allow nothing', async () => {
  const seen: string[] = []
  const { engine } = await start(
    [{ toolCalls: [scriptedCall('echo', { text: 'a' }), scriptedCall('time', { op: 'now' })] }, { text: 'ok' }],
    {
      hooks: [
        {
          beforeAction: ({ name }) => (name === 'time' ? { deny: 'no clocks' } : undefined),
          afterAction: ({ name, ok }) => seen.push(`${name} ${ok}`),
          beforeModel: ({ step }) => seen.push(`ask ${step}`),
          afterModel: ({ outputTokens }) => seen.push(`got ${outputTokens}`),
        },
      ],
    },
  )
  const thread = await runGoal(engine, folderWith({}), 'go')
  expect(seen.toSorted()).toEqual(['ask 0', 'ask 1', 'echo true', 'got 5', 'got 5', 'time false'])
  const refused = eventsOf(engine, thread.id).find((event) => event.kind === 'action.finished' && !event.data.ok)
  expect(refused).toMatchObject({
    body: { result: { error: { code: 'policy.denied', message: 'a hook of this engine says no: no clocks' } } },
  })
})
