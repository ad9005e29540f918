import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../core/domain/error.ts'
import type { EngineOptions } from '../../../core/engine.ts'
import {
  contentDir,
  eventsOf,
  folderWith,
  runGoal,
  startEngine,
  temporaryFolder,
  useScriptedModel,
} from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

const bundled = fs.readFileSync(path.join(contentDir, 'core/orchestrator/default.py'), 'utf8')
/** A loop that differs in a word that shows. */
const shouting = bundled.replace(
  'return {"outcome": "answered"}',
  'return {"outcome": "answered", "response": "SHOUTED"}',
)
const raising = `raise ValueError("my own fault")`

async function start(script: ModelScript = () => ({ text: 'fine' }), options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const dataDir = options.dataDir ?? temporaryFolder()
  const engine = await startEngine({ embedded: { scripted: model }, ...options, dataDir })
  await useScriptedModel(engine)
  const folder = folderWith({})
  const go = () => runGoal(engine, folder, 'go')
  const propose = (code: string) => engine.api.call('orchestrator.propose', { code, reason: 'because' })
  const answer = async () => {
    const { conversationId } = await go()
    return (await engine.api.call('chat.messages', { conversationId })).rows.at(-1)?.content
  }
  return { engine, dataDir, go, propose, answer, model }
}

test('a proposal is inert; activated after a dry run on record, new threads begin with it, and it can be rolled back', async () => {
  const { engine, propose, answer, go } = await start()
  await go()
  const proposed = await propose(shouting)
  expect(proposed).toMatchObject({ version: 1, parent: 0, state: 'candidate', source: 'user' })
  expect(await answer()).toBe('fine')
  const review = await engine.api.call('orchestrator.activate', { version: 1 })
  expect(review.runs.map(({ verdict }) => verdict)).toEqual(['same', 'same'])
  const thread = await go()
  expect(eventsOf(engine, thread.id).find((event) => event.kind === 'orchestrator.chosen')).toMatchObject({
    data: { version: 1, sha256: proposed.sha256 },
  })
  expect(await answer()).toBe('SHOUTED')
  await engine.api.call('orchestrator.rollback', {})
  expect(await answer()).toBe('fine')
  expect((await engine.api.call('orchestrator.list', {})).map(({ version, state }) => [version, state])).toEqual([
    [0, 'active'],
    [1, 'retired'],
  ])
})

test.each([
  ['does not compile', 'def (:'],
  ['raises', raising],
  ['calls what there is not', 'launch_rocket()'],
  ['never ends', 'while True:\n    pass'],
])(
  'a version that %s cannot be activated',
  async (_name, code) => {
    const { engine, go, propose, answer } = await start()
    await go()
    const { version } = await propose(code)
    await expect(engine.api.call('orchestrator.activate', { version })).rejects.toMatchObject({
      code: 'orchestrator.invalid',
    })
    expect(await answer()).toBe('fine')
  },
  40_000,
)

test('a dry run says where a loop goes another way', async () => {
  const { engine, go, propose } = await start((_request, n) =>
    n === 0 ? { toolCalls: [scriptedCall('echo', { text: 'x' })] } : { text: 'fine' },
  )
  await go()
  const { version } = await propose(
    'llm_complete({"step": 0, "nudges": 0, "action_errors": 0})\n{"outcome": "answered"}',
  )
  const { runs } = await engine.api.call('orchestrator.review', { version })
  expect(runs).toMatchObject([{ verdict: 'other', detail: 'ends after 1 of 2 steps, as answered' }])
})

