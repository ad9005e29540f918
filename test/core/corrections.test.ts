import { expect, test } from 'vitest'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../support/engine.ts'
import { scriptedModel } from '../support/scripted-model.ts'

test('a thread that ended can be said to be wrong, once it has ended, and that is on its record', async () => {
  const engine = await startEngine({ embedded: { scripted: scriptedModel(() => ({ text: 'Two.' })) } })
  await useScriptedModel(engine)
  const { id } = await runGoal(engine, folderWith({}), 'How many?')
  await engine.api.call('thread.correct', { id, reason: 'it is three' })
  expect(eventsOf(engine, id).at(-1)).toMatchObject({ kind: 'thread.corrected', data: { wrong: 'it is three' } })
  await expect(engine.api.call('thread.correct', { id: 'nobody', reason: 'x' })).rejects.toMatchObject({
    code: 'thread.not_found',
  })
})

test('while a thread works there is nothing to be said of its end', async () => {
  const ends: (() => void)[] = []
  const script = () => new Promise<{ text: string }>((resolve) => ends.push(() => resolve({ text: 'Two.' })))
  const engine = await startEngine({ embedded: { scripted: scriptedModel(script) } })
  await useScriptedModel(engine)
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId: id } = await engine.api.call('thread.send', { projectId: project.id, text: 'How many?' })
  await expect.poll(() => ends.length).toBe(1)
  await expect(engine.api.call('thread.correct', { id, reason: 'x' })).rejects.toMatchObject({
    code: 'thread.transition',
  })
  ends[0]?.()
  await engine.threads.join([id], AbortSignal.timeout(60_000))
})
