import { describe, expect, test } from 'vitest'
import type { CompletionRequest } from '../../../core/domain/model.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { effectsIn, put } from '../../support/asking.ts'
import { folderWith, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedModel } from '../../support/scripted-model.ts'

const code = (source: string) => ({ text: `\`\`\`repl\n${source}\n\`\`\`` })
const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)
const never = () => new Promise<never>(() => undefined)
const askedOf = (request: CompletionRequest) =>
  request.messages.findLast((message) => message.role === 'user')?.content ?? ''

async function start(script: ModelScript, dataDir = temporaryFolder(), options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const more = { actions: [put], dataDir, recover: 'resume', ...options } as const
  const engine = await startEngine({ embedded: { scripted: model }, ...more })
  await useScriptedModel(engine)
  return { engine, model }
}

async function send(engine: Engine, folder: string) {
  const project = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go' })
  return threadId
}

async function pendingIn(engine: Engine) {
  const { rows } = await engine.api.call('approval.list', { state: 'pending' })
  return rows
}

const stateOf = async (engine: Engine, id: string) => (await engine.api.call('thread.get', { id })).state

test('a child that asks only after its parent was suspended and taken up again still wakes it', async () => {
  const dataDir = temporaryFolder()
  const folder = folderWith({})
  const parentsCode = code('FINAL(rlm_query("write it"))')
  const first = await start((request) => (askedOf(request) === 'go' ? parentsCode : never()), dataDir)
  const threadId = await send(first.engine, folder)
  await eventually(() => first.model.requests.length).toBe(2)
  await first.engine.stop('quit')
  const { engine } = await start(() => code('put("a.txt", "by the child")\nFINAL("child done")'), dataDir)
  await engine.api.call('thread.resume', { id: threadId })
  await eventually(() => pendingIn(engine)).toHaveLength(1)
  await eventually(() => stateOf(engine, threadId)).toBe('Waiting')
  const [approval] = await pendingIn(engine)
  await engine.api.call('approval.decide', { id: approval?.id ?? '', decision: 'approve' })
  await eventually(() => stateOf(engine, threadId)).toBe('Done')
  expect(effectsIn(folder)).toEqual(['put a.txt'])
})

test('a child that was approved while its sibling still ran may go on asking its model when the parent rests', async () => {
  let slow: (value: { text: string }) => void = () => undefined
  let tail: (value: { text: string }) => void = () => undefined
  const script: ModelScript = (request) => {
    const asked = askedOf(request)
    if (asked === 'go') return code('a, b = parallel(rlm_query("asks"), rlm_query("slow"))\nFINAL(a + b)')
    if (asked === 'slow')
      return new Promise((resolve) => {
        slow = resolve
      })
    if (request.messages.some(({ role }) => role === 'assistant'))
      return new Promise((resolve) => {
        tail = resolve
      })
    return code('put("a.txt", "x")\nprint("put")')
  }
  const { engine, model } = await start(script)
  const threadId = await send(engine, folderWith({}))
  await eventually(() => model.requests.length).toBe(3)
  const [approval] = await pendingIn(engine)
  await engine.api.call('approval.decide', { id: approval?.id ?? '', decision: 'approve' })
  await eventually(() => model.requests.length).toBe(4)
  slow({ text: 'B' })
  await eventually(() => stateOf(engine, threadId)).toBe('Waiting')
  tail(code('print("one more step")'))
  await eventually(() => model.requests.length).toBe(5)
  tail({ text: 'A' })
  await eventually(() => stateOf(engine, threadId)).toBe('Done')
  const [child] = await engine.api.call('thread.children', { id: threadId })
  expect(child).toMatchObject({ outcome: 'answered' })
})

test('a parent that ends while a child of it waits leaves nobody behind who asks', async () => {
  const script: ModelScript = (request) =>
    askedOf(request) === 'go'
      ? code('parallel(put("p.txt", "parent"), rlm_query("write it"))')
      : code('put("c.txt", "child")')
  const { engine } = await start(script)
  const threadId = await send(engine, folderWith({}))
  await eventually(() => pendingIn(engine)).toHaveLength(2)
  await eventually(() => stateOf(engine, threadId)).toBe('Waiting')
  const own = (await pendingIn(engine)).find((approval) => approval.threadId === threadId)
  await engine.api.call('approval.decide', { id: own?.id ?? '', decision: 'deny', stop: true })
  await eventually(() => stateOf(engine, threadId)).toBe('Done')
  await eventually(() => pendingIn(engine)).toEqual([])
  const [child] = await engine.api.call('thread.children', { id: threadId })
  expect(child).toMatchObject({ state: 'Done' })
})

