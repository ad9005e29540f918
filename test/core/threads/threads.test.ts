import { describe, expect, test, vi } from 'vitest'
import { AppError } from '../../../core/domain/error.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { CompletionRequest } from '../../../core/domain/model.ts'
import type { Engine } from '../../../core/engine.ts'
import { eventsOf, folderWith, kindsOf, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

async function start(script: ModelScript) {
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const project = await engine.api.call('project.open', { folder: folderWith({ 'a.txt': 'x' }) })
  const send = (text: string, threadId?: string) =>
    engine.api.call('thread.send', { text, projectId: project.id, ...(threadId && { threadId }) })
  return { engine, model, send }
}

const never = () => new Promise<never>(() => undefined)
const rest = (engine: Engine, id: string) => engine.threads.join([id], AbortSignal.timeout(60_000))

/** A model that answers when the test says so. */
function gate() {
  const waiting: (() => void)[] = []
  return {
    wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
    open: () => waiting.shift()?.(),
    get count() {
      return waiting.length
    },
  }
}
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('slots', () => {
  test('a third thread waits for one of two slots, in order, and the wait is on record', async () => {
    const doors = gate()
    const { engine, model, send } = await start(async () => {
      await doors.wait()
      return { text: 'done' }
    })
    const ids = []
    for (const text of ['one', 'two', 'three', 'four']) ids.push((await send(text)).threadId)
    await until(() => doors.count === limits.slots)
    expect(await engine.api.call('engine.info', {})).toMatchObject({
      slots: { used: limits.slots, total: limits.slots, queued: 2 },
    })
    expect(model.requests).toHaveLength(limits.slots)
    doors.open()
    await until(() => model.requests.length === 3)
    expect(kindsOf(eventsOf(engine, ids[2] ?? ''))).toEqual(expect.arrayContaining(['slot.queued', 'slot.acquired']))
    for (let left = 3; left > 0; left -= 1) {
      await until(() => doors.count > 0)
      doors.open()
    }
    await engine.threads.join(ids, AbortSignal.timeout(60_000))
    expect(await engine.api.call('engine.info', {})).toMatchObject({ slots: { used: 0, queued: 0 } })
    expect(kindsOf(eventsOf(engine, ids[0] ?? ''))).not.toContain('slot.queued')
  })

  test('a thread that is stopped while it waits leaves the queue', async () => {
    const { engine, send } = await start(never)
    const ids = []
    for (const text of ['one', 'two', 'three']) ids.push((await send(text)).threadId)
    const stopped = await engine.api.call('thread.stop', { id: ids[2] ?? '' })
    expect(stopped).toMatchObject({ state: 'Done', outcome: 'stopped', steps: 0 })
    expect(await engine.api.call('engine.info', {})).toMatchObject({ slots: { used: 2, queued: 0 } })
  })
})

describe('stop', () => {
  test('ends a thread at once as stopped; what the model says later is dropped', async () => {
    const doors = gate()
    const { engine, send } = await start(async () => {
      await doors.wait()
      return { text: 'too late' }
    })
    const { threadId } = await send('go')
    await until(() => doors.count === 1)
    const thread = await engine.api.call('thread.stop', { id: threadId })
    expect(thread).toMatchObject({ state: 'Done', outcome: 'stopped', reason: 'stopped by you' })
    doors.open()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(kindsOf(eventsOf(engine, threadId))).not.toContain('model.completed')
    expect((await engine.api.call('thread.calls', { id: threadId })).rows).toMatchObject([
      { kind: 'model', state: 'cancelled' },
    ])
  })

  test('an ended thread stays as it is', async () => {
    const { engine, send } = await start([{ text: 'done' }])
    const { threadId } = await send('go')
    await rest(engine, threadId)
    const before = eventsOf(engine, threadId).length
    expect(await engine.api.call('thread.stop', { id: threadId })).toMatchObject({ state: 'Done', outcome: 'answered' })
    expect(eventsOf(engine, threadId)).toHaveLength(before)
  })
})

describe('messages', () => {
  test('one to a running thread is read with its next step, after the results', async () => {
    const doors = gate()
    const { engine, model, send } = await start(async (_request, n) => {
      await doors.wait()
      return n === 0 ? { toolCalls: [scriptedCall('echo', { text: 'hi' })] } : { text: 'done' }
    })
    const { threadId } = await send('go')
    await until(() => doors.count === 1)
    expect(await send('and be quick', threadId)).toMatchObject({ threadId })
    doors.open()
    await until(() => doors.count === 1)
    doors.open()
    await rest(engine, threadId)
    expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'tool' },
      { role: 'user', content: 'and be quick' },
    ])
  })

  test('one that comes while the last answer is written gets an answer of its own', async () => {
    const doors = gate()
    const { engine, model, send } = await start(async (_request, n) => {
      await doors.wait()
      return { text: `answer ${n}` }
    })
    const { threadId } = await send('go')
    await until(() => doors.count === 1)
    await send('one more thing', threadId)
    doors.open()
    await until(() => doors.count === 1)
    doors.open()
    await rest(engine, threadId)
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'one more thing' })
  })

  test('one that the end of the thread leaves unread begins the next one in the transaction that ends it', async () => {
    const doors = gate()
    const { engine, model, send } = await start(async (_request, n) => {
      await doors.wait()
      return n === 0 ? { toolCalls: [scriptedCall('FINAL', { answer: 'that is all' })] } : { text: 'and this' }
    })
    const { threadId } = await send('go')
    await until(() => doors.count === 1)
    await send('one more thing', threadId)
    doors.open()
    await until(() => doors.count === 1)
    const end = eventsOf(engine, threadId).at(-1)
    const [next] = engine.store.events.since(end?.seq ?? 0, 1)
    expect(next).toMatchObject({ kind: 'thread.created', body: { goal: 'one more thing' } })
    doors.open()
    await rest(engine, next?.threadId ?? '')
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'one more thing' })
    const said = eventsOf(engine, next?.threadId ?? '').filter((event) => event.kind === 'message.added')
    expect(said.map((event) => event.data.origin)).toEqual(['orientation', 'surroundings', 'final'])
  })

  test('one to an ended thread starts the next thread of the chat, which knows what was said', async () => {
    const { engine, model, send } = await start([{ text: 'blue' }, { text: 'because' }])
    const first = await send('which colour?')
    await rest(engine, first.threadId)
    const second = await send('why?', first.threadId)
    await rest(engine, second.threadId)
    expect(second.threadId).not.toBe(first.threadId)
    expect(spoken(model.requests[1])).toEqual([
      ['user', 'which colour?'],
      ['assistant', 'blue'],
      ['user', 'why?'],
    ])
    const { conversationId } = await engine.api.call('thread.get', { id: second.threadId })
    const { rows } = await engine.api.call('chat.messages', { conversationId })
    expect(rows.map((message) => message.content)).toEqual(['which colour?', 'blue', 'why?', 'because'])
    expect((await engine.api.call('thread.list', { conversations: true })).rows).toHaveLength(1)
  })

  test('retry asks an unanswered question again without saying it twice', async () => {
    const { engine, model, send } = await start((_request, n) => {
      if (n === 0) throw new Error('broken')
      return { text: 'mended' }
    })
    const first = await send('go')
    await rest(engine, first.threadId)
    const second = await engine.api.call('thread.retry', { id: first.threadId })
    await rest(engine, second.threadId)
    expect(spoken(model.requests[1])).toEqual([['user', 'go']])
    const { conversationId } = await engine.api.call('thread.get', { id: second.threadId })
    const { rows } = await engine.api.call('chat.messages', { conversationId })
    expect(rows.map((message) => message.content)).toEqual(['go', 'mended'])
  })

  test('an empty message, a message without a project and one to an unknown thread are refused with their codes', async () => {
    const { engine, send } = await start([])
    await expect(send('   ')).rejects.toMatchObject({ code: 'api.input' })
    await expect(engine.api.call('thread.send', { text: 'x' })).rejects.toMatchObject({ code: 'project.not_found' })
    await expect(send('x', 'thr_none')).rejects.toMatchObject({ code: 'thread.not_found' })
  })
})

