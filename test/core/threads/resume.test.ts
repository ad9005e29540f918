import { expect, test } from 'vitest'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { effectsIn, put } from '../../support/asking.ts'
import { folderWith, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

const writes = { toolCalls: [scriptedCall('put', { file: 'a.txt', text: 'new' }, 'w')] }

async function start(script: ModelScript, until: 'begun' | 'rest' = 'rest') {
  const folder = folderWith({ 'a.txt': 'old' })
  const dataDir = temporaryFolder()
  const open = async (recover: NonNullable<EngineOptions['recover']>) => {
    const embedded = { scripted: scriptedModel(script) }
    const engine = await startEngine({ dataDir, embedded, actions: [put], recover })
    await useScriptedModel(engine)
    return engine
  }
  const engine = await open('resume')
  const project = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go' })
  if (until === 'rest') await rest(engine, threadId)
  return { engine, open, folder, threadId }
}

async function rest(engine: Engine, threadId: string) {
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  return engine.api.call('thread.get', { id: threadId })
}

async function decide(engine: Engine, run: boolean): Promise<void> {
  const [asked] = (await engine.api.call('approval.list', { state: 'pending' })).rows
  await engine.api.call('approval.decide', { id: asked?.id ?? '', decision: 'approve', run })
}

test('a thread that waits for what was decided already goes on when a person resumes it', async () => {
  const { engine, open, folder, threadId } = await start((request) =>
    request.messages.at(-1)?.role === 'tool' ? { text: 'done' } : writes,
  )
  await decide(engine, false)
  await engine.stop('quit')
  // As the command line starts it: nothing goes on by itself.
  const later = await open('suspend')
  expect(await rest(later, threadId)).toMatchObject({ state: 'Waiting' })
  await later.api.call('thread.resume', { id: threadId })
  expect(await rest(later, threadId)).toMatchObject({ outcome: 'answered' })
  expect(effectsIn(folder)).toEqual(['put a.txt'])
})

test('a thread that waits for a person cannot be resumed', async () => {
  const { engine, threadId } = await start([writes])
  await expect(engine.api.call('thread.resume', { id: threadId })).rejects.toMatchObject({ code: 'thread.transition' })
})

test('a thread that waits for a child that a quit suspended is suspended too, and goes on with it when it is resumed', async () => {
  let isHanging = true
  const { engine, open, threadId } = await start(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return isHanging ? new Promise(() => undefined) : { text: 'from the child' }
    if (last?.content.startsWith('ask it')) return writes
    if (messages.some(({ role }) => role === 'assistant')) return { text: 'done' }
    return { text: '```python\nprint(rlm_query("ask it"))\n```' }
  })
  await decide(engine, true)
  const [child] = await engine.api.call('thread.children', { id: threadId })
  expect(child).toMatchObject({ state: 'Running' })
  await engine.stop('quit')
  isHanging = false
  const later = await open('resume')
  expect(await rest(later, threadId)).toMatchObject({ state: 'Suspended' })
  expect(await rest(later, child?.id ?? '')).toMatchObject({ state: 'Suspended' })
  await later.api.call('thread.resume', { id: threadId })
  expect(await rest(later, threadId)).toMatchObject({ outcome: 'answered' })
})

test('a child that was cut off, and asks once it goes on, still wakes its parent when it ends', async () => {
  let isHanging = true
  const { engine, open, threadId } = await start(async ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: 'from the child' }
    if (last?.content.startsWith('ask it')) return isHanging ? new Promise(() => undefined) : writes
    if (messages.some(({ role }) => role === 'assistant')) return { text: 'done' }
    return { text: '```python\nprint(rlm_query("ask it"))\n```' }
  }, 'begun')
  const isSpawned = async () => (await engine.api.call('thread.children', { id: threadId })).length
  await expect.poll(isSpawned).toBe(1)
  await engine.stop('quit')
  isHanging = false
  const later = await open('resume')
  await later.api.call('thread.resume', { id: threadId })
  expect(await rest(later, threadId)).toMatchObject({ state: 'Waiting' })
  await decide(later, true)
  const [child] = await later.api.call('thread.children', { id: threadId })
  expect(await rest(later, child?.id ?? '')).toMatchObject({ outcome: 'answered' })
  expect(await rest(later, threadId)).toMatchObject({ outcome: 'answered' })
})
