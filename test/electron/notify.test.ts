import { expect, it } from 'vitest'
import type { LiveEvent } from '../../core/domain/contract.ts'
import { createNotify, requestNotices } from '../../electron/notify.ts'

function world(isSupported = true) {
  const log: string[] = []
  const clicks: (() => void)[] = []
  const notify = createNotify({
    show: ({ body, clicked }) => {
      log.push(body)
      clicks.push(clicked)
    },
    isSupported: () => isSupported,
    open: (place) => void log.push(`open ${place}`),
  })
  return { log, clicks, notify }
}

it('a click opens the window at where it can be dealt with', () => {
  const { log, clicks, notify } = world()
  notify({ text: 'write_file a.md waits for your approval', place: '#/approvals/app_1' })
  clicks[0]?.()
  expect(log).toEqual(['write_file a.md waits for your approval', 'open #/approvals/app_1'])
})

it('a long text is cut with a mark, and nothing is shown where the system cannot', () => {
  const { log, notify } = world()
  notify({ text: 'x'.repeat(500), place: '#/missions' })
  expect(log[0]).toHaveLength(240)
  expect(log[0]?.endsWith('…')).toBe(true)
  const without = world(false)
  without.notify({ text: 'x', place: '#/missions' })
  expect(without.log).toEqual([])
})

it('of what is pushed to the window only requests are told', () => {
  const requested = {
    ...{ kind: 'approval.requested', seq: 2, threadId: 't', at: 1, bodyBytes: 0 },
    data: {
      ...{ approvalId: 'app_1', step: 0, path: '1', callId: 'c', name: 'write_file', argsHash: 'h', summary: 'a.md' },
      policy: { verdict: 'ask', check: 'approval', reason: 'writes', effects: ['WriteLocal'] },
      ...{ scopeKey: null, undo: '', expiresAt: 9 },
    },
  } as const satisfies LiveEvent
  const state = {
    kind: 'thread.state',
    seq: 3,
    threadId: 't',
    at: 1,
    bodyBytes: 0,
    data: { from: 'Running', to: 'Waiting' },
  } as const
  expect(requestNotices({ type: 'engine', batch: { events: [requested, state], deltas: [] } })).toEqual([
    { text: 'write_file a.md waits for your approval', place: '#/approvals/app_1' },
  ])
  expect(requestNotices({ type: 'command', id: 'go.chat' })).toEqual([])
})

it('what is newly proposed to be learnt is told once, and what came into force by itself is not', () => {
  const moved = (itemId: string, state: 'pending' | 'live' | 'rejected', by: 'agent' | 'rule' | 'person') =>
    ({
      ...{ kind: 'learnt.changed', seq: 2, threadId: itemId, at: 1, bodyBytes: 0 },
      data: {
        ...{ itemId, kind: 'insight', projectId: 'p', state, by, sha256: 'h', reason: 'r' },
        preview: `Fact of ${itemId}.`,
      },
    }) as const satisfies LiveEvent
  const told = (...events: LiveEvent[]) => requestNotices({ type: 'engine', batch: { events, deltas: [] } })
  const [one, two] = [moved('lrn_1', 'pending', 'agent'), moved('lrn_2', 'pending', 'agent')]
  expect(told(one)).toEqual([{ text: 'Something to learn waits for you: Fact of lrn_1.', place: '#/learnt/lrn_1' }])
  expect(told(one, two)).toMatchObject([{ text: 'Something to learn waits for you: Fact of lrn_1. And 1 more.' }])
  expect(told(one, moved('lrn_1', 'live', 'rule'))).toEqual([])
  expect(told(moved('lrn_1', 'rejected', 'person'))).toEqual([])
})
