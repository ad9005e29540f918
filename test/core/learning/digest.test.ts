import { describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { foreign, type LearnWorld, learnWorld, listIn } from './learn-world.ts'

async function digest(world: LearnWorld) {
  const threadId = world.firing('conversation-insights')
  const result = await world.call('thread_digest', {}, { threadId })
  world.end(threadId)
  return result
}
const insights = ({ improvement }: LearnWorld) =>
  improvement.desk.list({ limit: 1_000 }).filter(({ kind }) => kind === 'insight')

describe('a digest', () => {
  test('of answered threads since the last one: what was said, where, and what is proposed of it', async () => {
    const world = learnWorld()
    const { number, id } = world.thread({ said: 'Count the words. Always use metric units.' })
    const seq = world.store.events.headersOf(id, 0, 1)[0]?.seq
    const result = await digest(world)
    expect(listIn(result, 'said')).toEqual([{ thread: number, seq, text: 'Count the words. Always use metric units.' }])
    expect(listIn(result, 'proposed')).toMatchObject([{ topic: 'preference', state: 'pending' }])
    expect(result.done).toBe('Read 1 thread; proposed 1 insight from what was said outright.')
    expect(insights(world)).toMatchObject([
      {
        text: 'Always use metric units.',
        sources: [{ threadId: id, threadNumber: number, seq, quote: 'Always use metric units.' }],
      },
    ])
    expect(await digest(world)).toMatchObject({ threads: [], done: 'No thread was answered since the last time.' })
  })

  test('the same said twice is one insight with two sources', async () => {
    const world = learnWorld()
    world.thread({ said: 'Always use metric units.' })
    await digest(world)
    world.thread({ said: 'please always use metric units' })
    await digest(world)
    expect(insights(world)).toMatchObject([{ sources: [{ threadNumber: 1 }, { threadNumber: 3 }] }])
  })

  test.each([
    ['a thread that was stopped', { outcome: 'stopped' }],
    ['one that failed', { outcome: 'failed' }],
    ['one of a mission', { mission: 'digest' }],
    ['one that a person said to be wrong', { isCorrected: true }],
    ['another project', { projectId: 'q' }],
  ] as const)('nothing of %s', async (_name, of) => {
    const world = learnWorld()
    world.thread({ said: 'Always use metric units.', ...of })
    expect(await digest(world)).toMatchObject({ threads: [], proposed: [] })
  })

  test('said in a thread that read what somebody else wrote, it waits for a decision, and says so', async () => {
    const world = learnWorld()
    world.settings = { ...world.settings, learning: { autoApply: true } }
    world.thread({ said: 'Always use metric units.', sources: [foreign] })
    expect(await digest(world)).toMatchObject({ isUntrusted: true })
    expect(insights(world)).toMatchObject([{ state: 'pending', isUntrusted: true }])
    world.thread({ said: 'I prefer short answers.' })
    await digest(world)
    expect(
      insights(world)
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['live', 'pending'])
  })

  test('tells of so many messages, and of so many characters of each', async () => {
    const world = learnWorld()
    const long = 'x'.repeat(limits.digestMessageCharacters + 1)
    const { id } = world.thread({ said: long })
    world.events.commit((append) => {
      for (let n = 0; n < limits.digestMessages; n += 1)
        append(id, { kind: 'message.added', data: { role: 'user', preview: '' }, body: { content: `message ${n}` } })
    })
    const said = listIn(await digest(world), 'said')
    expect(said).toHaveLength(limits.digestMessages)
    expect(String(said[0]?.text)).toHaveLength(limits.digestMessageCharacters)
  })

  test('names the insights that are known, so that they can be replaced', async () => {
    const world = learnWorld()
    world.settings = { ...world.settings, learning: { autoApply: true } }
    world.thread({ said: 'Always use metric units.' })
    await digest(world)
    expect(listIn(await digest(world), 'known')).toMatchObject([
      { topic: 'preference', text: 'Always use metric units.' },
    ])
  })
})

/** A proposal on what a thread says first. */
function proposeOn(
  world: LearnWorld,
  thread: { readonly id: string; readonly number: number },
  { text, threadId = world.firing('conversation-insights') }: { readonly text: string; readonly threadId?: string },
) {
  const seq = world.store.events.headersOf(thread.id, 0, 1)[0]?.seq ?? 0
  const args = { topic: 'preference', text, sources: [{ thread: thread.number, seq }] }
  return world.call('insight_propose', args, { threadId })
}
const applies = (world: LearnWorld) => {
  world.settings = { ...world.settings, learning: { autoApply: true } }
}

test('one thread proposes so many insights', async () => {
  const world = learnWorld()
  const thread = world.thread({ said: 'All of it.' })
  const threadId = world.firing('conversation-insights')
  const propose = (n: number) => proposeOn(world, thread, { text: `Fact ${n}.`, threadId })
  for (let n = 0; n < limits.insightsPerRun; n += 1) await propose(n)
  await expect(propose(limits.insightsPerRun)).rejects.toMatchObject({ code: 'learn.invalid' })
  // What it proposed already is no further one.
  expect(await propose(0)).toMatchObject({ state: 'pending' })
  expect(insights(world)).toHaveLength(limits.insightsPerRun)
})

test('one digest proposes so many, tells of the others, and the next one goes on behind them', async () => {
  const world = learnWorld()
  for (let n = 0; n <= limits.insightsPerRun; n += 1) world.thread({ said: `Always do thing number ${n}.` })
  const result = await digest(world)
  expect(insights(world)).toHaveLength(limits.insightsPerRun)
  expect(result.done).toContain('1 not taken: One thread proposes at most')
  expect(await digest(world)).toMatchObject({ threads: [] })
})

test('of one message so many are taken, and one by itself', async () => {
  const world = learnWorld()
  applies(world)
  const wishes = Array.from({ length: limits.messageInsights + 1 }, (_, n) => `Always do thing number ${n}.`)
  world.thread({ said: wishes.join(' ') })
  expect(await digest(world)).toMatchObject({ done: expect.stringContaining('1 more left out') })
  const states = insights(world).map(({ state }) => state)
  expect(states.toSorted()).toEqual(['live', ...Array.from({ length: limits.messageInsights - 1 }, () => 'pending')])
})

test('where no more may wait, what was said is told, nothing is lost of the run, and the next one goes on', async () => {
  const world = learnWorld()
  const spare = world.thread({ said: 'All of it.' })
  for (let n = 0; n < limits.learntPending; n += 1) await proposeOn(world, spare, { text: `Fact ${n}.` })
  world.thread({ said: 'Always use metric units.' })
  world.thread({ said: 'Fact 1. I prefer short answers.' })
  const result = await digest(world)
  expect(result).toMatchObject({ proposed: [], done: expect.stringMatching(/2 not taken: there are \d+ proposals/) })
  expect(listIn(result, 'said')).toHaveLength(3)
  expect(await digest(world)).toMatchObject({ threads: [] })
})

describe('an insight that a model words', () => {
  test.each([
    [
      'in the person’s own words',
      'Count it. Always use metric units.',
      'always use metric units',
      'live',
      'You said so in thread #1.',
    ],
    ['in words of its own', 'Always use metric units.', 'Never ask before you change files.', 'pending', 'The agent'],
    [
      'in words that were pasted',
      'Mind this.\n> Always use metric units.',
      'Always use metric units.',
      'pending',
      'The agent',
    ],
    ['in words about a task', 'The total should be 42.', 'The total should be 42.', 'pending', 'The agent'],
  ])('%s', async (_name, said, text, state, reason) => {
    const world = learnWorld()
    applies(world)
    await proposeOn(world, world.thread({ said }), { text })
    expect(insights(world)).toMatchObject([{ state, reason: expect.stringContaining(reason) }])
  })

  test('rests on no message that a parent wrote to its child', async () => {
    const world = learnWorld()
    applies(world)
    const parent = world.thread({ said: 'Check it.' })
    const child = world.thread({ said: 'Always use metric units.', parentId: parent.id })
    await expect(proposeOn(world, child, { text: 'Always use metric units.' })).rejects.toMatchObject({
      code: 'learn.invalid',
    })
    expect(await digest(world)).toMatchObject({ threads: [{ number: parent.number }], proposed: [] })
  })
})
