import { expect, test } from 'vitest'
import type { Engine } from '../../core/engine.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder } from '../support/engine.ts'

const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05']

function reports(): Readonly<Record<string, string>> {
  const rows = (month: number) =>
    Array.from({ length: month + 2 }, (_, at) => `c${at},${at % 2 === 0 ? 'paid' : 'open'},${(at + 1) * 10 + month}`)
  const texts = months.map((month, at) => [
    `reports/${month}.csv`,
    `customer,status,amount\n${rows(at + 1).join('\n')}\n`,
  ])
  return { ...Object.fromEntries(texts), 'NOTES.md': '# Notes\n\nNothing here.\n' }
}

test('without any model: threads alike become a skill with evidence, and the next one needs fewer steps, over restarts', async () => {
  const dataDir = temporaryFolder()
  const folder = folderWith(reports())
  // A mission has a cap of firings a day: between two of them half a day goes by.
  let now = Date.parse('2026-06-01T08:00:00Z')
  const clock = { now: () => now, monotonic: () => performance.now() }
  let engine = await startEngine({ dataDir, clock })
  const { id: projectId } = await engine.api.call('project.open', { folder })
  // What is learnt from files of a folder that nobody trusts is itself not trusted.
  await engine.api.call('project.save', { id: projectId, patch: { trusted: true } })

  async function again(): Promise<void> {
    await engine.stop('started anew')
    engine = await startEngine({ dataDir, clock })
  }
  async function ask(text: string) {
    const { threadId } = await engine.api.call('thread.send', { projectId, text })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    return engine.api.call('thread.get', { id: threadId })
  }
  async function learn() {
    now += 12 * 3_600_000
    const { id } = await engine.api.call('mission.get', { projectId, name: 'skill-extraction' })
    await engine.api.call('mission.fire', { id })
    const newest = async () => (await engine.api.call('mission.firings', { id }))[0]
    await expect.poll(async () => (await newest())?.state).not.toBe('running')
    const firing = (await newest()) ?? expect.fail('no firing')
    return { firing, found: minedIn(engine, firing.threadId ?? '') }
  }
  const pending = async () => (await engine.api.call('candidate.list', {})).rows

  // Like work, done three times, each time in the same number of steps. Two of them are too little.
  const first = await ask('What is the total of the amount column in reports/2026-01.csv?')
  const second = await ask('Sum up the amount column of reports/2026-02.csv')
  expect([first.steps, second.steps]).toEqual([5, 5])
  expect(await learn()).toMatchObject({
    firing: { state: 'ran' },
    found: [
      { subjectId: first.id, verdict: 'skipped', reason: 'support' },
      { subjectId: second.id, verdict: 'skipped', reason: 'support' },
    ],
  })
  expect(await pending()).toEqual([])
  await again()
  const third = await ask('Please tell me the total amount in reports/2026-03.csv')
  const { firing, found } = await learn()
  expect(firing).toMatchObject({ state: 'ran' })
  expect(found).toMatchObject([{ subjectId: third.id, verdict: 'proposed', reason: 'new' }])

  // It waits with where each part of it comes from, and nothing uses it.
  await again()
  const [waiting = expect.fail('nothing was proposed')] = await pending()
  expect(waiting).toMatchObject({
    kind: 'new',
    source: 'extracted',
    proposedBy: 'skill-extraction',
    trust: 'trusted',
  })
  const candidate = await engine.api.call('candidate.get', { id: waiting.id })
  const sources = [first, second, third].map(({ id }) => id)
  expect(candidate.evidence.length).toBeGreaterThan(10)
  for (const { part, text, steps } of candidate.evidence) {
    const shown = new Set(steps.map(({ threadId }) => threadId))
    // A word need not stand in all goals; a line of the function rests on each thread.
    expect(shown.size, text).toBeGreaterThanOrEqual(part === 'line' || part === 'parameter' ? sources.length : 2)
  }
  for (const { seq, threadId } of candidate.evidence.flatMap(({ steps }) => steps))
    expect(engine.store.events.get(seq).threadId).toBe(threadId)
  expect(candidate.checks.filter(({ state }) => state === 'failed')).toEqual([])
  expect(candidate.wouldChange).toMatchObject({ picksBefore: 0, picksAfter: 3 })
  expect((await learn()).found).toEqual([])
  const unlearnt = await ask('What is the total of the amount column in reports/2026-04.csv?')
  expect(unlearnt.steps).toBe(5)

  // Approved: the next one is answered by its function, in one step, from the same calls.
  const { sha256 } = candidate
  await engine.api.call('candidate.decide', { id: candidate.id, decision: 'approve', sha256, before: null })
  await again()
  const learnt = await ask('What is the total of the amount column in reports/2026-05.csv?')
  expect(learnt.outcome).toBe('answered')
  expect(learnt.steps).toBe(1)
  const record = eventsOf(engine, learnt.id)
  expect(engine.store.events.lastAnswer(learnt.id)).toContain('the total of `amount` is **315** (7 rows).')
  expect(record.flatMap((event) => (event.kind === 'code.finished' ? (event.data.snippets ?? []) : []))).toMatchObject([
    { skill: candidate.name, version: 1, raised: false },
  ])
  await expect
    .poll(() => eventsOf(engine, learnt.id).flatMap((each) => (each.kind === 'skill.used' ? [each.data] : [])))
    .toMatchObject([{ name: candidate.name, how: 'called', outcome: 'success' }])

  // Another question about the same files is not its business, and what it did itself is no support for it.
  const other = await ask('Summarise reports/2026-05.csv')
  expect(eventsOf(engine, other.id).some(({ kind }) => kind === 'code.finished')).toBe(false)
  await again()
  const after = await learn()
  expect(after.found.filter(({ verdict }) => verdict === 'proposed')).toEqual([])
  expect(after.found.find(({ subjectId }) => subjectId === learnt.id)).toMatchObject({
    detail: expect.stringContaining('used a skill'),
  })
  expect(await pending()).toEqual([])
})

function minedIn(engine: Engine, threadId: string) {
  return eventsOf(engine, threadId).flatMap((event) =>
    event.kind === 'skill.mined' && event.data.verdict !== 'unfit' ? [event.data] : [],
  )
}
