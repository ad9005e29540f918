import { describe, expect, test } from 'vitest'
import type { EventData } from '../../../core/domain/event.ts'
import { factsFrom, storedFacts } from '../../../core/store/event-facts.ts'

const started = {
  ...{ step: 3, path: '1', callId: 'c', name: 'echo', argsHash: null, leaseId: null, usesLeft: null, summary: '' },
}
const finished = { step: 3, path: '1', callId: 'c', name: 'echo', durationMs: 0.5, summary: 'a.txt' }
const asked = { step: 3, providerId: 'p', model: 'm', tier: 'allegro', messages: 2, promptTokens: 9 } as const
const completed = {
  ...{ step: 3, providerId: 'p', model: 'm', durationMs: 1, firstTokenMs: null, inputTokens: 1, outputTokens: 2 },
  ...{ cachedInputTokens: 0, estimated: false, calls: 1, usd: null, preview: 'a "b"' },
}

const events: readonly (readonly [string, EventData])[] = [
  ['a step', { kind: 'step.started', data: { ...asked, checkpoint: { step: 3, notes: ['x'] } } }],
  ['a step of a known window', { kind: 'step.started', data: { ...asked, checkpoint: null, windowTokens: 8_192 } }],
  ['an answer', { kind: 'model.completed', data: { ...completed, finishReason: 'stop' }, body: body() }],
  [
    'an answer with code',
    { kind: 'model.completed', data: { ...completed, finishReason: 'length', codeBlocks: 1 }, body: body() },
  ],
  [
    'a call that is plainly allowed',
    {
      kind: 'action.started',
      data: { ...started, policy: { verdict: 'allow', check: null, reason: null, effects: ['Compute'] } },
    },
  ],
  [
    'a call without effects',
    {
      kind: 'action.started',
      data: { ...started, policy: { verdict: 'allow', check: null, reason: null, effects: [] } },
    },
  ],
  [
    'a call that a person approved',
    {
      kind: 'action.started',
      data: {
        ...{ ...started, argsHash: 'hash', usesLeft: 0 },
        policy: { verdict: 'allow', check: 'approved', reason: 'writes', effects: ['WriteLocal'], by: 'apr_1' },
      },
    },
  ],
  [
    'a call that is refused',
    {
      kind: 'action.started',
      data: { ...started, policy: { verdict: 'deny', check: null, reason: null, effects: [] } },
    },
  ],
  ['a result', { kind: 'action.finished', data: { ...finished, ok: true }, body: { result: 1 } }],
  [
    'an error',
    { kind: 'action.finished', data: { ...finished, ok: false, code: 'action.args' }, body: { result: null } },
  ],
  ['any other event', { kind: 'status', data: { text: 'hello' } }],
]

function body() {
  return { text: 'a "b"', toolCalls: [] }
}

describe('the facts of an event', () => {
  test.each(events)('of %s come back as they were stored', (_name, event) => {
    expect(factsFrom(event.kind, JSON.parse(storedFacts(event)))).toStrictEqual(event.data)
  })

  test.each(events)('of %s as a store of before wrote them, by name, are read as well', (_name, event) => {
    expect(factsFrom(event.kind, JSON.parse(JSON.stringify(event.data)))).toStrictEqual(event.data)
  })

  test('that stand by position under a kind that has none are no facts', () => {
    expect(factsFrom('status', ['hello'])).toBeNull()
  })

  test('of every step take a third of what their names would make of them', () => {
    const step = events.filter(([name]) =>
      ['a step', 'an answer', 'a call that is plainly allowed', 'a result'].includes(name),
    )
    const bytes = (text: (event: EventData) => string) => step.reduce((sum, [, event]) => sum + text(event).length, 0)
    expect(bytes(storedFacts)).toBeLessThan(bytes((event) => JSON.stringify(event.data)) * 0.4)
  })
})
