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
