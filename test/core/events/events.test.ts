import { expect, test } from 'vitest'
import type { EventBatch } from '../../../core/domain/contract.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function start() {
  const script = scriptedModel((request) =>
    request.messages.at(-1)?.role === 'user'
      ? { toolCalls: [scriptedCall('echo', { text: 'hi' })] }
      : { text: 'all done' },
  )
  const engine = await startEngine({ embedded: { scripted: script } })
  await useScriptedModel(engine)
  return engine
}

test('a subscriber gets everything after its number, first from the store, then live, once and in order', async () => {
  const engine = await start()
  const folder = folderWith({})
  const first = await runGoal(engine, folder, 'one')
  const batches: EventBatch[] = []
  engine.subscribe(3, (batch) => batches.push(batch))
  const second = await runGoal(engine, folder, 'two')
  await pause(40)
  const seqs = batches.flatMap((batch) => batch.events.map((event) => event.seq))
  const all = [...eventsOf(engine, first.id), ...eventsOf(engine, second.id)].map((event) => event.seq)
  expect(seqs).toEqual(all.filter((seq) => seq > 3))
})

test('live text comes joined and is never stored', async () => {
  const pieces = ['Hel', 'lo ', 'there']
  const streaming = {
    models: () => [],
    complete: async (_request: unknown, { onDelta }: { onDelta: (delta: { kind: 'text'; text: string }) => void }) => {
      for (const text of pieces) onDelta({ kind: 'text', text })
      return {
        text: 'Hello there',
        toolCalls: [],
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 1 },
      } as const
    },
  }
  const engine = await startEngine({ embedded: { scripted: streaming } })
  await useScriptedModel(engine)
  const batches: EventBatch[] = []
  engine.subscribe(0, (batch) => batches.push(batch))
  const thread = await runGoal(engine, folderWith({}), 'go')
  await pause(40)
  expect(batches.flatMap((batch) => batch.deltas)).toEqual([
    { threadId: thread.id, step: 0, kind: 'text', text: 'Hello there' },
  ])
})

test('after unsubscribing nothing comes', async () => {
  const engine = await start()
  const batches: EventBatch[] = []
  const unsubscribe = engine.subscribe(0, (batch) => batches.push(batch))
  unsubscribe()
  await runGoal(engine, folderWith({}), 'one')
  await pause(40)
  expect(batches).toEqual([])
})

test('a listener that throws is let go: no commit fails by it, and the others hear everything', async () => {
  const engine = await start()
  const heard: EventBatch['events'][number][] = []
  engine.subscribe(0, () => {
    throw new Error('bad listener')
  })
  engine.subscribe(0, (batch) => heard.push(...batch.events))
  const thread = await runGoal(engine, folderWith({}), 'one')
  await pause(40)
  expect(thread.outcome).toBe('answered')
  const own = heard.filter(({ threadId }) => threadId === thread.id)
  expect(own.map(({ seq }) => seq)).toEqual(eventsOf(engine, thread.id).map(({ seq }) => seq))
})
