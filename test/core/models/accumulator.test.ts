import { describe, expect, it } from 'vitest'
import type { ModelDelta } from '../../../core/domain/model.ts'
import { type CallDelta, createAccumulator } from '../../../core/models/accumulator.ts'
import { readArguments } from '../../../core/models/tool-arguments.ts'

function accumulate(pieces: readonly Partial<CallDelta>[], reason = 'tool_calls') {
  let ids = 0
  const deltas: ModelDelta[] = []
  const accumulator = createAccumulator({
    onDelta: (delta) => deltas.push(delta),
    newId: () => {
      ids += 1
      return `new_${ids}`
    },
  })
  for (const piece of pieces) accumulator.call({ index: null, id: '', name: '', arguments: undefined, ...piece })
  accumulator.finish(reason)
  return { completion: accumulator.completion(), deltas }
}

const callsOf = (pieces: readonly Partial<CallDelta>[], reason?: string) =>
  accumulate(pieces, reason).completion?.toolCalls.map((call) => [
    call.id,
    call.name,
    'invalid' in call ? `${call.invalid}: ${call.argumentsRaw}` : call.arguments,
  ])

describe('pieces of calls', () => {
  it.each<[string, readonly Partial<CallDelta>[], unknown]>([
    [
      'a new id on a used index is a new call (R26)',
      [
        { index: 0, id: 'c1', name: 'read', arguments: '{"p":"a"}' },
        { index: 0, id: 'c2', name: 'read', arguments: '{"p":"b"}' },
      ],
      [
        ['c1', 'read', { p: 'a' }],
        ['c2', 'read', { p: 'b' }],
      ],
    ],
    [
      'an empty name later does not erase the name (R28)',
      [
        { index: 0, id: 'c1', name: 'count_words', arguments: '' },
        { index: 0, name: '', arguments: '{"te' },
        { name: '', arguments: 'xt":"hi' },
        { name: '', arguments: '"}' },
      ],
      [['c1', 'count_words', { text: 'hi' }]],
    ],
    [
      'a string that holds an object is unwrapped once (R30)',
      [{ index: 0, id: 'c1', name: 'f', arguments: '"{\\"n\\": 2}"' }],
      [['c1', 'f', { n: 2 }]],
    ],
    [
      'an object is taken as it is (R30)',
      [{ index: 0, id: 'c1', name: 'f', arguments: { n: 2 } }],
      [['c1', 'f', { n: 2 }]],
    ],
    [
      'a parameter that is a string stays one',
      [{ index: 0, id: 'c1', name: 'f', arguments: '{"json":"{\\"n\\":2}"}' }],
      [['c1', 'f', { json: '{"n":2}' }]],
    ],
    [
      'whole calls without index and id are calls of their own',
      [
        { name: 'read', arguments: { p: 'a' } },
        { name: 'read', arguments: { p: 'b' } },
        { name: 'list', arguments: {} },
        { name: 'list', arguments: {} },
      ],
      [
        ['new_1', 'read', { p: 'a' }],
        ['new_2', 'read', { p: 'b' }],
        ['new_3', 'list', {}],
        ['new_4', 'list', {}],
      ],
    ],
    [
      'whole calls that are all numbered 0',
      [
        { index: 0, name: 'read', arguments: '{"p":"a"}' },
        { index: 0, name: 'read', arguments: '{"p":"b"}' },
      ],
      [
        ['new_1', 'read', { p: 'a' }],
        ['new_2', 'read', { p: 'b' }],
      ],
    ],
    [
      'pieces that come back to an earlier id',
      [
        { id: 'c1', name: 'a', arguments: '{"x"' },
        { id: 'c2', name: 'b', arguments: '{}' },
        { id: 'c1', arguments: ':1}' },
      ],
      [
        ['c1', 'a', { x: 1 }],
        ['c2', 'b', {}],
      ],
    ],
    [
      'an id that comes late',
      [
        { index: 0, name: 'a', arguments: '{"x"' },
        { index: 0, id: 'c1', arguments: ':1}' },
      ],
      [['c1', 'a', { x: 1 }]],
    ],
    [
      'the same id on two indexes stays unique',
      [
        { index: 0, id: 'f', name: 'f', arguments: '{}' },
        { index: 1, id: 'f', name: 'f', arguments: '{}' },
      ],
      [
        ['f', 'f', {}],
        ['new_1', 'f', {}],
      ],
    ],
  ])('%s', (_, pieces, expected) => {
    expect(callsOf(pieces)).toEqual(expected)
  })

  it('are announced by name once', () => {
    const { deltas } = accumulate([
      { index: 0, id: 'c1', name: 'read', arguments: '' },
      { index: 0, id: 'c1', name: 'read', arguments: '{}' },
    ])
    expect(deltas).toEqual([{ kind: 'call', name: 'read' }])
  })

  it.each(['length', 'max_tokens', 'content_filter'])(
    'cut by %s: the last call is not run, even if its text is whole',
    (reason) => {
      const calls = callsOf(
        [
          { index: 0, id: 'c1', name: 'a', arguments: '{"x":1}' },
          { index: 1, id: 'c2', name: 'b', arguments: '{"y":1}' },
        ],
        reason,
      )
      expect(calls).toEqual([
        ['c1', 'a', { x: 1 }],
        ['c2', 'b', 'E_TOOL_ARGS_TRUNCATED: {"y":1}'],
      ])
    },
  )

  it('follow the first finish reason: a later one does not make a cut call whole', () => {
    const accumulator = createAccumulator({ onDelta: () => {}, newId: () => 'new' })
    accumulator.call({ index: 0, id: 'c', name: 'write', arguments: '{"path":"x"}' })
    accumulator.finish('length')
    accumulator.finish('tool_calls')
    expect(accumulator.completion()).toMatchObject({
      finishReason: 'length',
      toolCalls: [{ invalid: 'E_TOOL_ARGS_TRUNCATED' }],
    })
  })

  it.each(['abort', 'error'])('of a server that gives up with %s are no answer', (reason) => {
    expect(accumulate([{ index: 0, id: 'c1', name: 'a', arguments: '{}' }], reason).completion).toBeNull()
  })
})

describe('arguments', () => {
  it.each(['', ' \n', 'null', '"null"', '{}'])('%j are none', (raw) => {
    expect(readArguments(raw)).toEqual({})
  })

  it.each(['{"a":1', "{'a':1}", '{"a":1}}', '[1]', '7', '"text"', 'true', '{"a":1,}'])(
    '%j are invalid and never mended',
    (raw) => {
      expect(readArguments(raw)).toBe('E_TOOL_ARGS_INVALID')
    },
  )

  it('of a strange type do not turn into none', () => {
    expect(callsOf([{ index: 0, id: 'c', name: 'f', arguments: 7 }])).toEqual([['c', 'f', 'E_TOOL_ARGS_INVALID: 7']])
    expect(callsOf([{ index: 0, id: 'c', name: 'f', arguments: [] }])).toEqual([['c', 'f', 'E_TOOL_ARGS_INVALID: []']])
  })
})
