import { expect, onTestFinished, test } from 'vitest'
import { correctThread } from '../../core/corrections.ts'
import { eventsOf, folderWith, runGoal, startEngine, temporaryFolder, useScriptedModel } from '../support/engine.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openSkillWorld } from '../support/skill-world.ts'

test('a thread that ended can be said to be wrong, once it has ended, and that is on its record', async () => {
  const engine = await startEngine({ embedded: { scripted: scriptedModel(() => ({ text: 'Two.' })) } })
  await useScriptedModel(engine)
  const { id } = await runGoal(engine, folderWith({}), 'How many?')
  await engine.api.call('thread.correct', { id, reason: 'it is three' })
  expect(eventsOf(engine, id).at(-1)).toMatchObject({ kind: 'thread.corrected', data: { wrong: 'it is three' } })
  // Twice is once, and the first reason stands.
  await engine.api.call('thread.correct', { id, reason: 'no, four' })
  const said = eventsOf(engine, id).filter(({ kind }) => kind === 'thread.corrected')
  expect(said).toMatchObject([{ data: { wrong: 'it is three' } }])
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

test('what was said and what it means for skills are on record together, or neither is', async () => {
  const { store, events, skills, ...world } = openSkillWorld(temporaryFolder())
  onTestFinished(() => world.close())
  world.project('p')
  world.thread({ id: 't1' })
  const ended = { from: 'Running', to: 'Done', outcome: 'answered' } as const
  events.commit((append) => append('t1', { kind: 'thread.state', data: ended }))
  const dies = () => {
    throw new Error('the process dies here')
  }
  const correct = (tracker: Parameters<typeof correctThread>[0]['tracker']) =>
    correctThread({ store, events, tracker }, { id: 't1', reason: 'the other pier' })
  await expect(correct({ ended: skills.tracker.ended, corrected: dies })).rejects.toThrow('the process dies here')
  expect(store.events.isCorrected('t1')).toBe(false)
  // Both at once are one.
  await Promise.all([correct(skills.tracker), correct(skills.tracker)])
  expect(store.events.ofThread('t1', 0, 100).filter(({ kind }) => kind === 'thread.corrected')).toHaveLength(1)
})
