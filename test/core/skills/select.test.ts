import { describe, expect, it, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { skillTokens } from '../../../core/skills/block.ts'
import type { LoadedSkill } from '../../../core/skills/library.ts'
import { createSkillSelector, type SkillQuestion } from '../../../core/skills/select.ts'
import { type SkillText, skillOf } from './skill-files.ts'

const nothingElse = {
  ...{ isPersons: true, active: [], inherited: [], carried: [] },
  missing: () => [],
  confidence: () => null,
}

function select(skills: readonly LoadedSkill[], text: string, more: Partial<SkillQuestion> = {}) {
  const { joining, table, unavailable } = createSkillSelector(skills).select({ ...nothingElse, text, ...more }, 100)
  return { joining: joining.map(({ skill }) => skill.name), chosen: joining, table, unavailable }
}

function row(text: SkillText, goal: string, more: Partial<SkillQuestion> = {}) {
  const [only] = select([skillOf('probe', text)], goal, more).table
  if (only === undefined) throw new Error('no row')
  return only
}

describe('points', () => {
  test.each([
    ['a word', 'github', 'open it on GitHub', 10, 0],
    ['a word before punctuation', 'github', 'on github, please', 10, 0],
    ['a word in brackets', 'github', '(github)', 10, 0],
    ['a word with an apostrophe', 'github', "GitHub's pages", 10, 0],
    ['a word with a typographic apostrophe', "what's new", 'what’s new here', 0, 5],
    ['a phrase', 'pull request', 'my Pull  Request is red', 0, 5],
    ['a phrase over a line break', 'pull request', 'my pull\nrequest', 0, 5],
    ['a word in the plural', 'issue', 'all issues', 0, 5],
    ['a word with es', 'branch', 'all branches', 0, 5],
    ['a word with ed', 'commit', 'commited it', 0, 5],
    ['a word with ing', 'deploy', 'deploying now', 0, 5],
    ['nothing for a phrase with an ending', 'pull request', 'my pull requests', 0, 0],
    ['nothing inside a word', 'cat', 'a category of concatenation', 0, 0],
    ['nothing at the end of a word', 'hub', 'github', 0, 0],
    ['nothing for another ending', 'issue', 'an issuer', 0, 0],
    ['a word with marks of its own', 'c++', 'in C++.', 10, 0],
    ['a word of a script without blanks', '天気', '今日の天気を教えて', 10, 0],
    ['a word in full width', 'ｊｉｒａ', 'in jira', 10, 0],
    ['a word and its plural as one', 'issue', 'this issue and other issues', 10, 0],
  ])('%s', (_name, keyword, goal, whole, part) => {
    expect(row({ keywords: [keyword] }, goal)).toMatchObject({ keyword: whole, substring: part, score: whole + part })
  })

  it('gives 30 at most for all keywords together', () => {
    const keywords = ['alpha', 'beta', 'gamma', 'delta', 'red tide']
    expect(row({ keywords }, 'alpha beta gamma delta')).toMatchObject({ keyword: 30, substring: 0 })
    expect(row({ keywords }, 'alpha beta, a red tide')).toMatchObject({ keyword: 20, substring: 5, score: 25 })
    expect(row({ keywords }, 'alphas betas gammas deltas red tide alpha beta')).toMatchObject({
      keyword: 20,
      substring: 10,
    })
  })

  it('counts a keyword once, however often it is written', () => {
    expect(row({ keywords: ['github', 'GitHub'] }, 'github github')).toMatchObject({ keyword: 10 })
  })

  it('gives 3 for each tag that is a word, 15 at most', () => {
    const tags = ['a1', 'b1', 'c1', 'd1', 'e1', 'f1']
    expect(row({ tags }, 'a1 and b1s')).toMatchObject({ tag: 3 })
    expect(row({ tags }, tags.join(' '))).toMatchObject({ tag: 15, score: 15 })
  })

  it('gives 20 for each pattern, 40 at most, on the text as it was written', () => {
    const patterns = ['(?i)list .* issue', 'PR-\\d+', 'never']
    expect(row({ patterns }, 'List every issue')).toMatchObject({ pattern: 20 })
    expect(row({ patterns }, 'list this issue of pr-5')).toMatchObject({ pattern: 20 })
    expect(row({ patterns: [...patterns, 'of'] }, 'list this issue of PR-5')).toMatchObject({ pattern: 40, score: 40 })
  })

  it('is ruled out by an excluded keyword, whatever else it has', () => {
    const text = { keywords: ['issue'], excluded: ['gitlab'], patterns: ['issue'] }
    expect(row(text, 'an issue')).toMatchObject({ veto: false, score: 30, picked: true })
    const vetoed = row(text, 'an issue on GitLab')
    expect(vetoed).toMatchObject({ veto: true, score: 0, picked: false, keyword: 10, pattern: 20 })
    expect(vetoed.reason).toBe('ruled out by “gitlab”')
  })

  it('counts for nothing below the number of signs that the skill asks for', () => {
    const text = { keywords: ['amount', 'total'], patterns: ['(?i)reports/'], tags: ['sum'], minSigns: 2 }
    const alone = row(text, 'the total, a sum')
    expect(alone).toMatchObject({ keyword: 10, score: 0, picked: false, gate: true })
    expect(alone.reason).toBe('needs 1 more of its words or patterns')
    expect(row(text, 'totals of Reports/a.csv')).toMatchObject({ substring: 5, pattern: 20, score: 25, picked: true })
    expect(row(text, 'the total amount')).toMatchObject({ keyword: 20, picked: true })
    expect(row({ ...text, minSigns: 0 }, 'the total')).toMatchObject({ keyword: 10, picked: true })
    expect(row(text, 'nothing of it').reason).toBe('nothing of it is in the text')
  })

  it('weighs confidence in for extracted skills only', () => {
    const keywords = ['tide']
    const confidence = () => 0.6
    expect(row({ keywords, source: 'extracted' }, 'tide', { confidence })).toMatchObject({
      confidenceFactor: 0.8,
      score: 8,
    })
    expect(row({ keywords, source: 'authored' }, 'tide', { confidence })).toMatchObject({
      confidenceFactor: 1,
      score: 10,
    })
    expect(row({ keywords, source: 'extracted' }, 'tide')).toMatchObject({ confidenceFactor: 1, score: 10 })
  })

  it('looks at the beginning and the end of a long text', () => {
    const half = limits.skillGoalCharacters / 2
    const padding = (length: number) => '.'.repeat(length)
    const at = (place: number, length: number) => `${padding(place)}tide${padding(length - place - 4)}`
    const long = limits.skillGoalCharacters + 1
    expect(row({ keywords: ['tide'] }, at(half - 2, limits.skillGoalCharacters)).score).toBe(10)
    expect(row({ keywords: ['tide'] }, at(0, long)).score).toBe(10)
    expect(row({ keywords: ['tide'] }, at(long - 4, long)).score).toBe(10)
    expect(row({ keywords: ['tide'] }, at(half - 2, long)).score).toBe(0)
  })
})

describe('choice', () => {
  const withKeyword = (name: string, ...keywords: string[]) => skillOf(name, { keywords })

  it('takes nothing that has no points, and says so', () => {
    const { joining, table } = select([withKeyword('tide', 'tide')], 'a quiet day')
    expect(joining).toEqual([])
    expect(table[0]).toMatchObject({ picked: false, gate: true, reason: 'nothing of it is in the text' })
  })

  it('takes the best first, and of equals the first by name', () => {
    const skills = [withKeyword('c', 'tide'), withKeyword('b', 'tide'), withKeyword('a', 'tide', 'moon')]
    const { joining } = select(skills, 'tide and moon')
    expect(joining).toEqual(['a', 'b', 'c'])
    expect(select([...skills].reverse(), 'tide and moon').joining).toEqual(joining)
  })

  it('takes so many and not one more', () => {
    const skills = Array.from({ length: limits.skillsChosen + 1 }, (_, at) => withKeyword(`s${at}`, 'tide'))
    const { joining, table } = select(skills, 'tide')
    expect(joining).toHaveLength(limits.skillsChosen)
    expect(table.at(-1)?.reason).toBe(`no room: at most ${limits.skillsChosen} skills`)
  })

  it('takes as many real tokens as there is room for, passes over what does not fit, and goes on', () => {
    const padded = (name: string, tokens: number, ...keywords: string[]) => {
      const bare = skillTokens(skillOf(name, { keywords, body: 'x'.repeat(4) }))
      return skillOf(name, { keywords, body: 'x'.repeat(4 + (tokens - bare) * 4) })
    }
    const rest = limits.skillTokens - 3_000
    const [first, second, third] = [
      padded('first', 3_000, 'tide', 'moon'),
      padded('second', rest, 'tide'),
      withKeyword('third', 'tide'),
    ]
    expect(select([first, second], 'tide and moon').joining).toEqual(['first', 'second'])
    const larger = padded('second', rest + 1, 'tide')
    const { joining, table } = select([first, larger, third], 'tide and moon')
    expect(joining).toEqual(['first', 'third'])
    expect(table.find(({ name }) => name === 'second')?.reason).toBe(
      `no room: it needs ${rest + 1} tokens, ${rest} are left`,
    )
  })

  it('leaves out what requires something that is not there, and says what', () => {
    const needy = skillOf('needy', { keywords: ['tide'], requires: { bins: ['tidectl'] } })
    const missing = (skill: LoadedSkill) => (skill.name === 'needy' ? ['the program tidectl'] : [])
    const { joining, table } = select([needy], 'tide', { missing })
    expect(joining).toEqual([])
    expect(table[0]).toMatchObject({ gate: false, score: 10, picked: false, reason: 'needs the program tidectl' })
  })

  it('gives the same answer to the same question', () => {
    const skills = [withKeyword('b', 'tide'), withKeyword('a', 'tide')]
    expect(select(skills, 'tide').table).toEqual(select(skills, 'tide').table)
  })
})

describe('/name', () => {
  const skills = [
    skillOf('tide', { keywords: ['gauge'] }),
    skillOf('moon', { isOnlyByName: true, keywords: ['gauge'] }),
  ]

  test.each([
    ['at the beginning', '/tide show it'],
    ['in the middle', 'show it with /tide now'],
    ['before a full stop', 'use /tide.'],
    ['before a comma', 'use /tide, please'],
    ['in quotes', 'use “/tide”'],
    ['in brackets', '(/tide)'],
    ['in capitals', 'use /Tide'],
    ['in a script without blanks', '/tideを使って'],
  ])('chooses %s', (_name, text) => {
    const { chosen, unavailable } = select(skills, text)
    expect(chosen.map(({ skill, isForced }) => [skill.name, isForced])).toEqual([['tide', true]])
    expect(unavailable).toEqual([])
  })

  test.each([
    ['a path', 'look into /tide/today'],
    ['a part of a path', 'look into docs/tide'],
    ['an address', 'see https://example.com/tide'],
    ['a longer name', 'use /tides2'],
  ])('chooses nothing for %s', (_name, text) => {
    expect(select(skills, text).joining).toEqual([])
  })

  it('is the only way to a skill that no model may choose', () => {
    const { table } = select(skills, 'the gauge')
    expect(table.find(({ name }) => name === 'moon')).toMatchObject({
      gate: false,
      picked: false,
      reason: 'only by /moon',
    })
    expect(select(skills, '/moon').joining).toEqual(['moon'])
  })

  it('comes before what scored, beats a veto, and takes its room', () => {
    const named = skillOf('named', { excluded: ['tide'], body: 'x'.repeat(limits.skillTokens * 4) })
    const { joining, table } = select([skillOf('scored', { keywords: ['tide'] }), named], 'tide by /named')
    expect(joining).toEqual(['named'])
    expect(table.find(({ name }) => name === 'scored')?.reason).toMatch(/^no room/)
  })

  it('tells of a name that is none, and of one that cannot be used here', () => {
    const missing = (skill: LoadedSkill) => (skill.name === 'tide' ? ['the program tidectl'] : [])
    expect(select(skills, '/tide and /tied', { missing }).unavailable).toEqual(['tide', 'tied'])
  })

  it('means nothing in what a model wrote', () => {
    expect(select(skills, '/moon', { isPersons: false })).toMatchObject({ joining: [], unavailable: [] })
  })
})

describe('what is there already', () => {
  const skills = ['tide', 'moon', 'wind'].map((name) => skillOf(name, { keywords: [name] }))

  it('does not join again, and takes no room', () => {
    const { joining, table } = select(skills, 'tide and moon', { active: ['tide'] })
    expect(joining).toEqual(['moon'])
    expect(table.find(({ name }) => name === 'tide')).toMatchObject({ picked: true, reason: 'active already' })
  })

  it('joins a child with its parent’s, whatever its question says', () => {
    expect(select(skills, 'wind', { inherited: ['tide'], isPersons: false }).joining).toEqual(['tide', 'wind'])
  })

  it('goes on from the message before only where the text chooses nothing', () => {
    expect(select(skills, 'and the next one', { carried: ['tide'] }).joining).toEqual(['tide'])
    expect(select(skills, 'what of the moon', { carried: ['tide'] }).joining).toEqual(['moon'])
  })
})
