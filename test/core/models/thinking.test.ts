import { describe, expect, it } from 'vitest'
import { createThinkSplitter } from '../../../core/models/thinking.ts'

function split(pieces: readonly string[], isEnded = true): { readonly text: string; readonly reasoning: string } {
  const out = { text: '', reasoning: '' }
  const splitter = createThinkSplitter((kind, piece) => {
    out[kind] += piece
  })
  for (const piece of pieces) splitter.push(piece)
  if (isEnded) splitter.flush()
  return out
}

describe('thinking and answer are told apart, however the text is cut', () => {
  it.each([
    ['no tags', 'Hello', 'Hello', ''],
    ['think tags', '<think>plan</think>Answer', 'Answer', 'plan'],
    ['the other kind of tags', '[THINK]plan[/THINK]Answer', 'Answer', 'plan'],
    ['blank lines after the thinking', '<think>plan</think>\n\nAnswer\n\nmore', 'Answer\n\nmore', 'plan'],
    ['thinking between text', 'One. <think>hm</think>Two.', 'One. Two.', 'hm'],
    ['thinking that never ends', '<think>plan', '', 'plan'],
    ['a comparison', 'a < b and [1] <thin> x', 'a < b and [1] <thin> x', ''],
    ['a beginning of a tag at the end', 'less <thi', 'less <thi', ''],
    ['two beginnings', '<<think>a</think>b', '<b', 'a'],
    ['a tag that is code', 'Write `<think>` first.', 'Write `<think>` first.', ''],
    ['a tag in a fence', '```xml\n<think>x</think>\n```\nDone', '```xml\n<think>x</think>\n```\nDone', ''],
    ['a tag after code', '`a`<think>b</think>c', '`a`c', 'b'],
    ['a lone backtick on an earlier line', 'odd `\n<think>b</think>c', 'odd `\nc', 'b'],
    [
      'a mention of the end inside the thinking',
      '<think>close with `</think>` later</think>ok',
      'ok',
      'close with `</think>` later',
    ],
    ['an end after a backtick', '<think>odd `</think>ok', 'ok', 'odd `'],
    ['an end after a backtick at the very end', '<think>odd `</think>', '', 'odd `'],
    [
      'a call written into the thinking',
      '<think>plan <tool_call>{"name":"ls"}</tool_call></think>',
      '',
      'plan <tool_call>{"name":"ls"}</tool_call>',
    ],
    ['characters beyond the BMP', '<think>🙂</think>🙃', '🙃', '🙂'],
  ])('%s', (_, whole, text, reasoning) => {
    expect(split([whole])).toEqual({ text, reasoning })
    expect(split([...whole])).toEqual({ text, reasoning })
    for (let at = 0; at <= whole.length; at += 1) {
      if (/[\ud800-\udbff]$/.test(whole.slice(0, at))) continue
      expect(split([whole.slice(0, at), whole.slice(at)])).toEqual({ text, reasoning })
    }
  })

  it('what may become a tag is held back until it is known', () => {
    expect(split(['so <thi'], false).text).toBe('so ')
    expect(split(['so <thi', 's>'], false).text).toBe('so <this>')
    expect(split(['[THINK]a[/THI'], false)).toEqual({ text: '', reasoning: 'a' })
  })
})
