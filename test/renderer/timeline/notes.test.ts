import { expect, test } from 'vitest'
import { factOf } from '../../../renderer/timeline/fact.ts'
import { markText, noteText } from '../../../renderer/timeline/notes.ts'

const at = { seq: 1, threadId: 'thr_1', at: 0 }
const sent = { step: 2, providerId: 'local', model: 'm', promptTokens: 9_000 }

test.each([
  [
    'before a prompt goes out that does not fit',
    { ...sent, phase: 'before', windowTokens: 4_096 },
    'About 9,000 tokens go to a window of 4,096: the server may drop the oldest part without a word. Give the model a larger window in Settings → Models.',
  ],
  [
    'after a part of it was read',
    { ...sent, phase: 'after', windowTokens: null, reportedTokens: 4_096 },
    'The server read only 4,096 of about 9,000 tokens, so the oldest part of the conversation was left out. Give the model a larger window in Settings → Models.',
  ],
] as const)('a window that is too small is told of %s, and marked', (_, data, text) => {
  const note = { ...at, kind: 'context.warned', data } as const
  const fact = factOf(note)
  expect(fact && noteText(fact)).toBe(text)
  expect(markText(note)).toBe(text)
})

test('what skills were chosen is told, with what each scored, and what was asked for in vain', () => {
  const skill = { version: '1.0.0', tokens: 900, trust: 'trusted' } as const
  const skills = [
    { ...skill, name: 'github', score: 40, isForced: false },
    { ...skill, name: 'slack', score: 0, isForced: true },
  ]
  const text = (data: { readonly skills: typeof skills; readonly unavailable: readonly string[] }) => {
    const fact = factOf({ kind: 'skill.selected', data: { step: 0, looked: 7, ...data } })
    return fact && noteText(fact)
  }
  expect(text({ skills, unavailable: [] })).toBe('Skills: github (40), slack (named)')
  expect(text({ skills: [], unavailable: ['tide'] })).toBe('No skill joined, 7 looked at. Not available: /tide')
})
