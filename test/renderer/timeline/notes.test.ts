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
  const skill = { id: 'skl_1', version: 4, tokens: 900, trust: 'trusted' } as const
  const skills = [
    { ...skill, name: 'github', score: 40, isForced: false },
    { ...skill, name: 'slack', score: 0, isForced: true },
  ]
  const text = (data: { readonly skills: typeof skills; readonly unavailable: readonly string[] }) => {
    const fact = factOf({ kind: 'skill.selected', data: { step: 0, looked: 7, ...data } })
    return fact && noteText(fact)
  }
  expect(text({ skills, unavailable: [] })).toBe('Skills: github v4 (40), slack v4 (named)')
  expect(text({ skills: [], unavailable: ['tide'] })).toBe('No skill joined, 7 looked at. Not available: /tide')
})

const sha256 = 'a'.repeat(64)
const candidate = { candidateId: 'can_1', kind: 'update', name: 'tide', sha256 } as const
const version = { skillId: 'skl_1', name: 'tide', sha256, by: 'tracker', reason: 'three failures in a row' } as const
const used = { skillId: 'skl_1', name: 'tide', version: 3, how: 'selected', reason: '' } as const

test.each([
  [
    { kind: 'skill.proposed', data: candidate },
    'Proposed the next version of the skill tide: inert until you approve it',
  ],
  [
    { kind: 'skill.decided', data: { ...candidate, state: 'approved', version: 4, reason: null } },
    'Candidate of tide: approved as v4',
  ],
  [
    { kind: 'skill.decided', data: { ...candidate, state: 'rejected', version: null, reason: 'too broad' } },
    'Candidate of tide: rejected (too broad)',
  ],
  [{ kind: 'skill.versioned', data: { ...version, from: 4, to: 3 } }, 'Skill tide: v4 → v3 (three failures in a row)'],
  [{ kind: 'skill.versioned', data: { ...version, from: null, to: 1, reason: '' } }, 'Skill tide: v1 is live'],
  [{ kind: 'skill.versioned', data: { ...version, from: 4, to: null, reason: '' } }, 'Skill tide: out of use'],
  [{ kind: 'skill.used', data: { ...used, outcome: 'failure' } }, 'Skill tide v3: counts as a failure'],
  [
    { kind: 'skill.used', data: { ...used, outcome: null, reason: 'stopped by you' } },
    'Skill tide v3: does not count (stopped by you)',
  ],
  [
    { kind: 'canvas.emitted', data: { step: 0, path: '1', id: 'a', kind: 'markdown', title: 'Tides' } },
    'Drew a text: Tides',
  ],
] as const)('%o is told as “%s”', (header, text) => {
  const fact = factOf(header)
  expect(fact?.kind).toBe(header.kind)
  expect(fact && noteText(fact)).toBe(text)
})
