import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelMessage } from '../../../core/domain/model.ts'
import { toolNames, wireMessages } from '../../../core/models/history.ts'

const call = (id: string, name = 'read') => ({ id, name, arguments: {} })
const asked = (...ids: readonly string[]): ModelMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => call(id)),
})
const result = (callId: string, content: string): ModelMessage => ({ role: 'tool', callId, name: 'read', content })
const said = (role: 'system' | 'user' | 'assistant', content: string): ModelMessage => ({ role, content })
const brief = (messages: readonly ModelMessage[]) =>
  messages.map((message) => `${message.role}: ${message.role === 'tool' ? `${message.callId} ` : ''}${message.content}`)

describe('the history that is sent', () => {
  it('answers every call once, in the order asked', () => {
    const messages = [
      said('user', 'go'),
      asked('a', 'b'),
      result('b', 'B'),
      result('a', 'A'),
      result('a', 'again'),
      result('z', 'Z'),
    ]
    expect(brief(wireMessages(messages))).toEqual(['user: go', 'assistant: ', 'tool: a A', 'tool: b B'])
  })

  it('says so where a call has no result', () => {
    expect(brief(wireMessages([said('user', 'go'), asked('a', 'b'), result('a', 'A')]))).toContain(
      'tool: b [no result]',
    )
  })

  it('keeps results apart when an id comes again in a later answer', () => {
    const messages = [said('user', 'go'), asked('a'), result('a', 'first'), asked('a'), result('a', 'second')]
    expect(brief(wireMessages(messages)).filter((line) => line.startsWith('tool'))).toEqual([
      'tool: a first',
      'tool: a second',
    ])
  })

  it('moves a message that came between a call and its result behind it', () => {
    const messages = [said('user', 'go'), asked('a'), said('user', 'also'), result('a', 'A')]
    expect(brief(wireMessages(messages))).toEqual(['user: go', 'assistant: ', 'tool: a A', 'user: also'])
  })

  it('joins user messages in a row and system messages in front; a later system message speaks as the user', () => {
    const messages = [
      said('system', 's1'),
      said('system', 's2'),
      said('user', 'u1'),
      said('user', 'u2'),
      said('assistant', 'a'),
      said('system', 'note'),
    ]
    expect(brief(wireMessages(messages))).toEqual(['system: s1\n\ns2', 'user: u1\n\nu2', 'assistant: a', 'user: note'])
  })
})

describe('a long history', () => {
  it('is walked a fixed number of times, however many steps it has', () => {
    let reads = 0
    const counted = (messages: readonly ModelMessage[]) =>
      new Proxy(messages, {
        get(target, key, receiver) {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
          return Reflect.get(target, key, receiver)
        },
      })
    const steps = 400
    const messages = Array.from({ length: steps }, (_, step) => [
      asked(`a${step}`, `b${step}`),
      result(`b${step}`, 'B'),
      result(`a${step}`, 'A'),
    ]).flat()
    expect(wireMessages(counted([said('user', 'go'), ...messages]))).toHaveLength(3 * steps + 1)
    expect(reads).toBeLessThan(messages.length * 4)
  })
})

describe('names of tools', () => {
  it('that servers allow stay as they are', () => {
    expect(toolNames(['read_file', 'a-b']).toWire('read_file')).toBe('read_file')
  })

  it('come back as they were, and never meet on the way', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.string({ maxLength: 90 }), fc.constantFrom('a.b', 'a_b', 'a/b', 'x'.repeat(65)))),
        (names) => {
          const mapped = toolNames(names)
          const wire = names.map(mapped.toWire)
          for (const name of wire) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
          expect(new Set(wire).size).toBe(names.length)
          expect(wire.map(mapped.fromWire)).toEqual(names)
        },
      ),
      { numRuns: 200 },
    )
  })
})
