import { describe, expect, test } from 'vitest'
import { type CallTable, foldCall } from '../../../core/domain/calls.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { Engine } from '../../../core/engine.ts'
import { eventsOf, folderWith, runGoal, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

async function withThreads(count: number): Promise<Engine> {
  const engine = await startEngine({ embedded: { scripted: scriptedModel(() => ({ text: 'ok' })) } })
  await useScriptedModel(engine)
  const folder = folderWith({})
  for (let at = 1; at <= count; at += 1) await runGoal(engine, folder, `thread number ${at} of 100%`)
  return engine
}

describe('lists', () => {
  test('pages by key: every thread once, newest first, whatever the page size', async () => {
    const engine = await withThreads(7)
    for (const limit of [1, 2, 3, 7, 50]) {
      const seen: number[] = []
      let before: number | null | undefined
      do {
        const page = await engine.api.call('thread.list', { limit, ...(before && { before }) })
        seen.push(...page.rows.map((thread) => thread.number))
        before = page.next
      } while (before !== null)
      expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
    }
  })

  test('a query is text, not a pattern', async () => {
    const engine = await withThreads(3)
    const find = async (query: string) =>
      (await engine.api.call('thread.list', { query })).rows.map((row) => row.number)
    expect(await find('number 2')).toEqual([2])
    expect(await find('100%')).toEqual([3, 2, 1])
    expect(await find('%2')).toEqual([])
    expect(await find('number_2')).toEqual([])
  })

  test('a row of a list carries the beginning of its goal; the thread itself has all of it', async () => {
    const engine = await withThreads(0)
    const folder = folderWith({})
    const whole = 'x'.repeat(limits.listGoalCharacters)
    const fits = await runGoal(engine, folder, whole)
    const tooLong = await runGoal(engine, folder, `${whole}y`)
    expect([fits.goal, tooLong.goal]).toEqual([whole, `${whole}y`])
    const { conversationId, projectId } = tooLong
    for (const filter of [{}, { projectId }, { conversations: true }, { query: 'xx' }]) {
      const { rows } = await engine.api.call('thread.list', filter)
      expect(rows.map((row) => row.goal)).toEqual([whole, whole])
    }
    const chat = await engine.api.call('thread.conversation', { conversationId })
    expect(chat.map((row) => row.goal)).toEqual([whole])
    expect(engine.store.threads.ofState('Done').map((row) => row.goal)).toEqual([whole, whole])
    const again = await engine.api.call('thread.retry', { id: tooLong.id })
    await engine.threads.join([again.threadId], AbortSignal.timeout(60_000))
    expect((await engine.api.call('thread.get', { id: again.threadId })).goal).toBe(`${whole}y`)
  })

  test('a thread is found by its id, by its number and by #number', async () => {
    const engine = await withThreads(2)
    const second = await engine.api.call('thread.get', { id: '2' })
    expect(await engine.api.call('thread.get', { id: '#2' })).toEqual(second)
    expect(await engine.api.call('thread.get', { id: second.id })).toEqual(second)
  })
})

describe('bodies', () => {
  const big = 'x'.repeat(limits.inlineBodyBytes)

  test('one over 4 kB is stored once for each content, and comes back whole', async () => {
    const calls = [scriptedCall('echo', { text: big }, '1'), scriptedCall('echo', { text: big }, '2')]
    const model = scriptedModel([{ toolCalls: calls }, { text: 'done' }])
    const engine = await startEngine({ embedded: { scripted: model } })
    await useScriptedModel(engine)
    const thread = await runGoal(engine, folderWith({}), 'go')
    const results = eventsOf(engine, thread.id).filter((event) => event.kind === 'action.finished')
    expect(results.map((event) => event.body)).toEqual([{ result: big }, { result: big }])
    const headers = (await engine.api.call('thread.events', { id: thread.id })).rows
    expect(headers.every((header) => !('body' in header))).toBe(true)
    expect(headers.filter((header) => header.bodyBytes > limits.inlineBodyBytes)).toHaveLength(3)
  })

  test('the arguments of a call lie in the answer that asked for it and are found from the call', async () => {
    const model = scriptedModel([{ toolCalls: [scriptedCall('echo', { text: 'find me' })] }, { text: 'done' }])
    const engine = await startEngine({ embedded: { scripted: model } })
    await useScriptedModel(engine)
    const thread = await runGoal(engine, folderWith({}), 'go')
    const [call] = (await engine.api.call('thread.calls', { id: thread.id })).rows.filter(
      (row) => row.kind === 'action',
    )
    const event = await engine.api.call('event.body', { seq: call?.startSeq ?? 0 })
    expect(event).toMatchObject({ kind: 'action.started', body: { arguments: { text: 'find me' } } })
  })
})

test('a page of calls never ends inside a step', async () => {
  const call = (n: number, at: number) => scriptedCall('echo', { text: `${n}` }, `${n}-${at}`)
  const model = scriptedModel((_request, n) =>
    n < 5 ? { toolCalls: [0, 1, 2].map((at) => call(n, at)) } : { text: 'ok' },
  )
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const { id } = await runGoal(engine, folderWith({}), 'go')
  const pagesOf = async (limit: number) => {
    const pages: number[][] = []
    let afterStep: number | null = -1
    while (afterStep !== null) {
      const asked = { id, afterStep, limit }
      const page: { rows: readonly { step: number }[]; next: number | null } = await engine.api.call(
        'thread.calls',
        asked,
      )
      pages.push(page.rows.map((row) => row.step))
      afterStep = page.next
    }
    return pages
  }
  // A step that is larger than the page is one page, whole.
  const eachAlone = [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3], [4, 4, 4, 4], [5]]
  expect((await pagesOf(2)).filter((page) => page.length > 0)).toEqual(eachAlone)
  expect(await pagesOf(10)).toEqual([
    [0, 0, 0, 0, 1, 1, 1, 1],
    [2, 2, 2, 2, 3, 3, 3, 3],
    [4, 4, 4, 4, 5],
  ])
})

