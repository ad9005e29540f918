import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { CandidateDetail } from '../../../../core/domain/candidate.ts'
import {
  ChangesTab,
  ChecksTab,
  EvidenceTab,
  RenderedTab,
} from '../../../../renderer/screens/approvals/candidate/candidate-tabs.tsx'
import {
  approveText,
  candidateDecision,
  candidateTitle,
  canEdit,
  checksHint,
  checksShown,
  failedChecks,
  fewGoals,
  fromText,
  ofText,
  stepOf,
  wouldChangeText,
} from '../../../../renderer/screens/approvals/candidate/words.ts'
import { candidate } from '../../support.ts'
import { detail as skillDetail, version } from '../skills/support.ts'

const before = { version: 3, sha256: 'a'.repeat(64), content: 'before\n' }
const failed = { name: 'patterns', state: 'failed', title: 'One pattern is too broad', detail: '', line: 9 } as const
const ok = { name: 'file', state: 'ok', title: 'Front matter and size', detail: '1,240 tokens', line: null } as const

function plain(node: React.ReactNode): string {
  return renderToStaticMarkup(node)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

test.each([
  [{ kind: 'new', target: null }, 'docs-sweep, new'],
  [{ kind: 'new', target: null, version: 1 }, 'docs-sweep v1'],
  [{}, 'docs-sweep, update of v3'],
  [{ version: 5 }, 'docs-sweep v3 → v5'],
  [{ kind: 'rollback' }, 'docs-sweep, back from v3'],
  [{ kind: 'global' }, 'docs-sweep, for every project'],
] as const)('a candidate with %o is called “%s”', (patch, title) => {
  expect(candidateTitle(candidate(patch))).toBe(title)
})

test('where it comes from is told with the thread, or without where there is none', () => {
  expect(fromText(candidate())).toBe('from #198, save_skill')
  expect(fromText(candidate({ threadNumber: null, proposedBy: 'tides.zip' }))).toBe('tides.zip')
})

test.each([
  [{ state: 'approved', version: 4 }, 'live as v4'],
  [{ state: 'rejected', decisionReason: 'too broad' }, 'rejected: “too broad”'],
  [{ state: 'quarantined' }, 'quarantined'],
  [{ state: 'expired' }, 'nobody answered in time, so it is not in use'],
] as const)('decided as %o reads “%s”', (patch, text) => {
  expect(candidateDecision(candidate(patch))).toBe(text)
})

test('of a version that was taken back since, the decision says so', () => {
  const versions = [version({ version: 4, state: 'rolledBack' }), version({ version: 3 })]
  const approved = candidate({ state: 'approved', version: 4 })
  expect(candidateDecision(approved, { versions })).toBe('was live as v4, taken back')
  expect(candidateDecision(candidate({ state: 'approved', version: 3 }), { versions })).toBe('live as v3')
})

describe('which version it would be', () => {
  const versions = [version({ version: 5, parent: 3, state: 'rolledBack' }), version({ version: 3, parent: 2 })]
  const skill = skillDetail({
    version: 3,
    versions: [...versions, version({ version: 2, parent: null, state: 'retired' })],
  })

  test('the next number counts those that were rolled back too', () => {
    expect(stepOf({ kind: 'update', before, version: null }, skill)).toEqual({ from: 3, to: 6 })
  })

  test('a roll back leads to the parent, a new skill begins with 1, a decided one says what it became', () => {
    expect(stepOf({ kind: 'rollback', before, version: null }, skill)).toEqual({ from: 3, to: 2 })
    expect(stepOf({ kind: 'new', before: null, version: null }, null)).toEqual({ from: null, to: 1 })
    expect(stepOf({ kind: 'update', before, version: 4 }, skill)).toEqual({ from: 3, to: 4 })
  })

  test('the button says what it does', () => {
    expect(approveText(candidate(), 6)).toBe('Approve as v6')
    expect(approveText(candidate({ kind: 'rollback' }), 2)).toBe('Roll back to v2')
    expect(approveText(candidate({ kind: 'global' }), 1)).toBe('Approve for every project')
  })
})

test('a failed check keeps it from being approved; going back to what was live before is kept by none', () => {
  expect(failedChecks({ kind: 'update', checks: [ok, failed] })).toEqual([failed])
  expect(failedChecks({ kind: 'rollback', checks: [failed] })).toEqual([])
  expect(checksHint({ kind: 'update', checks: [ok, failed] })).toBe('1 failed')
  expect(checksHint({ kind: 'update', checks: [ok] })).toBe('1')
})

test('the checks are of an edit once it was checked, until then of what was proposed, and say which', () => {
  const detail = { kind: 'update', checks: [ok] } as const
  const checked = { phase: 'ready', sha256: 'c'.repeat(64), checks: [failed] } as const
  expect([null, { phase: 'loading' } as const, checked].map((edit) => checksShown(detail, edit).checks)).toEqual([
    [ok],
    [ok],
    [failed],
  ])
  expect([ofText({ phase: 'loading' }), ofText(checked)]).toEqual(['of what was proposed', 'of what you edited'])
})

test('only a text that was not live yet can be edited', () => {
  expect((['new', 'update', 'rollback', 'global'] as const).filter((kind) => canEdit({ kind }))).toEqual([
    'new',
    'update',
  ])
})

describe('what it would have changed', () => {
  const none: CandidateDetail['wouldChange'] = { n: 0, picksBefore: 0, picksAfter: 0, changes: [] }
  const change = { threadId: 't1', threadNumber: 12, goal: 'Label the issues', change: 'added', outcome: null } as const

  test.each([
    [none, 'There is no goal to compare with yet.'],
    [{ ...none, n: 50, picksBefore: 9, picksAfter: 9 }, 'Picked for 9 of the last 50 goals, as before.'],
    [{ ...none, n: 1 }, 'Not picked for the only goal on record, as before.'],
    [
      { n: 1, picksBefore: 0, picksAfter: 1, changes: [{ ...change, displaces: [] }] },
      'Picked for the only goal on record, unlike now.',
    ],
    [
      { n: 50, picksBefore: 9, picksAfter: 10, changes: [{ ...change, displaces: [] }] },
      'Picked for 10 instead of 9 of the last 50 goals. 1 choice would change.',
    ],
  ])('%o states its n', (wouldChange, text) => {
    expect(wouldChangeText(wouldChange)).toBe(text)
  })

  test(`below ${fewGoals} goals it says that this is little; the skill that it takes the place of is named`, () => {
    const shown = (n: number) =>
      plain(
        <ChangesTab
          wouldChange={{ n, picksBefore: 0, picksAfter: 1, changes: [{ ...change, displaces: ['tide'] }] }}
        />,
      )
    expect(shown(fewGoals - 1)).toContain('this says little yet')
    expect(shown(fewGoals)).not.toContain('this says little yet')
    expect(shown(fewGoals)).toContain('#12 Label the issues chosen tide –')
  })
})

test('a part that rests on no step says so; characters that nobody sees are seen', () => {
  const step = { threadId: 't1', threadNumber: 198, step: 3, seq: 44, quote: 'open the triage board' }
  const text = plain(
    <EvidenceTab
      evidence={[
        { part: 'keyword', text: 'triage', line: null, steps: [step] },
        { part: 'line', text: 'quote it\u200B', line: 47, steps: [] },
      ]}
    />,
  )
  expect(text).toContain('Keyword triage #198, step 4 open the triage board')
  expect(text).toContain('Line 47 quote it U+200B no evidence')
  expect(plain(<EvidenceTab evidence={[]} />)).toContain('It was not learned from a thread')
})

test('each check has its outcome as a word, and its line', () => {
  expect(plain(<ChecksTab checks={[ok, failed]} />)).toContain('failed One pattern is too broad line 9')
})

test('the line of a check stands once, also where its detail names it', () => {
  const at = (detail: string, line: number) => plain(<ChecksTab checks={[{ ...failed, detail, line }]} />)
  expect(at('The first stands in line 7.', 7)).toContain('The first stands in line 7. ')
  expect(at('The first stands in line 7.', 7).match(/line 7/g)).toHaveLength(1)
  expect(at('a token, line 17.', 1)).toContain('a token, line 17. Line 1.')
  expect(at('a token', 17)).toContain('a token, line 17')
})

test('rendered, the front matter is left out, and markup of the text stays text', () => {
  const html = renderToStaticMarkup(<RenderedTab text={'---\nname: tide\n---\n# Tide\n<script>x</script>\n'} />)
  expect(html).not.toContain('name: tide')
  expect(html).not.toContain('<script>')
  expect(html).toContain('Tide')
})
