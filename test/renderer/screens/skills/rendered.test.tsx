import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { confidenceOf } from '../../../../core/domain/confidence.ts'
import { Interval, rangeText, successText, toneOf } from '../../../../renderer/components/interval.tsx'
import { BigFigures } from '../../../../renderer/screens/skills/big-figures.tsx'
import { ChoiceTable } from '../../../../renderer/screens/skills/choice-table.tsx'
import { Diagnostics } from '../../../../renderer/screens/skills/diagnostics.tsx'
import { Failures } from '../../../../renderer/screens/skills/failures.tsx'
import { stretchesOf } from '../../../../renderer/screens/skills/metrics.ts'
import { ProblemPane } from '../../../../renderer/screens/skills/problem-pane.tsx'
import { RunTable } from '../../../../renderer/screens/skills/run-table.tsx'
import { SkillList } from '../../../../renderer/screens/skills/skill-list.tsx'
import { SkillRowView } from '../../../../renderer/screens/skills/skill-row.tsx'
import { UsesTab } from '../../../../renderer/screens/skills/uses-tab.tsx'
import { VersionRail } from '../../../../renderer/screens/skills/version-rail.tsx'
import { candidate } from '../../support.ts'
import { detail, problem, skill, use, version } from './support.ts'

function plain(node: React.ReactNode): string {
  return renderToStaticMarkup(node)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
}

describe('a ratio', () => {
  test('is never there without its n and its interval, in words too', () => {
    const html = renderToStaticMarkup(<Interval confidence={confidenceOf(34, 42)} of="All versions" />)
    expect(html).toContain('All versions: 34 of 42, 95 % interval 67 – 90 %')
    expect(plain(<Interval confidence={confidenceOf(0, 0)} />).trim()).toBe('no data')
  })

  test.each([
    [88, 96, 'done'],
    [9, 10, 'queued'],
    [4, 9, 'waiting'],
  ] as const)('of %i in %i looks %s', (ok, n, tone) => {
    expect(toneOf(confidenceOf(ok, n))).toBe(tone)
  })

  test('is rounded, never to more than there were', () => {
    expect(successText(confidenceOf(1, 3))).toBe('1 of 3')
    expect(rangeText(confidenceOf(11, 11))).toBe('74 – 100 %')
  })

  test('of a version that was not used is no data', () => {
    const unused = detail({ confidence: confidenceOf(0, 0), uses: 0, successes: 0 })
    expect(plain(<BigFigures skill={unused} />)).toContain('Since v4 no data All versions no data')
    expect(plain(<BigFigures skill={detail()} />)).toContain(
      'Since v4 11 of 11 74 – 100 % All versions 34 of 42 67 – 90 %',
    )
  })
})

describe('a row', () => {
  const row = (node: Parameters<typeof SkillRowView>[0]['row']) =>
    plain(<SkillRowView row={node} isShown={false} isStop />)

  test('of a skill shows its uses, and that one that fails often is to be watched', () => {
    expect(row({ kind: 'skill', key: 'skl_1', name: 'docs-sweep', skill: skill() })).toContain('v4 42 34 of 42')
    const weak = skill({ uses: 9, successes: 4, confidence: confidenceOf(0, 3) })
    expect(row({ kind: 'skill', key: 'skl_1', name: 'wiki', skill: weak })).toContain('watch')
    expect(row({ kind: 'skill', key: 'skl_1', name: 'wiki', skill: weak })).toContain(
      'worse than the versions before it',
    )
  })

  test('of one that cannot be used shows why in the place of figures', () => {
    const out = skill({ missing: ['the program dot'] })
    const text = row({ kind: 'skill', key: 'skl_1', name: 'diagram', skill: out })
    expect(text).toContain('unavailable: needs the program dot')
    expect(text).not.toContain('34 of 42')
  })

  test('of a candidate leads to its review, and says that it is inert', () => {
    const html = renderToStaticMarkup(
      <SkillRowView
        row={{ kind: 'candidate', key: 'can_1', name: 'tide', candidate: candidate() }}
        isShown={false}
        isStop
      />,
    )
    expect(html).toContain('href="#/approvals/can_1"')
    expect(html).toContain('inert until approved')
  })

  test('of a file that did not load names the line', () => {
    expect(row({ kind: 'problem', key: '~x', name: 'notes', problem: problem() })).toContain(
      'not loaded: SKILL.md, line 3',
    )
  })
})

test('a list that could not be read says why, and offers to read it again', () => {
  const error = { code: 'store.io', message: 'x', userMessage: 'The disk did not answer.', retryable: true } as const
  const nothing = () => undefined
  const asks = {
    onView: nothing,
    onText: nothing,
    onImport: nothing,
    rows: [],
    view: 'all',
    text: '',
    shownKey: null,
  } as const
  const failed = plain(<SkillList {...asks} shelf={null} load={{ phase: 'failed', error, retry: nothing }} />)
  expect(failed).toContain('The skills could not be listed The disk did not answer.')
  expect(plain(<SkillList {...asks} shelf={null} load={{ phase: 'loading', retry: nothing }} />)).toContain(
    'Reading the skills',
  )
  const shelf = { skills: [skill()], candidates: [], problems: [] }
  const none = plain(<SkillList {...asks} shelf={shelf} text="zzz" load={{ phase: 'ready', retry: nothing }} />)
  expect(none).toContain('No skill matches.')
  expect(none).not.toContain('Problems')
})

