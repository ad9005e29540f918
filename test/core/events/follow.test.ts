import { expect, test, vi } from 'vitest'
import type { EventBatch } from '../../../core/domain/contract.ts'
import { followStore } from '../../../core/events/events.ts'
import { eventsOf, folderWith, runGoal, startEngine, temporaryFolder } from '../../support/engine.ts'

const until = async (isDone: () => boolean) => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 10))
}
function listen() {
  const batches: EventBatch[] = []
  return {
    listener: (batch: EventBatch) => void batches.push(batch),
    /** Of threads: what ships with the app as missions has streams of its own. */
    seqs: () =>
      batches.flatMap((batch) =>
        batch.events.flatMap(({ threadId, seq }) => (threadId.startsWith('thr_') ? [seq] : [])),
      ),
  }
}

test('a read-only engine tells its subscribers what the owner adds: all of it, once and in order', async () => {
  const dataDir = temporaryFolder()
  const owner = await startEngine({ dataDir })
  const folder = folderWith({ 'a.txt': 'x' })
  const first = await runGoal(owner, folder, 'what is in this folder?')
  const reader = await startEngine({ dataDir, readOnly: true })
  const all = listen()
  const late = listen()
  reader.subscribe(0, all.listener)
  const { lastSeq } = await reader.api.call('engine.info', {})
  reader.subscribe(lastSeq, late.listener)
  const seqsOf = (id: string) => eventsOf(owner, id).map((event) => event.seq)
  await until(() => all.seqs().length === seqsOf(first.id).length)
  expect(all.seqs()).toEqual(seqsOf(first.id))

  const second = await runGoal(owner, folder, 'what is in this folder?')
  const added = seqsOf(second.id)
  await until(() => all.seqs().length === seqsOf(first.id).length + added.length && late.seqs().length === added.length)
  expect(all.seqs()).toEqual([...seqsOf(first.id), ...added])
  expect(late.seqs()).toEqual(added)
  expect((await reader.api.call('engine.info', {})).lastSeq).toBe(added.at(-1))
})

test('it looks only while somebody listens, and a listener that leaves gets no more', async () => {
  const engine = await startEngine()
  const folder = folderWith({ 'a.txt': 'x' })
  await runGoal(engine, folder, 'what is in this folder?')
  const look = vi.spyOn(engine.store.events, 'lastSeq')
  const log = followStore({ store: engine.store, onFault: () => undefined })
  expect(look).not.toHaveBeenCalled()
  const { listener, seqs } = listen()
  const leave = log.subscribe(0, listener)
  await until(() => seqs().length > 0)
  leave()
  const before = seqs().length
  const looks = look.mock.calls.length
  await runGoal(engine, folder, 'what is in this folder?')
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(seqs()).toHaveLength(before)
  expect(look.mock.calls).toHaveLength(looks)
})

test('what keeps it from reading is told, and it goes on once it can', async () => {
  const engine = await startEngine()
  const { id } = await runGoal(engine, folderWith({ 'a.txt': 'x' }), 'what is in this folder?')
  const faults: unknown[] = []
  const log = followStore({ store: engine.store, onFault: (error) => void faults.push(error) })
  const failing = vi.spyOn(engine.store.events, 'since').mockImplementationOnce(() => {
    throw new Error('disk gone')
  })
  const { listener, seqs } = listen()
  const leave = log.subscribe(0, listener)
  expect(faults).toEqual([expect.objectContaining({ message: 'disk gone' })])
  failing.mockRestore()
  const all = eventsOf(engine, id).map((event) => event.seq)
  await until(() => seqs().length === all.length)
  expect(seqs()).toEqual(all)
  expect(faults.at(-1)).toBeNull()
  leave()
})
