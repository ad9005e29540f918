import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { MissionProposal } from '../../../../core/domain/mission.ts'
import { proposedText } from '../../../../renderer/screens/approvals/waits-elsewhere.tsx'
import { ProposalOrigin } from '../../../../renderer/screens/missions/proposal-origin.tsx'

const shown = (proposal: MissionProposal | null) => renderToStaticMarkup(<ProposalOrigin proposal={proposal} />)

test('a proposal leads to its thread and names what that had read', () => {
  const html = shown({ threadId: 'thr_1', sources: [{ kind: 'web', name: 'tides.example' }] })
  expect(html).toContain('href="#/thread/thr_1"')
  expect(html).toContain('It had read text that is not yours: tides.example.')
})

test('of a thread that read nothing of others that is said, and of a mission that nobody proposed nothing', () => {
  expect(shown({ threadId: 'thr_1', sources: [] })).toContain('had read nothing that is not yours')
  expect(shown(null)).toBe('')
})

test('the first three that are proposed are named, the others counted', () => {
  const named = (...names: readonly string[]) => proposedText(names.map((name) => ({ name })))
  expect(named('digest')).toBe('A mission is proposed: digest. Nothing starts without you.')
  expect(named('a', 'b')).toBe('Missions are proposed: a and b. Nothing starts without you.')
  expect(named('a', 'b', 'c', 'd', 'e')).toBe('Missions are proposed: a, b, c and 2 more. Nothing starts without you.')
})