test('the chart’s figures stand in a table too, the newest run first', () => {
  const stretches = stretchesOf([use({ at: 1 }), use({ at: 2, outcome: 'failure', threadNumber: 2 })])
  expect(plain(<RunTable stretches={stretches} />)).toMatch(/2 .* v1 failure 1 of 2 .* #2 1 .* v1 success 1 of 1/)
})

test('a version that was not made from the one before it says what it was made from', () => {
  const text = plain(
    <VersionRail
      versions={[
        version({ version: 3, parent: 1 }),
        version({ version: 2, parent: 1, state: 'rolledBack' }),
        version({ version: 1, parent: null, state: 'retired' }),
      ]}
    />,
  )
  expect(text).toContain('parent v1: Asks before it touches anchors.')
  expect(text.match(/parent v/g)).toHaveLength(1)
  expect(text).toContain('rolled back')
})

test('uses tell the outcome and the reason; what does not count says why', () => {
  const text = plain(<UsesTab uses={[use({ outcome: null, reason: 'stopped by you' })]} />)
  expect(text).toContain('does not count #1 Docs v1 chosen for the goal stopped by you')
  expect(plain(<UsesTab uses={[]} />)).toContain('Not used yet')
})

test('the last failures are of what counts, newest first, and no more than there is room for', () => {
  const failures = Array.from({ length: 5 }, (_, at) =>
    use({ at, outcome: 'failure', threadNumber: at, reason: `r${at}` }),
  )
  const text = plain(<Failures uses={[...failures, use({ outcome: null }), use()]} skillId="skl_1" />)
  expect(text).toContain('5 of 6')
  expect(text).toMatch(/#4 r4.*#3 r3.*#2 r2.*#1 r1/)
  expect(text).not.toContain('#0')
  expect(text).toContain('Show all 5')
})

describe('a dry run', () => {
  const score = {
    ...{ name: 'docs-sweep', gate: true, keyword: 20, substring: 5, tag: 6, pattern: 20, veto: false },
    ...{ confidenceFactor: 1, score: 51, tokens: 1_450, picked: true, reason: '' },
  }
  const zero = {
    ...score,
    name: 'yaml-lint',
    keyword: 0,
    substring: 0,
    tag: 0,
    pattern: 0,
    score: 0,
    picked: false,
    reason: 'nothing of it is in the text',
  }
  const table = [score, { ...score, name: 'wiki', score: 7, picked: false }, zero]
  const text = (shown: string) =>
    plain(<ChoiceTable choice={{ selected: ['docs-sweep'], table, unknown: [] }} shown={shown} />)

  test('shows the points of each part, what was picked and how much room is left', () => {
    expect(text('docs-sweep')).toContain('20 5 6 20 ×1.00')
    expect(text('docs-sweep')).toContain('1,450 of 4,000 tokens used, at most 3 skills.')
    expect(text('docs-sweep')).toContain('no room')
  })

  test('hides those without any points, but never the one that is looked at', () => {
    expect(text('docs-sweep')).not.toContain('yaml-lint')
    expect(text('docs-sweep')).toContain('1 more skill with score 0')
    expect(text('yaml-lint')).toContain('nothing of it is in the text')
  })

  test('says what a thread would have where nothing is picked', () => {
    const none = plain(<ChoiceTable choice={{ selected: [], table: [zero], unknown: [] }} shown="" />)
    expect(none).toContain('No skill is picked')
  })
})

describe('a file with flaws', () => {
  test('is shown around the line of each, every character visible', () => {
    const list = [{ code: 'E_YAML_SYNTAX', line: 2, message: 'A colon needs quotes.' }]
    const text = plain(<Diagnostics list={list} text={'---\nname: a\u200B: b\n---\n'} />)
    expect(text).toContain('Line 2: A colon needs quotes.')
    expect(text).toContain('2 × name: a U+200B : b ^ E_YAML_SYNTAX')
    expect(plain(<Diagnostics list={list} />)).toContain('Line 2: A colon needs quotes. E_YAML_SYNTAX')
  })

  test('that did not load says what is safe, and offers its mend', () => {
    const mend = { title: 'Put quotes around it', before: 'a: b: c\n', text: 'a: "b: c"\n' }
    const text = plain(<ProblemPane problem={problem({ mend })} />)
    expect(text).toContain('SKILL.md, line 3: A value with a colon needs quotes.')
    expect(text.match(/A value with a colon needs quotes/g)).toHaveLength(1)
    expect(text).toContain('Nothing of this file is used.')
    expect(text).toContain('Put quotes around it Show the change')
    expect(plain(<ProblemPane problem={problem()} />)).toContain('No change is safe without you')
  })
})
