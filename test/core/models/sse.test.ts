import { describe, expect, it } from 'vitest'
import { createEventReader, createLineReader } from '../../../core/models/sse.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function eventsOf(chunks: readonly Uint8Array[]): readonly string[] {
  const seen: string[] = []
  const reader = createEventReader({
    onData: (data, { event, isTail }) => seen.push(`${event}|${data}${isTail ? '|tail' : ''}`),
    onErrorField: (value) => seen.push(`error|${value}`),
  })
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  return seen
}

/** Any one cut, and every byte alone. */
function everyWay(text: string): readonly (readonly Uint8Array[])[] {
  const all = bytes(text)
  const cuts = [...all.keys()].map((at) => [all.subarray(0, at), all.subarray(at)])
  return [...cuts, [...all].map((byte) => Uint8Array.of(byte))]
}

describe('an event stream, however it is cut', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['|a', '|b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['|a', '|b']],
    ['CR alone', 'data: a\r\rdata: b\r\r', ['|a', '|b']],
    ['no space after the colon', 'data:{"x":1}\n\n', ['|{"x":1}']],
    ['several data lines', 'data: a\ndata: b\n\n', ['|a\nb']],
    ['comments', ':\n\n: ping\n\ndata: a\n\n: bye\n', ['|a']],
    ['a comment inside an event', 'data: a\n: ping\ndata: b\n\n', ['|a\nb']],
    ['event, id and retry fields', 'event: error\nid: 1\nretry: 10\ndata: a\n\n', ['error|a']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['|a']],
    ['a last event without its blank line', 'data: a\n\ndata: [DONE]', ['|a', '|[DONE]|tail']],
    ['an error field', 'error: {"code":400}\n\ndata: [DONE]\n\n', ['error|{"code":400}', '|[DONE]']],
    ['an unknown field', 'erratum: x\ndata: a\n\n', ['|a']],
    ['characters of several bytes', 'data: 杭州 🙂\n\n', ['|杭州 🙂']],
  ])('%s', (_, text, expected) => {
    for (const chunks of everyWay(text)) expect(eventsOf(chunks)).toEqual(expected)
  })
})

it('lines of JSON come whole, whatever ends them, and the last one needs no end', () => {
  for (const chunks of everyWay('{"a":"é"}\r\n\r\n{"b":2}\n{"c":3}')) {
    const seen: string[] = []
    const reader = createLineReader((line, { isTail }) => seen.push(`${line}${isTail ? '|tail' : ''}`))
    for (const chunk of chunks) reader.push(chunk)
    reader.end()
    expect(seen).toEqual(['{"a":"é"}', '{"b":2}', '{"c":3}|tail'])
  }
})
