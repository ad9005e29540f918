import { expect, it } from 'vitest'
import { startProcess } from '../../../../core/models/local/process.ts'
import { answersHi, doneNews, type FakeChildOptions, fakeChildren, loadedNews } from './fake-child.ts'

const load = { op: 'load', file: '/m.gguf', purpose: 'chat', contextTokens: 512, threads: 1, gpu: null } as const
const request = { op: 'complete', id: 1, request: { model: 'm', messages: [], tools: [] } } as const

function started(on: FakeChildOptions['on'] = answersHi) {
  const child = fakeChildren({ on }).spawn()
  const pieces: unknown[] = []
  const process = startProcess(child, load)
  return { child, process, pieces, ask: () => process.ask(request, (piece) => pieces.push(piece)) }
}
const loads: FakeChildOptions['on'] = (order, child) => order.op === 'load' && child.tell(loadedNews)

it('is told what to load once it is ready, and gives the pieces of an answer before the answer', async () => {
  const { child, process, pieces, ask } = started()
  expect(await process.loaded).toEqual(loadedNews)
  expect(await ask()).toEqual(doneNews(1))
  expect(pieces).toEqual([{ kind: 'delta', id: 1, part: 'text', text: 'Hi!' }])
  expect(child.orders).toEqual([load, request])
})

it('one that cannot load its model says why and is ended', async () => {
  const failed = { kind: 'failed', id: null, reason: 'memory', message: 'out of memory' } as const
  const { child, process, ask } = started((_order, from) => from.tell(failed))
  expect(await process.loaded).toEqual(failed)
  expect([process.isAlive, child.isKilled]).toEqual([false, true])
  expect(await ask()).toMatchObject({ kind: 'died' })
})

it('a request that fails costs its own answer only', async () => {
  const { child, process, ask } = started(loads)
  await process.loaded
  const answer = ask()
  child.tell({ kind: 'failed', id: 1, reason: 'failed', message: 'no' })
  expect(await answer).toMatchObject({ kind: 'failed', message: 'no' })
  expect(process.isAlive).toBe(true)
})

it.each<[string, unknown]>([
  ['is no message', 'hello'],
  ['is of no kind', { kind: 'gossip' }],
  ['has figures that cannot be', { ...doneNews(1), outputTokens: -1 }],
])('one that sends what %s is not trusted any further: it is ended', async (_what, message) => {
  const { child, process, ask } = started(loads)
  await process.loaded
  const answer = ask()
  child.tell(message)
  expect(await answer).toEqual({ kind: 'died', reason: 'it sent what cannot be read' })
  expect([process.isAlive, child.isKilled]).toEqual([false, true])
})

it.each([
  ['while it loads', () => undefined],
  ['while it answers', loads],
])('one that dies %s ends everything that waits for it, with the reason of the system', async (_when, on) => {
  const { child, process, ask } = started(on)
  const answer = ask()
  child.exit('signal SIGKILL')
  const died = { kind: 'died', reason: 'signal SIGKILL' }
  expect(await answer).toEqual(died)
  if (on !== loads) expect(await process.loaded).toEqual(died)
  expect(process.isAlive).toBe(false)
})

it('ended by us it says so, and what comes late is dropped', async () => {
  const { child, process, pieces, ask } = started(loads)
  await process.loaded
  const answer = ask()
  const ended = process.end()
  child.tell({ kind: 'delta', id: 1, part: 'text', text: 'late' })
  await ended
  expect(await answer).toEqual({ kind: 'unloaded' })
  expect(pieces).toEqual([])
})

it('a stop is sent for a request that is open, and for no other', async () => {
  const { child, process, ask } = started(loads)
  await process.loaded
  process.stop(1)
  const answer = ask()
  process.stop(1)
  child.tell({ kind: 'failed', id: 1, reason: 'stopped', message: 'stopped' })
  await answer
  process.stop(1)
  expect(child.orders).toEqual([load, request, { op: 'stop', id: 1 }])
})
