import fs from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { defaultSettings } from '../../../../core/domain/settings.ts'
import type { LocalModelsOptions } from '../../../../core/models/local/local.ts'
import { answersHi, doneNews, type FakeChild, type FakeChildOptions, fakeChildren, loadedNews } from './fake-child.ts'
import { askLocal, failureOf, localWorld } from './support.ts'

function world({ on, onKill, ...parts }: FakeChildOptions & Partial<LocalModelsOptions> = {}) {
  const children = fakeChildren({ ...(on && { on }), ...(onKill && { onKill }) })
  return { ...localWorld({ ...parts, spawn: children.spawn, findLibrary: () => '0' }), children }
}

/** Only timers: what the system does still takes its own time. */
function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** As `vi.waitFor`, which would let the faked time go on. */
async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await nextTurn()
}

/** What is on its way by then has come. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

it('the long arguments of a call are no silence: it is waited for as long as they are being written', async () => {
  const { models, give, children } = world({
    on: (order, child) => {
      if (order.op === 'load') child.tell(loadedNews)
      if (order.op === 'complete') child.tell({ kind: 'call', id: order.id, index: 0, name: 'write_file' })
    },
  })
  const ref = await give()
  fakeTimers()
  const answer = askLocal(models, ref)
  await until(() => children.all[0]?.orders.at(-1)?.op === 'complete')
  for (let count = 0; count < 3; count += 1) {
    await vi.advanceTimersByTimeAsync(limits.idleMs - 1)
    children.all[0]?.tell({ kind: 'progress', id: 1 })
  }
  children.all[0]?.tell(doneNews(1, { finish: 'tool_calls', calls: [{ name: 'write_file', arguments: '{"a":1}' }] }))
  const { completion, deltas } = await answer
  expect(completion.toolCalls).toMatchObject([{ name: 'write_file', arguments: { a: 1 } }])
  expect(deltas).toEqual([{ kind: 'call', name: 'write_file' }])
})

it('a model that writes nothing any more is given up after the wait for idle', async () => {
  const { models, give, children } = world({
    on: (order, child) => {
      if (order.op === 'load') child.tell(loadedNews)
      if (order.op === 'complete') child.tell({ kind: 'progress', id: order.id })
    },
  })
  const ref = await give()
  fakeTimers()
  const failure = failureOf(askLocal(models, ref))
  await until(() => children.all[0]?.orders.at(-1)?.op === 'complete')
  await vi.advanceTimersByTimeAsync(limits.idleMs)
  expect(await failure).toMatchObject({ code: 'model.timeout' })
  expect(children.all[0]?.orders.at(-1)).toEqual({ op: 'stop', id: 1 })
})

it('a request beside an unload waits until the memory is free: two processes are never there at once', async () => {
  const dying: FakeChild[] = []
  const { models, local, give, children } = world({
    onKill: (child) => (children.all.length === 1 ? dying.push(child) : child.exit('killed')),
  })
  const ref = await give()
  await askLocal(models, ref)
  const unloading = local.unload()
  const answer = askLocal(models, ref)
  await until(() => dying.length === 1)
  await turns()
  expect(children.all).toHaveLength(1)
  dying[0]?.exit('killed')
  await unloading
  expect((await answer).completion.text).toBe('Hi!')
  expect([children.all.length, children.most]).toEqual([2, 1])
})

it.each(['unload', 'close'] as const)('%s beside a request that is starting leaves nothing behind', async (how) => {
  const ending: Promise<void>[] = []
  const { models, local, give, children } = world({
    // The last that is looked at before the process is started.
    freeMemory: () => {
      ending.push(local[how]())
      return 1e12
    },
  })
  expect(await failureOf(askLocal(models, await give()))).toMatchObject({ code: 'model.provider', retryable: true })
  await Promise.all(ending)
  expect([ending.length, children.all.length]).toEqual([1, 0])
})

it('a file that was replaced and read anew is loaded anew', async () => {
  const { models, local, give, list, children } = world()
  const ref = await give()
  await askLocal(models, ref)
  const file = list()[0]?.file ?? ''
  await local.add(file)
  await askLocal(models, ref)
  expect(children.all).toHaveLength(1)
  fs.appendFileSync(file, 'more')
  await local.add(file)
  await askLocal(models, ref)
  expect([children.all.length, children.most]).toEqual([2, 1])
})

it('unloaded in the middle of an answer, it says that it was unloaded, and suspects nothing else', async () => {
  const { models, local, give, children } = world({
    on: (order, child) => order.op === 'load' && child.tell(loadedNews),
  })
  const failure = failureOf(askLocal(models, await give()))
  await until(() => children.all[0]?.orders.at(-1)?.op === 'complete')
  await local.unload()
  const { code, userMessage } = await failure
  expect(code).toBe('model.provider')
  expect(userMessage).toMatch(/was unloaded.*messages and all finished steps are kept.*Try again/s)
  expect(userMessage).not.toMatch(/unexpectedly|memory/)
})

it('after an unload those that waited for their turn load it anew; after the end of the app none does', async () => {
  const holds = { isOn: true }
  const { models, local, give, children } = world({
    on: (order, child) => (order.op === 'load' || !holds.isOn ? answersHi(order, child) : undefined),
  })
  const ref = await give()
  const ask = () => askLocal(models, ref)
  const [first, second] = [failureOf(ask()), ask()]
  await until(() => children.all[0]?.orders.at(-1)?.op === 'complete')
  holds.isOn = false
  await local.unload()
  await first
  expect((await second).completion.text).toBe('Hi!')

  holds.isOn = true
  const [third, fourth] = [failureOf(ask()), failureOf(ask())]
  await until(() => children.all[1]?.orders.at(-1)?.op === 'complete')
  await local.close()
  expect([(await third).code, (await fourth).code]).toEqual(['model.provider', 'model.provider'])
  expect(children.alive).toBe(0)
  expect(children.all).toHaveLength(2)
})

it('a model that is removed while it is being loaded is ended too; another one is left in peace', async () => {
  const { models, local, give, children } = world({ on: () => undefined })
  const [one, two] = [await give({ name: 'one' }), await give({ name: 'two' })]
  const failure = failureOf(askLocal(models, one))
  await until(() => children.all[0]?.orders.at(-1)?.op === 'load')
  await local.remove(two.model, false)
  expect(children.alive).toBe(1)
  await local.remove(one.model, false)
  expect((await failure).userMessage).toContain('was unloaded')
  expect(children.alive).toBe(0)
})

it('leaves the memory when nobody has asked it for as long as the limit says, and not before', async () => {
  expect(defaultSettings.local.idleMs).toBe(limits.localIdleMs)
  const { models, give, children } = world({ idleMs: () => limits.localIdleMs })
  const ref = await give()
  fakeTimers()
  await askLocal(models, ref)
  await vi.advanceTimersByTimeAsync(limits.localIdleMs - 1)
  expect(children.alive).toBe(1)
  await askLocal(models, ref)
  await vi.advanceTimersByTimeAsync(limits.localIdleMs - 1)
  expect([children.alive, children.all.length]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(1)
  expect(children.alive).toBe(0)
})