describe('suspend and resume', () => {
  test('stopping the engine suspends what runs; resume goes on with the same step', async () => {
    const first = await start((_request, n) =>
      n === 0 ? { toolCalls: [scriptedCall('echo', { text: 'kept' })] } : never(),
    )
    const { threadId } = await first.send('go')
    await until(() => first.model.requests.length === 2)
    const { dataDir } = await first.engine.api.call('engine.info', {})
    await first.engine.stop('quit')

    const model = scriptedModel([{ text: 'went on' }])
    const engine = await startEngine({ dataDir, embedded: { scripted: model } })
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Suspended', reason: 'quit' })
    await engine.api.call('thread.resume', { id: threadId })
    await rest(engine, threadId)
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({
      state: 'Done',
      outcome: 'answered',
      steps: 2,
    })
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'kept' })
    const { rows } = await engine.api.call('thread.calls', { id: threadId })
    expect(rows.map(({ step, path, state }) => [step, path, state])).toEqual([
      [0, '0', 'done'],
      [0, '1', 'done'],
      [1, '0', 'done'],
    ])
  })

  test('a tier that gets another model while a thread runs says so with the step that it answers first', async () => {
    const doors = gate()
    const { engine, send } = await start(async (_request, n) => {
      await doors.wait()
      return n === 0 ? { toolCalls: [scriptedCall('echo', { text: 'hi' })] } : { text: 'done' }
    })
    const { threadId } = await send('go')
    await until(() => doors.count === 1)
    const other = { providerId: 'scripted', model: 'other' }
    await engine.api.call('settings.set', { patch: { tiers: { minuet: other, allegro: other, forte: other } } })
    doors.open()
    await until(() => doors.count === 1)
    doors.open()
    await rest(engine, threadId)
    const events = eventsOf(engine, threadId)
    const told = events.findIndex((event) => event.kind === 'status')
    expect(events[told]?.data).toEqual({
      text: 'The settings changed: scripted/other answers from here, not scripted/scripted',
    })
    expect(events[told + 1]).toMatchObject({ kind: 'step.started', data: { step: 1, model: 'other' } })
    expect(events.filter((event) => event.kind === 'status')).toHaveLength(1)
  })

  test('a running thread cannot be resumed and an ended one neither', async () => {
    const { engine, send } = await start([{ text: 'done' }])
    const { threadId } = await send('go')
    await rest(engine, threadId)
    await expect(engine.api.call('thread.resume', { id: threadId })).rejects.toMatchObject({
      code: 'thread.transition',
    })
  })
})