describe('the index of calls', () => {
  const folded = (engine: Engine, id: string) => {
    const table: CallTable = new Map()
    for (const event of eventsOf(engine, id)) foldCall(table, event)
    return [...table.values()]
  }
  const steps = 150

  test('is what folding the whole log gives: while it is written in batches, at rest, and for a second reader', async () => {
    let isHeld = true
    const model = scriptedModel(async (_request, n) => {
      while (n === steps && isHeld) await new Promise((resolve) => setTimeout(resolve, 5))
      return n < steps
        ? { toolCalls: [scriptedCall('echo', { text: `${n}` }, `c${n}`), scriptedCall('nope', { n }, `d${n}`)] }
        : { text: 'ok' }
    })
    const dataDir = temporaryFolder()
    const engine = await startEngine({ dataDir, embedded: { scripted: model } })
    await useScriptedModel(engine)
    const project = await engine.api.call('project.open', { folder: folderWith({}) })
    const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go', maxSteps: 1_000 })
    while (model.requests.length <= steps) await new Promise((resolve) => setTimeout(resolve, 5))

    const reader = await startEngine({ dataDir, readOnly: true })
    for (const each of [engine, reader]) {
      const { rows } = await each.api.call('thread.calls', { id: threadId, limit: 5_000 })
      expect(rows).toEqual(folded(engine, threadId))
      expect(rows).toHaveLength(3 * steps + 1)
    }
    isHeld = false
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    const { rows } = await engine.api.call('thread.calls', { id: threadId, limit: 5_000 })
    expect(rows).toEqual(folded(engine, threadId))
    expect(engine.store.calls.tail(threadId).size).toBe(1)
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({
      steps: steps + 1,
      inputTokens: 10 * (steps + 1),
    })
  })
})
