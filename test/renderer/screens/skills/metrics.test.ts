import { describe, expect, test } from 'vitest'
import { confidenceOf } from '../../../../core/domain/confidence.ts'
import type { SkillUse } from '../../../../core/domain/skill.ts'
import { stretchesOf, trendOf, weeksOf, windowedOf, windowRuns } from '../../../../renderer/screens/skills/metrics.ts'
import { skill, use } from './support.ts'

/** `1+` is a success of version 1, `2-` a failure of version 2, `1?` does not count. */
function uses(text: string): readonly SkillUse[] {
  const outcomes = { '+': 'success', '-': 'failure', '?': null } as const
  return text.split(' ').map((word, at) => {
    const outcome = Object.entries(outcomes).find(([sign]) => word.endsWith(sign))?.[1] ?? null
    return use({ version: Number.parseInt(word, 10), at, outcome })
  })
}

function told(stretches: ReturnType<typeof stretchesOf>): readonly string[] {
  return stretches.map(
    ({ version, runs }) =>
      `v${version}: ${runs.map(({ at, confidence: { value, n } }) => `${at} ${Math.round(value * n)}/${n}`).join(', ')}`,
  )
}

describe('confidence, use by use', () => {
  test.each([
    ['', []],
    ['1?', []],
    ['1+', ['v1: 1 1/1']],
    ['1+ 1- 2+ 2+', ['v1: 1 1/1, 2 1/2', 'v2: 3 1/1, 4 2/2']],
    ['1+ 1? 1-', ['v1: 1 1/1, 2 1/2']],
    ['1+ 2- 1+', ['v1: 1 1/1', 'v2: 2 0/1', 'v1: 3 2/2']],
  ])('“%s” begins anew with each version, and a version that is back goes on', (text, stretches) => {
    expect(told(stretchesOf(text === '' ? [] : uses(text)))).toEqual(stretches)
  })

  test('the order in which uses are answered does not matter', () => {
    const list = uses('1+ 1- 2+')
    expect(stretchesOf(list.toReversed())).toEqual(stretchesOf(list))
  })

  test('the interval is the one that the engine goes by', () => {
    expect(stretchesOf(uses('1+ 1+ 1-'))[0]?.runs[2]?.confidence).toEqual(confidenceOf(2, 3))
  })

  test('the last twenty forget what lies before them, and look across versions', () => {
    const runs = windowedOf(uses(`1- ${'2+ '.repeat(windowRuns)}`.trim())).flatMap((stretch) => stretch.runs)
    expect(runs[windowRuns - 1]?.confidence).toEqual(confidenceOf(windowRuns - 1, windowRuns))
    expect(runs[windowRuns]?.confidence).toEqual(confidenceOf(windowRuns, windowRuns))
  })
})

describe('runs by week', () => {
  const thursday = new Date(2026, 10, 26, 14, 36).getTime()
  const monday = new Date(2026, 10, 23).getTime()

  test('a week begins on Monday, local time, and one without any run stays in its place', () => {
    const at = (month: number, day: number, outcome: SkillUse['outcome'] = 'success') =>
      use({ at: new Date(2026, month, day, 23, 59).getTime(), outcome })
    const weeks = weeksOf([at(10, 22), at(10, 23, 'failure'), at(10, 8), at(10, 24, null)], thursday)
    expect(weeks.map((week) => [new Date(week.monday).getDate(), week.ok, week.failed])).toEqual([
      [2, 1, 0],
      [9, 0, 0],
      [16, 1, 0],
      [23, 0, 1],
    ])
    expect(weeks.at(-1)?.monday).toBe(monday)
  })

  test('at most twelve, the newest', () => {
    const weeks = weeksOf([use({ at: new Date(2026, 0, 1).getTime() }), use({ at: thursday })], thursday)
    expect(weeks).toHaveLength(12)
    expect(weeks.at(-1)).toEqual({ monday, ok: 1, failed: 0 })
  })

  test('nothing that counts is no week', () => {
    expect(weeksOf([use({ outcome: null })], thursday)).toEqual([])
  })
})

test('of a first version that is live again no other is an older one: it did not get better', () => {
  const tried = { confidence: confidenceOf(20, 20), uses: 40, successes: 26 }
  expect(trendOf(skill({ ...tried, version: 1 }))).toBe(null)
  expect(trendOf(skill({ ...tried, version: 2 }))).toBe('better')
})

test.each([
  [20, 20, 26, 40, 'better'],
  [2, 20, 20, 40, 'worse'],
  [11, 11, 34, 42, 'same'],
  [0, 0, 34, 42, null],
  [11, 11, 11, 11, null],
] as const)('%i of %i live, %i of %i in all: %s', (ok, n, successes, all, trend) => {
  expect(trendOf(skill({ confidence: confidenceOf(ok, n), uses: all, successes }))).toBe(trend)
})