/** What was said, without what the engine adds. */
function spoken(request: CompletionRequest | undefined) {
  const said = request?.messages.filter(({ role }) => role !== 'system') ?? []
  return said.map(({ role, content }) => [role, content])
}

test('join waits for many and answers their outcomes in order', async () => {
  const { engine, send } = await start((request) =>
    request.messages.at(-1)?.content === 'bad' ? Promise.reject(new Error('no')) : { text: 'fine' },
  )
  const ids = [(await send('good')).threadId, (await send('bad')).threadId]
  expect(await engine.threads.join(ids, AbortSignal.timeout(60_000))).toEqual(['answered', 'failed'])
})

test('a join that was given up beforehand, or is given up later, ends', async () => {
  const { engine, send } = await start(never)
  const { threadId } = await send('go')
  await expect(engine.threads.join([threadId], AbortSignal.abort(new Error('no')))).rejects.toThrow('no')
  const later = new AbortController()
  const joining = engine.threads.join([threadId], later.signal)
  later.abort(new Error('enough'))
  await expect(joining).rejects.toThrow('enough')
})

test('a suspended thread is stopped in one transaction', async () => {
  const { engine, send } = await start(never)
  const { threadId } = await send('go')
  await engine.threads.suspendAll('quit')
  expect(await engine.api.call('thread.stop', { id: threadId })).toMatchObject({ state: 'Done', outcome: 'stopped' })
  expect(
    eventsOf(engine, threadId)
      .slice(-3)
      .map((event) => event.data),
  ).toMatchObject([{ to: 'Running' }, { to: 'Completed' }, { to: 'Done' }])
})

test('an engine that is stopping takes nothing more, and says so', async () => {
  const { engine, send } = await start(never)
  const { threadId } = await send('go')
  const stopping = engine.threads.suspendAll('quit')
  await expect(send('one more')).rejects.toMatchObject({ code: 'engine.stopped' })
  await stopping
  await expect(engine.api.call('thread.resume', { id: threadId })).rejects.toMatchObject({ code: 'engine.stopped' })
})

describe('an end that cannot be recorded', () => {
  test('is said as the fault of the engine; the thread can be resumed and stopped once it can be', async () => {
    const doors = gate()
    const { engine, send } = await start(async () => {
      await doors.wait()
      return { text: 'the answer' }
    })
    const { threadId } = await send('go')
    await until(() => doors.count === 1)
    const broken = vi.spyOn(engine.store.threads, 'move').mockImplementation(() => {
      throw new AppError('store.full', { message: 'full', userMessage: 'The disk is full.' })
    })
    doors.open()
    await rest(engine, threadId)
    expect(await engine.api.call('engine.info', {})).toMatchObject({
      fault: { code: 'store.full' },
      slots: { used: 0 },
    })
    expect(kindsOf(eventsOf(engine, threadId))).not.toContain('model.completed')
    broken.mockRestore()

    await engine.api.call('thread.resume', { id: threadId })
    await until(() => doors.count === 1)
    doors.open()
    await rest(engine, threadId)
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Done', outcome: 'answered' })
    expect(await engine.api.call('engine.info', {})).toMatchObject({ fault: null })
    const answers = eventsOf(engine, threadId).filter(
      (event) => event.kind === 'message.added' && event.data.role === 'assistant',
    )
    expect(answers).toHaveLength(1)
  })
})
