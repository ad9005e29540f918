import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, startEngine, useScriptedModel } from '../support/engine.ts'
import { scriptedCall, scriptedModel } from '../support/scripted-model.ts'

test('a folder that is gone, no folder any more or a loop of links is listed as not available; the others are as before', async () => {
  const engine = await startEngine()
  const kept = folderWith({ 'a.txt': 'x' })
  const spoilt = { gone: folderWith({}), file: folderWith({}), loop: folderWith({}) }
  for (const folder of [kept, ...Object.values(spoilt)]) await engine.api.call('project.open', { folder })
  for (const folder of Object.values(spoilt)) fs.rmSync(folder, { recursive: true })
  fs.writeFileSync(spoilt.file, '')
  fs.symlinkSync(path.basename(spoilt.loop), spoilt.loop)
  const projects = await engine.api.call('project.list', {})
  expect(new Map(projects.map(({ folder, available }) => [folder, available]))).toEqual(
    new Map([
      [kept, true],
      [spoilt.gone, false],
      [spoilt.file, false],
      [spoilt.loop, false],
    ]),
  )
})

test('goals and a name are a person’s to set: new threads are told, and the lower limit of a day counts', async () => {
  const usage = { inputTokens: 900, outputTokens: 100 }
  const model = scriptedModel((_request, n) => ({
    toolCalls: [scriptedCall('echo', { text: `${n}` }, `c${n}`)],
    usage,
  }))
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const { id } = await engine.api.call('project.open', { folder: folderWith({}) })
  const patch = { name: 'Saltmarsh', goals: ['Keep the tide tables right'], dayBudget: { tokens: 12_000, usd: null } }
  expect(await engine.api.call('project.save', { id, patch })).toMatchObject(patch)
  expect(await engine.api.call('project.list', {})).toMatchObject([patch])
  const { threadId } = await engine.api.call('thread.send', { projectId: id, text: 'go' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(model.requests[0]?.messages[0]?.content).toContain('Goals of this project:\n- Keep the tide tables right')
  const thread = await engine.api.call('thread.get', { id: threadId })
  expect(thread).toMatchObject({ outcome: 'budget', reason: expect.stringContaining("this project's day") })
  await expect(engine.api.call('project.save', { id: 'prj_none', patch })).rejects.toMatchObject({
    code: 'project.not_found',
  })
})
