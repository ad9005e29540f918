import { describe, expect, test } from 'vitest'
import type { EngineOptions } from '../../../core/engine.ts'
import { effectsIn, pay, put } from '../../support/asking.ts'
import { eventsOf, folderWith, kindsOf, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

const writes = (file: string, text = 'new') => scriptedCall('put', { file, text }, file)
const code = (source: string) => ({ text: `Let me compute.\n\`\`\`repl\n${source}\n\`\`\`` })

/** A thread that ran to its rest with every write allowed beforehand. */
async function ran(script: ModelScript, { approvesAll = true, ...options }: Partial<EngineOptions> & Wishes = {}) {
  const model = scriptedModel(script)
  const folder = folderWith({})
  const dataDir = temporaryFolder()
  const open = async () => {
    const engine = await startEngine({ dataDir, embedded: { scripted: model }, actions: [put, pay], ...options })
    await useScriptedModel(engine)
    return engine
  }
  const engine = await open()
  const { id: projectId } = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId, text: 'go', approvesAll })
  const rest = async (id: string) => {
    await engine.threads.join([id], AbortSignal.timeout(60_000))
    return engine.api.call('thread.get', { id })
  }
  const source = await rest(threadId)
  const answerOf = async (conversationId: string) => {
    const { rows } = await engine.api.call('chat.messages', { conversationId })
    return rows.at(-1)?.content
  }
  const fork = async (step: number, text?: string, id = threadId) => {
    const forked = await engine.api.call('thread.fork', { id, step, ...(text !== undefined && { text }) })
    return rest(forked.id)
  }
  return { engine, open, model, folder, source, rest, fork, answerOf }
}
interface Wishes {
  readonly approvesAll?: boolean
}

