import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/action.ts'
import { effectsIn } from '../../support/asking.ts'
import { eventsOf, folderWith, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

const ring = defineAction({
  name: 'ring',
  description: 'Rings a bell; the big one takes until it is stopped.',
  parameters: z.strictObject({ bell: z.string() }),
  effects: ['WriteLocal'],
  isIdempotent: false,
  summarize: ({ bell }) => bell,
  resource: () => 'the tower',
  run: ({ bell }, { folder }) => {
    fs.appendFileSync(path.join(folder, 'effects.log'), `ring ${bell}\n`)
    return bell === 'big' ? new Promise<string>(() => undefined) : 'rang'
  },
})

async function start(bells: readonly string[]) {
  const toolCalls = bells.map((bell) => scriptedCall('ring', { bell }, bell))
  const model = scriptedModel([{ toolCalls }, { text: 'done' }])
  const engine = await startEngine({ embedded: { scripted: model }, actions: [ring] })
  await useScriptedModel(engine)
  const folder = folderWith({})
  const project = await engine.api.call('project.open', { folder })
  return { engine, folder, projectId: project.id }
}

test('stopped, a call that waited for its turn on a resource does not run any more', async () => {
  const { engine, folder, projectId } = await start(['big', 'small'])
  const { threadId } = await engine.api.call('thread.send', { projectId, text: 'go' })
  await expect.poll(() => effectsIn(folder)).toEqual(['ring big'])
  await engine.api.call('thread.stop', { id: threadId })
  expect(effectsIn(folder)).toEqual(['ring big'])
})

test('calls of one batch together take no more uses than a counted lease has', async () => {
  const { engine, folder, projectId } = await start(['a', 'b', 'c'])
  const { threadId } = await engine.api.call('thread.send', { projectId, text: 'go' })
  const lease = engine.store.leases.ofThread(threadId).find(({ actions }) => actions.includes('ring'))
  engine.store.transaction(() => {
    engine.store.leases.revoke(lease?.id ?? '', 1)
    if (lease !== undefined) engine.store.leases.insert({ ...lease, id: 'lea_counted', usesLeft: 2 })
  })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(effectsIn(folder)).toEqual(['ring a', 'ring b'])
  const finished = eventsOf(engine, threadId).filter((event) => event.kind === 'action.finished')
  expect(finished.find(({ data }) => data.path === '3')).toMatchObject({ data: { ok: false, code: 'policy.denied' } })
  expect(engine.store.leases.get('lea_counted')).toMatchObject({ usesLeft: 0 })
})
