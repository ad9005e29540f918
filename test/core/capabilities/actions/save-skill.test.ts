import { describe, expect, it } from 'vitest'
import { createSaveSkillAction, type SkillProposal } from '../../../../core/capabilities/capabilities.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { parseSkill } from '../../../../core/skills/file/parse.ts'
import { skillTextOf } from '../../../../core/skills/skills.ts'
import { wholeContext } from './project.ts'

const given = { name: 'weekly-report', description: 'Writes the report.', body: '1. Read the notes.' }
const parsed = (text: string) => parseSkill(new TextEncoder().encode(text), 'weekly-report')

describe('save_skill', () => {
  it('proposes a candidate, with the call that wrote it and all that the thread had read', async () => {
    const proposals: SkillProposal[] = []
    const action = createSaveSkillAction((proposal) => {
      proposals.push(proposal)
      return { candidateId: 'can_1', name: proposal.name, kind: 'new' }
    })
    const sources = [{ kind: 'web', name: 'example.com' }] as const
    const asked = action.parameters.parse({ ...given, tags: 'work', keywords: ['weekly report'] })
    const result = await action.run(asked, wholeContext({ callKey: 't1/2/1', sources }))
    expect(result).toMatchObject({ candidate: 'can_1', status: 'candidate' })
    expect(proposals).toEqual([
      {
        ...{ ...given, tags: ['work'], keywords: ['weekly report'], sources },
        ...{ threadId: 't1', projectId: 'p1', callKey: 't1/2/1' },
      },
    ])
  })

  it.each([
    ['pending', 'candidate'],
    ['approved', 'approved'],
    ['rejected', 'rejected'],
    ['quarantined', 'quarantined'],
    ['expired', 'expired'],
  ] as const)('says of a text that is %s already what it is', async (state, status) => {
    const action = createSaveSkillAction(({ name }) => ({ candidateId: 'can_1', name, kind: 'new', state }))
    expect(await action.run(action.parameters.parse(given), wholeContext({}))).toMatchObject({ status })
  })

  it('takes a description as long as a skill may have one, and no longer', () => {
    const { parameters } = createSaveSkillAction(() => ({ candidateId: '', name: '', kind: 'new' }))
    const described = (length: number) => parameters.safeParse({ ...given, description: 'x'.repeat(length) }).success
    expect(described(limits.skillDescriptionCharacters)).toBe(true)
    expect(described(limits.skillDescriptionCharacters + 1)).toBe(false)
  })
})

describe('the file of a draft', () => {
  it('holds what was given, whatever signs it has', () => {
    const description = 'Says: "hello" --- # no comment\nname: other'
    const draft = { ...given, description, tags: ['a: b'], keywords: ['- c'] }
    const verdict = parsed(skillTextOf(draft))
    expect(verdict).toMatchObject({
      skill: { name: 'weekly-report', description, body: expect.stringContaining('1. Read the notes.') },
    })
    expect(verdict.outcome === 'reject' ? {} : verdict.skill.activation).toMatchObject({
      tags: ['a: b'],
      keywords: ['- c'],
    })
  })

  it('is refused where it is no skill, with the reason', () => {
    const draft = { ...given, name: '../up', tags: [], keywords: [] }
    expect(() => skillTextOf(draft)).toThrow('this is no skill: The name must be')
  })
})
