import { describe, expect, test } from 'vitest'
import { slowRuleUses } from '../../../core/domain/confidence.ts'
import { issueOf, type LearnWorld, learnWorld, listIn } from './learn-world.ts'

const issue = issueOf()

/** A rule in force, after threads of which some had the issue. */
async function ruleAfter(threads: number, withIssue: number): Promise<{ world: LearnWorld; id: string }> {
  const world = learnWorld()
  world.settings = { ...world.settings, learning: { autoApply: true } }
  for (let n = 0; n < threads; n += 1) world.thread(n < withIssue ? { issues: [issue] } : {})
  const threadId = world.firing()
  await world.call('trace_findings', {}, { threadId })
  world.end(threadId)
  const [rule = expect.fail('no rule')] = world.improvement.desk.list({ limit: 10 })
  world.now += 1
  return { world, id: rule.id }
}
const entry = (world: LearnWorld, id: string) =>
  world.improvement.desk.list({ limit: 100 }).find((each) => each.id === id)

describe('the effect of a rule', () => {
  test('is the rate of its issue before and since, each with its n', async () => {
    const { world, id } = await ruleAfter(10, 8)
    expect(entry(world, id)?.effect).toEqual({
      before: { n: 10, issues: 8, failures: 0 },
      after: { n: 0, issues: 0, failures: 0 },
    })
    world.thread({ issues: [issue] })
    world.thread()
    world.thread({ issues: [issueOf({ subject: 'table' })] })
    expect(entry(world, id)?.effect?.after).toEqual({ n: 3, issues: 1, failures: 0 })
  })

  test('counts only threads that were told of it and came to their own end, each once', async () => {
    const { world, id } = await ruleAfter(10, 8)
    world.thread({ outcome: 'stopped' })
    world.thread({ isCorrected: true })
    world.thread({ outcome: 'failed', code: 'model.connect' })
    world.thread({ mission: 'skill-extraction' })
    world.thread({ projectId: 'q' })
    world.now -= 1_000
    world.thread()
    world.now += 1_000
    expect(entry(world, id)?.effect?.after.n).toBe(0)
    const told = world.thread()
    world.improvement.ended(told)
    world.improvement.catchUp()
    expect(entry(world, id)?.effect?.after.n).toBe(1)
  })

  test('of the last 20 threads before', async () => {
    const { world, id } = await ruleAfter(slowRuleUses.most + 5, slowRuleUses.most + 5)
    expect(entry(world, id)?.effect?.before?.n).toBe(slowRuleUses.most)
  })

  test('threads that ended in a process that did not live to look are counted at the next start', async () => {
    const { world, id } = await ruleAfter(10, 8)
    world.thread({ isLookedAt: false })
    expect(entry(world, id)?.effect?.after.n).toBe(0)
    world.improvement.catchUp()
    expect(entry(world, id)?.effect?.after.n).toBe(1)
  })
})

describe('a rule under which it is worse', () => {
  test('goes back by itself, on record, and its fix loses rank', async () => {
    const { world, id } = await ruleAfter(20, 1)
    for (let n = 0; n < slowRuleUses.least - 1; n += 1) world.thread({ issues: [issue] })
    expect(entry(world, id)?.state).toBe('live')
    world.thread({ issues: [issue] })
    expect(entry(world, id)).toMatchObject({
      state: 'undone',
      endReason: 'its issue came up in 5 of 5 threads since, in 1 of 20 before',
    })
    expect(world.improvement.promptText('p')).toBe('')
    expect(world.store.events.ofThread(id, 0, 10).at(-1)).toMatchObject({ data: { state: 'undone', by: 'measure' } })
    expect(world.store.fixes.list('p', 10)).toMatchObject([{ id: 'bundled:missing-file', failures: 1 }])
  })

  test('also where threads come to no answer since', async () => {
    const { world, id } = await ruleAfter(20, 1)
    for (let n = 0; n < slowRuleUses.least; n += 1) world.thread({ outcome: 'maxSteps' })
    expect(entry(world, id)).toMatchObject({ state: 'undone', endReason: expect.stringContaining('came to no answer') })
  })

  test('not by chance: as often as before is not worse', async () => {
    const { world, id } = await ruleAfter(20, 10)
    for (let n = 0; n < 12; n += 1) world.thread(n % 2 === 0 ? { issues: [issue] } : {})
    expect(entry(world, id)?.state).toBe('live')
  })
})

test('a rule that helps makes its fix the first to be tried, once', async () => {
  const { world } = await ruleAfter(20, 18)
  for (let n = 0; n < slowRuleUses.least + 3; n += 1) world.thread()
  expect(world.store.fixes.list('p', 10)).toMatchObject([{ id: 'bundled:missing-file', successes: 1, failures: 0 }])
  const listed = await world.call('fix_pattern_list', {}, { threadId: world.firing() })
  expect(listIn(listed, 'fixes')[0]).toMatchObject({ id: 'bundled:missing-file', successes: 1 })
})
