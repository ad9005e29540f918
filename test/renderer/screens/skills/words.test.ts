import { describe, expect, test } from 'vitest'
import { confidenceOf } from '../../../../core/domain/confidence.ts'
import type { SkillVersionHeader } from '../../../../core/domain/skill.ts'
import { diagnosticsOf } from '../../../../renderer/screens/skills/skill-editor.tsx'
import { choose, chosenPair } from '../../../../renderer/screens/skills/version-choice.ts'
import {
  lastTakenBack,
  placeText,
  problemName,
  readFromFile,
  rollbackTarget,
  selectionFactor,
  skillLook,
  sourcesText,
  takenBackText,
  whyNotText,
} from '../../../../renderer/screens/skills/words.ts'
import { noon } from '../../support.ts'
import { detail, problem, skill, version } from './support.ts'

test.each([
  [{}, null, 'Active'],
  [{ missing: ['the program dot'] }, 'unavailable: needs the program dot', 'Unavailable'],
  [{ missing: ['dot', 'jq'] }, 'unavailable: needs dot and jq', 'Unavailable'],
  [{ state: 'quarantined' }, 'quarantined by you', 'Quarantined'],
  [{ state: 'suspended', missing: ['dot'] }, 'suspended: its only version failed', 'Suspended'],
  [{ state: 'gone' }, 'its file is no longer there', 'Gone'],
] as const)('a skill that is %o says why it is never chosen', (patch, why, word) => {
  expect(whyNotText(skill(patch))).toBe(why)
  expect(skillLook(skill(patch)).word).toBe(word)
})

test('where skills come from is counted, and what there is none of is left out', () => {
  const skills = [
    skill({ place: 'built in', source: 'authored' }),
    skill(),
    skill(),
    skill({ source: 'imported', place: 'tides.zip' }),
    skill({ source: 'migrated', place: '~/.agents/skills' }),
  ]
  expect(sourcesText(skills)).toBe('1 built in, 2 learned, 1 imported, 1 yours')
  expect(sourcesText([skill()])).toBe('1 learned')
  expect(sourcesText([])).toBe('')
})

test('only what was learned is weighed by its confidence', () => {
  expect(selectionFactor(skill({ confidence: confidenceOf(1, 2) }))).toBe(0.75)
  expect(selectionFactor(skill({ confidence: confidenceOf(0, 0) }))).toBe(1)
  expect(selectionFactor(skill({ confidence: confidenceOf(1, 2), source: 'authored' }))).toBe(1)
})

test('a file with flaws is named by its folder, and by the line of the first flaw', () => {
  expect(problemName('/home/mara/.agents/skills/notes/SKILL.md')).toBe('notes')
  expect(problemName('C:\\skills\\notes\\SKILL.md')).toBe('notes')
  expect(placeText(problem())).toBe('SKILL.md, line 3')
  expect(placeText(problem({ diagnostics: [] }))).toBe('SKILL.md')
})

describe('rolling back', () => {
  const live = version({ version: 4, parent: 2, state: 'live' })
  const failed = version({ version: 3, parent: 2, state: 'rolledBack' })
  const [two, one] = [2, 1].map((number) => version({ version: number, parent: number - 1 || null, state: 'retired' }))
  const of = (versions: readonly (SkillVersionHeader | undefined)[]) =>
    rollbackTarget(detail({ versions: versions.flatMap((each) => each ?? []) }))

  test('leads to what the live version was made from, past one that failed', () => {
    expect(of([live, failed, two, one])).toBe(2)
  })

  test('without a parent on record it leads to the newest that did not fail', () => {
    expect(of([{ ...live, parent: null }, failed, one])).toBe(1)
    expect(of([failed, two, one])).toBe(2)
  })

  test('leads nowhere from the only version', () => {
    expect(of([{ ...live, parent: null }])).toBe(null)
    expect(of([{ ...live, parent: null }, failed])).toBe(null)
  })
})

