import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEvents, createJournal } from '../../../core/events/events.ts'
import { openStore } from '../../../core/store/store.ts'
import { temporaryFolder } from '../../support/engine.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../../core/store/worker.ts')

function start(maxPages?: number) {
  const store = openStore({ dataDir: temporaryFolder(), readOnly: false, workerEntry, ...(maxPages && { maxPages }) })
  onTestFinished(() => store.close())
  const events = createEvents({ store, now: () => 7, onListenerFault: () => undefined })
  const journal = createJournal({ threadId: 'thr_1', events, store, now: () => 7 })
  const status = (text: string) => ({ kind: 'status', data: { text } }) as const
  const texts = () =>
    store.events.ofThread('thr_1', 0, 1_000).flatMap((event) => (event.kind === 'status' ? [event.data.text] : []))
  return { store, events, journal, status, texts }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('nothing is on disk before the commit, everything after it', () => {
  const { journal, status, texts, events } = start()
  journal.stage(status('a'))
  journal.stage(status('b'))
  expect([texts(), events.lastSeq]).toEqual([[], 0])
  journal.commit()
  expect([texts(), events.lastSeq]).toEqual([['a', 'b'], 2])
  journal.commit()
  expect(events.lastSeq).toBe(2)
})

test('what is to be committed soon is there after this turn of the event loop', async () => {
  const { journal, status, texts } = start()
  journal.stage(status('a'))
  journal.commitSoon()
  expect(texts()).toEqual([])
  await turn()
  expect(texts()).toEqual(['a'])
})

test('the facts and what goes with them are one transaction: when that throws, neither is there, and nothing is lost', () => {
  const { journal, status, texts } = start()
  journal.stage(status('a'))
  const failing = () =>
    journal.commitRest(() => {
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(texts()).toEqual([])
  journal.commit()
  expect(texts()).toEqual(['a'])
})

test('what another thread begins with is in the same transaction, numbered after the facts', () => {
  const { store, journal, status } = start()
  const texts = () => store.events.since(0, 100).map((event) => (event.kind === 'status' ? event.data.text : ''))
  journal.stage(status('the end'))
  const failing = () =>
    journal.commitRest((append) => {
      append('thr_next', { kind: 'status', data: { text: 'the beginning' } })
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(texts()).toEqual([])
  const seqs: number[] = []
  journal.commitRest((append) => {
    for (const text of ['the beginning', 'and on']) {
      seqs.push(append('thr_next', { kind: 'status', data: { text } }).seq)
    }
  })
  journal.stage(status('later'))
  journal.commit()
  expect(texts()).toEqual(['the end', 'the beginning', 'and on', 'later'])
  expect(seqs).toEqual([2, 3])
})

test('a full disk: what is soon to be committed waits, and whoever commits is told', async () => {
  const { journal, status } = start(44)
  for (let at = 0; at < 400; at += 1) {
    journal.stage(status('x'.repeat(1_000)))
    journal.commitSoon()
    await turn()
  }
  expect(() => journal.commit()).toThrow(expect.objectContaining({ code: 'store.full' }))
})

test('an indexing that fails is made up for: no row is missing in the end', () => {
  const { journal, store, events } = start()
  events.commit((append) => append('thr_1', { kind: 'status', data: { text: 'first' } }))
  const began = (step: number) =>
    ({
      kind: 'step.started',
      data: { step, providerId: 'p', model: 'm', tier: 'allegro', messages: 1, promptTokens: 1, checkpoint: null },
    }) as const
  const index = vi.spyOn(store.calls, 'index')
  index.mockImplementationOnce(() => {
    throw new Error('full')
  })
  const failures: unknown[] = []
  for (let step = 0; step < 300; step += 1) {
    journal.stage(began(step))
    try {
      journal.commit()
    } catch (error) {
      failures.push(error)
    }
  }
  expect(failures).toEqual([new Error('full')])
  journal.stage({ kind: 'thread.state', data: { from: 'Running', to: 'Suspended' } })
  journal.commitRest(() => undefined)
  expect(store.calls.page('thr_1', -1, 1_000)).toHaveLength(300)
})