test('after the computer slept, the open call of a child is made again too', async () => {
  let isAsleep = true
  const script: ModelScript = (request) => {
    if (askedOf(request) === 'go') return code('FINAL(rlm_query("think"))')
    return isAsleep ? never() : { text: 'awake' }
  }
  const { engine, model } = await start(script)
  const threadId = await send(engine, folderWith({}))
  await eventually(() => model.requests.length).toBe(2)
  isAsleep = false
  expect(await engine.wokeUp()).not.toEqual([])
  await eventually(() => stateOf(engine, threadId)).toBe('Done')
})

test('a crash between the end of a parent and that of its child is made good at the next start', async () => {
  const dataDir = temporaryFolder()
  const script: ModelScript = (request) =>
    askedOf(request) === 'go' ? code('rlm_query("write it")') : code('put("c.txt", "child")')
  const first = await start(script, dataDir)
  const threadId = await send(first.engine, folderWith({}))
  await eventually(() => stateOf(first.engine, threadId)).toBe('Waiting')
  await first.engine.threads.suspendAll('the test ends it by hand')
  const end = { state: 'Done', outcome: 'stopped', reason: null, at: 1, endedAt: 1 } as const
  first.engine.store.transaction(() => first.engine.store.threads.move(threadId, end))
  await first.engine.stop('quit')
  const { engine } = await start(script, dataDir)
  expect(await pendingIn(engine)).toEqual([])
  const [child] = await engine.api.call('thread.children', { id: threadId })
  expect(child).toMatchObject({ state: 'Done', outcome: 'stopped' })
})

describe('a request of a child that expires', () => {
  const asks = 'rlm_query("write it")'
  async function startAsking(root: string, sibling: () => Promise<{ text: string }> = never) {
    let now = Date.now()
    const clock = { now: () => now, monotonic: () => performance.now() }
    const script: ModelScript = (request) => {
      const asked = askedOf(request)
      if (asked === 'slow') return sibling()
      if (asked === 'go') return code(root)
      const isFirst = request.messages.every(({ role }) => role !== 'assistant')
      return isFirst ? code('put("c.txt", "child")') : { text: 'so be it' }
    }
    const { engine, model } = await start(script, temporaryFolder(), { clock })
    const threadId = await send(engine, folderWith({}))
    await eventually(() => pendingIn(engine)).toHaveLength(1)
    const expire = async () => {
      const [pending] = await pendingIn(engine)
      now = (pending?.expiresAt ?? 0) + 1
      await engine.api.call('approval.decide', { id: pending?.id ?? '', decision: 'approve' }).catch(() => undefined)
    }
    return { engine, model, threadId, expire }
  }

  test('suspends the parent that waits for it, which goes on when a person resumes it', async () => {
    const { engine, threadId, expire } = await startAsking(`FINAL(${asks})`)
    await eventually(() => stateOf(engine, threadId)).toBe('Waiting')
    await expire()
    const [child] = await engine.api.call('thread.children', { id: threadId })
    expect(child?.state).toBe('Suspended')
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({
      state: 'Suspended',
      reason: `its child #${child?.number}: put was not decided in time`,
    })
    await engine.api.call('thread.resume', { id: threadId })
    await eventually(() => stateOf(engine, threadId)).toBe('Done')
  })

  test('while its sibling still runs suspends the parent once that has ended', async () => {
    let answer: ((value: { text: string }) => void) | undefined
    const slow = () =>
      new Promise<{ text: string }>((resolve) => {
        answer = resolve
      })
    const { engine, threadId, expire } = await startAsking(
      `a, b = parallel(${asks}, rlm_query("slow"))\nFINAL(a + b)`,
      slow,
    )
    const asker = (await pendingIn(engine))[0]?.threadId ?? ''
    await eventually(() => stateOf(engine, asker)).toBe('Waiting')
    await expire()
    expect(await stateOf(engine, asker)).toBe('Suspended')
    expect(await stateOf(engine, threadId)).toBe('Running')
    // An answer that is given before the sibling has asked is none.
    await eventually(() => answer).toBeDefined()
    answer?.({ text: 'B' })
    await eventually(() => stateOf(engine, threadId)).toBe('Suspended')
  })
})

test('a child has no more time than its parent has left', async () => {
  let now = Date.now()
  const clock = { now: () => now, monotonic: () => performance.now() }
  const script: ModelScript = (request) => {
    if (askedOf(request) !== 'go') return { text: 'A' }
    now += 4_000
    return code('FINAL(rlm_query("look"))')
  }
  const { engine } = await start(script, temporaryFolder(), { clock })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const budget = { tokens: null, usd: null, ms: 60_000 }
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go', budget })
  await eventually(() => stateOf(engine, threadId)).toBe('Done')
  const [child] = await engine.api.call('thread.children', { id: threadId })
  expect(engine.store.threads.get(child?.id ?? '')?.budget.ms).toBe(56_000)
})