describe('the file that an edited skill was read from', () => {
  const read = version({ version: 1, parent: null, place: '~/.agents/skills', threadId: null })
  const edited = version({ version: 2, parent: 1, place: 'written here', threadId: null })
  const again = version({ version: 3, parent: 2, place: 'written here', threadId: null })

  test('is that of the version that it was made from, over however many edits', () => {
    expect(readFromFile({ version: 3, versions: [again, edited, read] })).toBe(1)
  })

  test('is none of a skill that was not edited, was written here, or was learned', () => {
    expect(readFromFile({ version: 1, versions: [read] })).toBe(null)
    expect(readFromFile({ version: 2, versions: [{ ...edited, parent: null }] })).toBe(null)
    expect(readFromFile({ version: 2, versions: [edited, { ...read, threadId: 't1' }] })).toBe(null)
  })
})

describe('a version that was taken back', () => {
  const day = 86_400_000
  const back = (at: number, reason: string) =>
    ({ rolledBack: { at, reason, threadIds: [] }, state: 'rolledBack' }) as const
  const three = version({ version: 3, createdAt: noon, ...back(noon + 2 * day, 'three threads failed') })
  const two = version({ version: 2, createdAt: noon - day, ...back(noon + day, '') })
  const one = version({ version: 1, createdAt: noon - 2 * day })

  test('is told with its day and its reason, the one of last first', () => {
    const last = lastTakenBack({ versions: [three, two, one] })
    expect(last?.version).toBe(3)
    expect(last && takenBackText(last)).toMatch(/^v3 was taken back on \w+day \d+ \w+: three threads failed\.$/)
  })

  test('without a reason ends with its day', () => {
    const last = lastTakenBack({ versions: [two, one] })
    expect(last && takenBackText(last)).toMatch(/^v2 was taken back on \w+day \d+ \w+\.$/)
  })

  test('is no news once another version was made since', () => {
    expect(lastTakenBack({ versions: [version({ version: 4, createdAt: noon + 3 * day }), three, one] })).toBe(null)
    expect(lastTakenBack({ versions: [one] })).toBe(null)
  })
})

describe('two versions beside each other', () => {
  const versions = [4, 3, 2, 1].map((number) =>
    version({ version: number, parent: number === 1 ? null : number === 4 ? 2 : number - 1 }),
  )
  const skill4 = detail({ version: 4, versions })

  test.each([
    [[], [2, 4]],
    [[1], [1, 4]],
    [[4], [2, 4]],
    [
      [3, 1],
      [1, 3],
    ],
    [
      [1, 3],
      [1, 3],
    ],
  ])('with %o picked %o are compared, the older first', (chosen, pair) => {
    expect(chosenPair(chosen, skill4)).toEqual(pair)
  })

  test('a first version that is live again is compared with the newest one', () => {
    expect(chosenPair([], { version: 1, versions })).toEqual([1, 4])
    expect(chosenPair([1], { version: 1, versions })).toEqual([1, 4])
  })

  test('the only version has nothing beside it', () => {
    expect(chosenPair([], detail({ version: 1, versions: [version({ version: 1, parent: null })] }))).toBe(null)
  })

  test('a third takes the place of the one that was picked first', () => {
    expect([1, 2, 3, 3].reduce<readonly number[]>(choose, [])).toEqual([2])
    expect([1, 2, 3].reduce<readonly number[]>(choose, [])).toEqual([2, 3])
  })
})

test('an error of a file shows the place that it names, any other error none', () => {
  expect(diagnosticsOf({ data: { code: 'E_YAML_SYNTAX', line: 7 } })).toMatchObject([
    { code: 'E_YAML_SYNTAX', line: 7 },
  ])
  expect(diagnosticsOf({ data: { code: 'E_EMPTY', line: null } })).toEqual([])
  expect(diagnosticsOf({})).toEqual([])
})