describe('a fork', () => {
  test('goes on from a step without running anything of it again; the other thread stays as it was', async () => {
    const { engine, model, folder, source, fork, answerOf } = await ran([
      { toolCalls: [writes('a.txt')] },
      { toolCalls: [writes('b.txt')] },
      { text: 'both' },
      { text: 'only one' },
    ])
    expect(effectsIn(folder)).toEqual(['put a.txt', 'put b.txt'])
    const before = eventsOf(engine, source.id)
    const forked = await fork(0)
    expect(forked).toMatchObject({ state: 'Done', outcome: 'answered', steps: 2, parentId: null, title: 'go' })
    expect(forked.conversationId).not.toBe(source.conversationId)
    expect(await answerOf(forked.conversationId)).toBe('only one')
    expect(effectsIn(folder)).toEqual(['put a.txt', 'put b.txt'])
    // What the model is asked is what it was asked then, word for word.
    expect(model.requests[3]?.messages).toEqual(model.requests[1]?.messages)
    expect(eventsOf(engine, source.id)).toEqual(before)
  })

  test('has the record up to the step with its times, says where it came from, and has leases of its own', async () => {
    const { engine, source, fork } = await ran([{ toolCalls: [writes('a.txt')] }, { text: 'one' }, { text: 'two' }])
    const forked = await fork(0)
    const [from, to] = [eventsOf(engine, source.id), eventsOf(engine, forked.id)]
    expect(to[0]).toMatchObject({
      kind: 'thread.created',
      data: { forkedFrom: { threadId: source.id, step: 0 }, number: forked.number },
      body: { goal: 'go' },
    })
    const recordOf = (events: typeof from) =>
      events
        .filter((event) => 'step' in event.data && event.data.step === 0 && event.kind !== 'budget.checked')
        .map(({ kind, at, data, body }) => ({ kind, at, data, body }))
    expect(recordOf(to)).toEqual(recordOf(from))
    const { rows: leases } = { rows: await engine.api.call('lease.list', { threadId: forked.id }) }
    expect(leases.length).toBeGreaterThan(0)
    expect(leases.every((lease) => lease.threadId === forked.id)).toBe(true)
    expect(kindsOf(to)).not.toContain('grant.given')
  })

  test('asks anew for what comes after, although the other thread was allowed everything', async () => {
    const { engine, folder, fork } = await ran([
      { toolCalls: [writes('a.txt')] },
      { text: 'done' },
      { toolCalls: [writes('b.txt')] },
      { text: 'written' },
    ])
    const forked = await fork(0)
    expect(forked).toMatchObject({ state: 'Waiting' })
    expect(effectsIn(folder)).toEqual(['put a.txt'])
    const { rows } = await engine.api.call('approval.list', { state: 'pending' })
    expect(rows).toMatchObject([{ threadId: forked.id, step: 1, summary: 'b.txt' }])
  })

  test('with a text: a new message after that step', async () => {
    const { model, source, fork, answerOf } = await ran([
      { toolCalls: [writes('a.txt')] },
      { text: 'one' },
      { text: 'two' },
    ])
    const forked = await fork(0, 'and now in French')
    expect(await answerOf(forked.conversationId)).toBe('two')
    expect(model.requests[2]?.messages.slice(0, -1)).toEqual(model.requests[1]?.messages)
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'and now in French' })
    expect(source.outcome).toBe('answered')
  })

  test.each([
    ['a text', [{ text: 'the end' }]],
    ['FINAL as a call', [{ toolCalls: [scriptedCall('FINAL', { answer: 'the end' })] }]],
    ['code that ends with FINAL', [code('put("a.txt", "x")\nFINAL("the end")')]],
  ])('from an answer that ended its thread by %s goes on with a text, and only with one', async (_, script) => {
    const { model, folder, source, fork, answerOf } = await ran([...script, { text: 'more' }])
    expect(source.outcome).toBe('answered')
    const effects = effectsIn(folder)
    await expect(fork(0)).rejects.toMatchObject({ code: 'api.input' })
    await expect(fork(0, '  ')).rejects.toMatchObject({ code: 'api.input' })
    const forked = await fork(0, 'go on')
    expect(forked).toMatchObject({ outcome: 'answered', steps: 2 })
    expect(await answerOf(forked.conversationId)).toBe('more')
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'go on' })
    expect(effectsIn(folder)).toEqual(effects)
  })

  test('of a step that waits for a person is refused, in words; nothing is made', async () => {
    const { engine, source, fork } = await ran([{ toolCalls: [writes('a.txt')] }], { approvesAll: false })
    expect(source.state).toBe('Waiting')
    await expect(fork(0)).rejects.toMatchObject({ code: 'thread.transition', message: expect.stringContaining('put') })
    expect((await engine.api.call('thread.list', {})).rows).toHaveLength(1)
  })

  test('of a step that there is not, or that the model never answered, is refused', async () => {
    const { source, fork } = await ran([{ toolCalls: [writes('a.txt')] }])
    expect(source.outcome).toBe('failed')
    await expect(fork(1)).rejects.toMatchObject({ code: 'thread.transition' })
    await expect(fork(2)).rejects.toMatchObject({ code: 'api.input' })
    await expect(fork(0, 'x', '99')).rejects.toMatchObject({ code: 'thread.not_found' })
  })

  test('knows what was said in the chat before, also from a fork of it and in the turn after', async () => {
    const { engine, model, source, rest, fork } = await ran((_request, n) => ({ text: `answer ${n}` }))
    const second = await engine.api.call('thread.send', { threadId: source.id, text: 'again' })
    await rest(second.threadId)
    const forked = await fork(0, 'a third', second.threadId)
    const next = await engine.api.call('thread.send', { threadId: forked.id, text: 'a fourth' })
    await rest(next.threadId)
    const said = model.requests.at(-1)?.messages.flatMap(({ role, content }) => (role === 'system' ? [] : [content]))
    // Answer 1 ended the other thread and is an answer on the way in this one.
    expect(said).toEqual(['go', 'answer 0', 'again', 'a third', 'answer 2', 'a fourth'])
    expect(model.requests[2]?.messages.filter(({ role }) => role !== 'system').map(({ content }) => content)).toEqual([
      ...['go', 'answer 0', 'again', 'answer 1', 'a third'],
    ])
  })

  test('what is copied was paid once: it counts neither for the fork nor for the day', async () => {
    const usage = { inputTokens: 100, outputTokens: 10 }
    const { engine, source, fork } = await ran([
      { toolCalls: [writes('a.txt')], usage },
      { text: 'one', usage },
      { text: 'two', usage },
    ])
    expect(source).toMatchObject({ steps: 2, inputTokens: 200, outputTokens: 20 })
    expect(await fork(0)).toMatchObject({ steps: 2, inputTokens: 100, outputTokens: 10 })
    expect(engine.store.calls.usedSince(0).reduce((sum, { tokens }) => sum + tokens, 0)).toBe(330)
  })

  test('killed after it began, it is taken up like any thread, and the copied effect does not happen again', async () => {
    const asked: string[] = []
    const { engine, open, folder, source } = await ran((_request, n) => {
      asked.push(String(n))
      if (n === 0) return { toolCalls: [writes('a.txt')] }
      return n === 2 ? new Promise<never>(() => undefined) : { text: 'done' }
    })
    const forked = await engine.api.call('thread.fork', { id: source.id, step: 0 })
    while (asked.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
    await engine.stop('quit')
    const again = await open()
    await again.api.call('thread.resume', { id: forked.id })
    await again.threads.join([forked.id], AbortSignal.timeout(60_000))
    expect(await again.api.call('thread.get', { id: forked.id })).toMatchObject({ outcome: 'answered', steps: 2 })
    expect(effectsIn(folder)).toEqual(['put a.txt'])
  })
})
