import { expect, test } from 'vitest'
import type { StoredEvent } from '../../../core/domain/event.ts'
import { startEngine } from '../../support/engine.ts'

const event = (seq: number, threadId: string): StoredEvent => ({
  ...{ seq, threadId, at: 1, kind: 'status', data: { text: `${seq}` } },
})

test('a thread finds its events among those of others, page by page, and after a transaction that was rolled back', async () => {
  const { store } = await startEngine()
  const first = store.events.lastSeq() + 1
  expect(() =>
    store.transaction(() => {
      store.events.append(event(first, 'a'))
      throw new Error('rolled back')
    }),
  ).toThrow('rolled back')
  const mine: number[] = []
  for (let seq = first; seq < first + 700; seq += 1) {
    const threadId = seq % 3 === 0 ? 'a' : 'b'
    if (threadId === 'a') mine.push(seq)
    store.appendAll([event(seq, threadId)])
  }
  const found: number[] = []
  for (;;) {
    const page = store.events.headersOf('a', found.at(-1) ?? 0, 50)
    found.push(...page.map(({ seq }) => seq))
    if (page.length < 50) break
  }
  expect(found).toEqual(mine)
  expect(store.events.ofThread('a', mine[200] ?? 0, 5).map(({ seq }) => seq)).toEqual(mine.slice(201, 206))
})
