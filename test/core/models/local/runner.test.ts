import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { doneNews, type FakeChildOptions, fakeChildren, loadedNews } from './fake-child.ts'
import { askLocal, failureOf, localWorld } from './support.ts'

function world(options: FakeChildOptions = {}) {
  const children = fakeChildren(options)
  return { ...localWorld({ spawn: children.spawn, findLibrary: () => '0' }), children }
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
