import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createConversation, createRepeats, replayRecord } from '../../../core/orchestrator/orchestrator.ts'
import { effectsIn, put } from '../../support/asking.ts'
import {
  contentDir,
  eventsOf,
  folderWith,
  startEngine,
  temporaryFolder,
  useScriptedModel,
} from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

test('a restart after a compaction sends the very messages that were sent, though something was said meanwhile', async () => {
  const isSummary = (messages: readonly { content: string }[]) => messages[0]?.content.startsWith('Sum up') === true
  let turn = 0
  let say = async (_text: string): Promise<unknown> => undefined
  const script: ModelScript = async (request) => {
    if (isSummary(request.messages)) return { text: 'We counted.' }
    turn += 1
    if (turn > 7) return { text: 'done' }
    await say(`said in turn ${turn}`)
    return { toolCalls: [scriptedCall('echo', { text: `${turn} `.repeat(2_000) }, `c${turn}`)] }
  }
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const modelLimits = { 'scripted/scripted': { contextTokens: 10_000 } }
  await engine.api.call('settings.set', { patch: { modelLimits } })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'Count' })
  say = (text) => engine.api.call('thread.send', { threadId, text })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const events = eventsOf(engine, threadId)
  expect(events.some((event) => event.kind === 'context.compacted')).toBe(true)
  const asked = model.requests.filter((request) => !isSummary(request.messages))
  const system = asked[0]?.messages[0]
  const starts = events.flatMap((event, at) => (event.kind === 'step.started' ? [at] : []))
  for (const [step, at] of starts.entries()) {
    const conversation = createConversation(system === undefined ? [] : [system])
    replayRecord(events.slice(0, at + 1), conversation, createRepeats())
    expect(conversation.messages).toEqual(asked[step]?.messages)
  }
})

test('a step that goes another way after an update may ask again in the place of a call that was asked about', async () => {
  const script: ModelScript = (_request, n) =>
    n < 2 ? { toolCalls: [scriptedCall('put', { file: `${n}.txt`, text: 'x' })] } : { text: 'done' }
  const model = scriptedModel(script)
  const dataDir = temporaryFolder()
  const open = async (from: string) => {
    const engine = await startEngine({ embedded: { scripted: model }, actions: [put], dataDir, contentDir: from })
    await useScriptedModel(engine)
    return engine
  }
  const updated = temporaryFolder()
  const loop = path.join(updated, 'core/orchestrator/default.py')
  const orchestrator = path.join(contentDir, 'core/orchestrator')
  fs.cpSync(orchestrator, path.dirname(loop), { recursive: true })
  fs.writeFileSync(loop, fs.readFileSync(loop, 'utf8').replace('"nudges": nudges,', '"nudges": 7,'))
  const folder = folderWith({})
  const engine = await open(contentDir)
  const project = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  await engine.stop('update')
  const later = await open(updated)
  const decideOnly = async () => {
    const { rows } = await later.api.call('approval.list', { state: 'pending' })
    expect(rows).toHaveLength(1)
    await later.api.call('approval.decide', { id: rows[0]?.id ?? '', decision: 'approve' })
    await later.threads.join([threadId], AbortSignal.timeout(60_000))
  }
  await decideOnly()
  expect(await later.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Waiting' })
  await decideOnly()
  expect(await later.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered' })
  expect(effectsIn(folder)).toEqual(['put 1.txt'])
})
