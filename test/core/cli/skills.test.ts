import { expect, test } from 'vitest'
import type { Access } from '../../../core/cli/access.ts'
import { decideCandidate, importSkills, listSkills, selectSkills, showSkill } from '../../../core/cli/skills.ts'
import { startEngine, temporaryFolder } from '../../support/engine.ts'
import { skillText, writeSkill } from '../../support/skill-world.ts'
import { printed } from './support.ts'

async function access(): Promise<Access> {
  const engine = await startEngine()
  return {
    ...{ isOwn: true, whenLeft: '', close: async () => undefined, subscribe: engine.subscribe },
    call: (name, input) => engine.api.call(name, input),
  }
}

test('a list is one line a skill, by name; of uses nothing is known yet', async () => {
  const { terminal, lines } = printed(true)
  expect(await listSkills(await access(), terminal)).toBe(0)
  const rows = lines()
  expect(rows.map(({ name }) => name)).toEqual([
    ...['github', 'jira', 'linear', 'notion', 'slack', 'weather', 'web-research'],
  ])
  expect(rows[0]).toEqual({
    ...{ name: 'github', version: 1, source: 'authored', trust: 'trusted', tokens: expect.any(Number) },
    description: expect.stringContaining('GitHub REST API'),
    confidence: { value: 1, low: 0, high: 1, n: 0 },
  })
})

test('one is shown whole; a name that is none is told', async () => {
  const { terminal, lines } = printed(true)
  const through = await access()
  expect(await showSkill(through, terminal, { skill: 'github' })).toBe(0)
  expect(lines()[0]).toMatchObject({
    name: 'github',
    keywords: expect.arrayContaining(['github']),
    snippets: [{ name: 'github_issues' }, { name: 'github_create_issue' }],
    missing: [],
    body: expect.stringContaining('# GitHub REST API'),
  })
  await expect(showSkill(through, terminal, { skill: 'gitbub' })).rejects.toMatchObject({ code: 'skill.not_found' })
})

test('a dry run gives what would be chosen and the whole table', async () => {
  const { terminal, lines } = printed(true)
  const through = await access()
  expect(await selectSkills(through, terminal, { goal: 'list the issues of the github repository octo/reef' })).toBe(0)
  const [{ selected, table }] = lines()
  expect(selected[0]).toBe('github')
  expect(table).toHaveLength(7)
  expect(Object.keys(table[0])).toEqual([
    ...['name', 'gate', 'keyword', 'substring', 'tag', 'pattern', 'veto', 'confidenceFactor'],
    ...['score', 'tokens', 'picked', 'reason'],
  ])
  const plain = printed(false)
  await selectSkills(through, plain.terminal, { goal: '/gitbub' })
  expect(plain.text()).toContain('– github')
  expect(plain.err()).toContain('no such skill here: /gitbub')
})

test('an approval shows what it approves, and is none where another version is live than it was written for', async () => {
  const through = await access()
  const propose = async (body: string) => {
    const folder = temporaryFolder()
    writeSkill(folder, 'tide', skillText('tide', { body }))
    const { terminal, lines } = printed(true)
    expect(await importSkills(through, terminal, { path: folder, isDryRun: false })).toBe(0)
    return String(lines()[0]?.candidateId)
  }
  const [first, second] = [await propose('Ask the gauge.'), await propose('Ask twice.')]
  const { terminal, text } = printed(false)
  expect(await decideCandidate(through, terminal, { id: first, decision: 'approve' })).toBe(0)
  const shown = text()
  expect(shown).toContain('+Ask the gauge.')
  expect(shown).toContain('It comes from elsewhere')
  await expect(decideCandidate(through, terminal, { id: second, decision: 'approve' })).rejects.toMatchObject({
    code: 'candidate.stale',
    userMessage: expect.stringContaining('was written when there was none, and v1 is live now'),
  })
  expect(await decideCandidate(through, terminal, { id: second, decision: 'reject', reason: 'no' })).toBe(0)
})
