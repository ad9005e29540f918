import { describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { statementsIn } from '../../../core/learning/statements.ts'
import { foreign, type LearnWorld, learnWorld, listIn } from './learn-world.ts'

describe('what a person says outright and for good', () => {
  test.each([
    ['Always use metric units.', 'preference'],
    ['Please never delete files without asking me.', 'preference'],
    ['From now on write dates as 2026-03-01.', 'preference'],
    ['I prefer short answers.', 'preference'],
    ["I'd really prefer tables over prose.", 'preference'],
    ['No, the second column should be the weight.', 'correction'],
    ["That's wrong, the harbour closes at nine.", 'correction'],
    ['I told you the names are in the first row.', 'correction'],
    ['Whenever you read a log, always look at the last lines first.', 'workflow'],
    ['Before you write a report, make sure the figures add up.', 'workflow'],
    ['Remember that our fiscal year begins in July.', 'knowledge'],
    ['FYI the gauge was moved in March.', 'knowledge'],
  ])('%s is a %s', (text, topic) => {
    expect(statementsIn(text)).toEqual([{ topic, text }])
  })

  test.each([
    ['a question', 'Do you always use metric units?'],
    ['of this task alone', 'Never touch b.txt this time.'],
    ['of today', 'Always use feet for now.'],
    ['an idiom', 'Never mind the second file.'],
    ['within a task', 'List the tests that always fail.'],
    ['somebody’s address', 'Always write to anna@example.com first.'],
    ['a number to call', 'Remember that the office is +49 30 1234567.'],
    ['quoted', '> Always use metric units.'],
    ['pasted', '```\nAlways use metric units.\n```'],
    ['too long to be one fact', `Always ${'really '.repeat(80)}use metric units.`],
    ['a plain task', 'Count the words in notes.md.'],
  ])('nothing that is %s', (_name, text) => {
    expect(statementsIn(text)).toEqual([])
  })

  test('each sentence on its own, without the mark of a list', () => {
    const text = 'Count the words. Always use metric units.\n- I prefer short answers.'
    expect(statementsIn(text).map((each) => each.text)).toEqual(['Always use metric units.', 'I prefer short answers.'])
  })
})

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

test('one thread proposes so many insights of its own', async () => {
  const world = learnWorld()
  const thread = world.thread({ said: 'All of it.' })
  const seq = world.store.events.headersOf(thread.id, 0, 1)[0]?.seq ?? 0
  const threadId = world.firing('conversation-insights')
  const propose = (n: number) =>
    world.call(
      'insight_propose',
      { topic: 'knowledge', text: `Fact ${n}.`, sources: [{ thread: thread.number, seq }] },
      { threadId },
    )
  for (let n = 0; n < limits.insightsPerRun; n += 1) await propose(n)
  await expect(propose(limits.insightsPerRun)).rejects.toMatchObject({ code: 'learn.invalid' })
  expect(insights(world)).toHaveLength(limits.insightsPerRun)
})