describe('failures', () => {
  /** Works on what is on record, and fails as soon as it is asked something new. */
  const brittle = bundled.replace(
    'reply = llm_complete(checkpoint)',
    'reply = llm_complete(checkpoint)\n        if reply["type"] == "text" and reply["text"] == "new":\n            raise ValueError("my own fault")',
  )

  test('three of its own return to the parent for good, and the event names both', async () => {
    let text = 'old'
    const { engine, go, propose } = await start(() => ({ text }))
    await go()
    const { version } = await propose(brittle)
    await engine.api.call('orchestrator.activate', { version })
    text = 'new'
    const threads = [await go(), await go(), await go()]
    expect(threads.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed'])
    const events = eventsOf(engine, threads[2]?.id ?? '')
    expect(events.find((event) => event.kind === 'orchestrator.failed')).toMatchObject({
      data: { version, failures: 3 },
    })
    expect(events.find((event) => event.kind === 'orchestrator.rolledBack')).toMatchObject({
      data: { from: version, to: 0, reason: expect.stringContaining('my own fault') },
    })
    expect(await go()).toMatchObject({ outcome: 'answered' })
    const next = await propose(shouting)
    await engine.api.call('orchestrator.activate', { version: next.version })
    await expect(engine.api.call('orchestrator.activate', { version })).rejects.toMatchObject({
      code: 'orchestrator.locked',
    })
  })

  test('a provider’s failures never count', async () => {
    let isDown = false
    const { engine, go, propose } = await start(() => {
      if (isDown) throw new AppError('model.connect', { message: 'down', userMessage: 'The server is down.' })
      return { text: 'old' }
    })
    await go()
    const { version } = await propose(shouting)
    await engine.api.call('orchestrator.activate', { version })
    isDown = true
    for (let n = 0; n < 4; n += 1) expect(await go()).toMatchObject({ outcome: 'failed' })
    expect(await engine.api.call('orchestrator.get', { version })).toMatchObject({ state: 'active', failures: 0 })
  })
})

test('pinned to the bundled one, nothing else runs', async () => {
  const { engine, go, propose, answer } = await start()
  await go()
  const { version } = await propose(shouting)
  await engine.api.call('orchestrator.activate', { version })
  await engine.api.call('settings.set', { patch: { orchestrator: { selfModify: false, pinned: 0 } } })
  expect(await answer()).toBe('fine')
})

describe('the agent’s own proposals', () => {
  const proposes: ModelScript = (_request, n) =>
    n === 0
      ? { toolCalls: [scriptedCall('orchestrator_propose', { code: shouting, reason: 'louder' })] }
      : { text: 'done' }

  test('are not on offer unless the person allows them', async () => {
    const { go, model, engine } = await start(proposes)
    const thread = await go()
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('orchestrator_propose')
    expect(thread.outcome).toBe('answered')
    expect(await engine.api.call('orchestrator.list', {})).toHaveLength(1)
  })

  test('are tried on the record first: what fails there is told to the agent, and nobody is asked', async () => {
    let code = raising
    const { engine, go } = await start(({ messages }, n) => {
      if (n === 0 || messages.at(-1)?.role === 'tool') return { text: 'fine' }
      return { toolCalls: [scriptedCall('orchestrator_propose', { code, reason: 'other' })] }
    })
    await go()
    await engine.api.call('settings.set', { patch: { orchestrator: { selfModify: true, pinned: null } } })
    const refused = eventsOf(engine, (await go()).id).find((event) => event.kind === 'action.finished')
    expect(refused).toMatchObject({ data: { ok: false, code: 'orchestrator.invalid' } })
    expect((await engine.api.call('approval.list', { state: 'pending' })).rows).toEqual([])
    code = shouting
    const waiting = await go()
    expect(waiting.state).toBe('Waiting')
    const asked = eventsOf(engine, waiting.id).find((event) => event.kind === 'approval.requested')
    expect(asked).toMatchObject({
      body: {
        change: { note: 'Tried on the record of the last 2 threads, without any effect: it goes the same way in 2.' },
      },
    })
  })

  test('ask each time, even where everything ordinary is allowed, and stay inert when approved', async () => {
    const { engine } = await start(proposes)
    await engine.api.call('settings.set', { patch: { orchestrator: { selfModify: true, pinned: null } } })
    const project = await engine.api.call('project.open', { folder: folderWith({}) })
    const input = { projectId: project.id, text: 'go', approvesAll: true }
    const { threadId } = await engine.api.call('thread.send', input)
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    const [approval] = (await engine.api.call('approval.list', { state: 'pending' })).rows
    expect(approval).toMatchObject({ action: 'orchestrator_propose', scopeKey: null })
    await engine.api.call('approval.decide', { id: approval?.id ?? '', decision: 'approve' })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    const versions = await engine.api.call('orchestrator.list', {})
    expect(versions.map(({ version, state }) => [version, state])).toEqual([
      [0, 'active'],
      [1, 'candidate'],
    ])
    expect(versions[1]).toMatchObject({ source: threadId, reason: 'louder' })
  })
})

test('a thread goes on with the version that it began with', async () => {
  const { engine, go, propose, dataDir } = await start()
  await go()
  const { version } = await propose(shouting)
  await engine.api.call('orchestrator.activate', { version })
  await engine.stop('quit')
  const model = scriptedModel(() => new Promise(() => undefined))
  const second = await startEngine({ embedded: { scripted: model }, dataDir })
  const project = await second.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await second.api.call('thread.send', { projectId: project.id, text: 'go' })
  await expect.poll(() => model.requests.length).toBe(1)
  await second.threads.suspendAll('quit')
  await second.api.call('orchestrator.rollback', { to: 0 })
  await second.stop('quit')
  const third = await startEngine({ embedded: { scripted: scriptedModel(() => ({ text: 'fine' })) }, dataDir })
  await third.api.call('thread.resume', { id: threadId })
  await third.threads.join([threadId], AbortSignal.timeout(60_000))
  const { conversationId } = await third.api.call('thread.get', { id: threadId })
  expect((await third.api.call('chat.messages', { conversationId })).rows.at(-1)?.content).toBe('SHOUTED')
})

test('a thread that began with the bundled one goes on with it, whatever was activated since', async () => {
  const { engine, go, dataDir } = await start()
  await go()
  await engine.stop('quit')
  const model = scriptedModel(() => new Promise(() => undefined))
  const second = await startEngine({ embedded: { scripted: model }, dataDir })
  const project = await second.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await second.api.call('thread.send', { projectId: project.id, text: 'go' })
  await expect.poll(() => model.requests.length).toBe(1)
  await second.threads.suspendAll('quit')
  const { version } = await second.api.call('orchestrator.propose', { code: shouting, reason: 'because' })
  await second.api.call('orchestrator.activate', { version })
  await second.stop('quit')
  const third = await startEngine({ embedded: { scripted: scriptedModel(() => ({ text: 'fine' })) }, dataDir })
  await third.api.call('thread.resume', { id: threadId })
  await third.threads.join([threadId], AbortSignal.timeout(60_000))
  const { conversationId } = await third.api.call('thread.get', { id: threadId })
  expect((await third.api.call('chat.messages', { conversationId })).rows.at(-1)?.content).toBe('fine')
})

test('a candidate runs neither pinned nor rolled back to: only what was activated does', async () => {
  const { engine, go, propose, answer } = await start()
  await go()
  const { version } = await propose(shouting)
  const pin = (pinned: number | null) =>
    engine.api.call('settings.set', { patch: { orchestrator: { selfModify: false, pinned } } })
  await pin(version)
  expect(await answer()).toBe('fine')
  await pin(null)
  await expect(engine.api.call('orchestrator.rollback', { to: version })).rejects.toMatchObject({
    code: 'orchestrator.invalid',
  })
})
