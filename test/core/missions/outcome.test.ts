import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { outcomeOf } from '../../../core/missions/outcome.ts'

const account = { done: 'read it', nextFocus: 'sports', goalReached: false, evidence: [] as readonly string[] }
const block = (of: unknown) => `\`\`\`json\n${JSON.stringify(of)}\n\`\`\``

test.each([
  ['the whole answer', JSON.stringify(account)],
  ['its last block', `I read it.\n\n${block(account)}`],
  ['with blanks behind it', `${block(account)}\n  \n`],
  ['the last of two', `${block({ done: 'other' })}\n\nThen:\n\n${block(account)}`],
])('an account is read: %s', (_name, text) => {
  expect(outcomeOf(text)).toEqual({ ok: true, outcome: account })
})

test.each([
  ['prose', 'Mission complete. The goal has been achieved: yes.'],
  ['nothing', ''],
  ['prose behind it', `${block(account)}\n\nMission complete.`],
  ['a block of another kind', `\`\`\`\n${JSON.stringify(account)}\n\`\`\``],
  ['a block that does not begin its line', `so \`\`\`json\n${JSON.stringify(account)}\n\`\`\``],
  ['broken JSON', '```json\n{"done": "x",\n```'],
  ['a list', block([account])],
  ['a word too much', block({ ...account, missionComplete: true })],
  ['a field too little', block({ done: 'x', goalReached: false, evidence: [] })],
  ['a claim as text', block({ ...account, goalReached: 'yes' })],
  ['nothing done', block({ ...account, done: '  ' })],
  ['the goal without evidence', block({ ...account, goalReached: true })],
])('is no account: %s', (_name, text) => {
  expect(outcomeOf(text)).toMatchObject({ ok: false, reason: expect.stringMatching(/^it/) })
})

test('the goal counts as reached with evidence, and an empty focus is none', () => {
  const reached = { ...account, nextFocus: ' ', goalReached: true, evidence: ['report.md is there'] }
  expect(outcomeOf(block(reached))).toMatchObject({ ok: true, outcome: { ...reached, nextFocus: null } })
})

test('an account is no longer than it may be', () => {
  const exact = 'x'.repeat(limits.outcomeCharacters)
  expect(outcomeOf(block({ ...account, done: exact }))).toMatchObject({ ok: true })
  expect(outcomeOf(block({ ...account, done: `${exact}x` }))).toMatchObject({ ok: false })
  const lines = Array.from({ length: limits.outcomeEvidence }, () => 'a line')
  expect(outcomeOf(block({ ...account, evidence: lines }))).toMatchObject({ ok: true })
  expect(outcomeOf(block({ ...account, evidence: [...lines, 'one more'] }))).toMatchObject({ ok: false })
})
