import { describe, expect, it, test } from 'vitest'
import { AppError } from '../../../../core/domain/error.ts'
import type { EventData } from '../../../../core/domain/event.ts'
import { limits } from '../../../../core/domain/limits.ts'
import type { Source } from '../../../../core/domain/source.ts'
import { minedRecord } from '../../../../core/learning/extraction/mined-record.ts'
import type { Episode } from '../../../../core/learning/miner/episode.ts'
import { parseSkill } from '../../../../core/skills/file/parse.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { readFile } from '../miner/recorder.ts'
import { episode, stockThreads } from '../miner/worked.ts'
import { type LearningWorld, openLearningWorld } from './learning-world.ts'

const stock = stockThreads()
const pending = ({ skills }: LearningWorld) => skills.skills.review.list({ state: 'pending', limit: 10 }).rows

function endAll(world: LearningWorld, episodes: readonly Episode[]): void {
  for (const each of episodes) world.ended(each)
}

/** The same work for other goals, in a world in which the price has another name. */
function renamed(): readonly Episode[] {
  return stock.slice(0, 3).map((each, at) => {
    const changed: Episode = JSON.parse(JSON.stringify(each).replaceAll('"price"', '"listPrice"'))
    return { ...changed, threadId: `renamed ${at}`, endedAt: each.endedAt + 1_000 * 86_400_000 }
  })
}

describe('work that was done alike', () => {
  it('is proposed once, as a skill file with its function, what it takes, and when it is offered', async () => {
    const world = openLearningWorld()
    endAll(world, stock.slice(0, 2))
    expect(await world.learn()).toEqual(['support stock 0', 'support stock 1'])
    endAll(world, stock.slice(2, 3))
    expect(await world.learn()).toEqual(['new stock 2'])
    const [waiting] = pending(world)
    expect(waiting).toMatchObject({ kind: 'new', source: 'extracted', projectId: 'p', proposedBy: 'skill-extraction' })
    expect(waiting?.reason).toContain('3 threads did the same work: #4, #2, #1.')
    const { content, checks } = await world.skills.skills.review.get(waiting?.id ?? '')
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([])
    const verdict = parseSkill(Buffer.from(content), waiting?.name ?? '')
    if (verdict.outcome !== 'ok') expect.fail(JSON.stringify(verdict.diagnostics))
    const { activation, snippets } = verdict.skill
    expect(activation).toMatchObject({ min_signs: 2, keywords: expect.arrayContaining(['stock']) })
    expect(snippets).toMatchObject([
      { complete: true, parameters: [{ name: 'name', examples: expect.any(Array) }, { name: 'site' }] },
    ])
    expect(snippets[0]?.code).toContain('skill guard:')
    expect(await world.learn()).toEqual([])
  })

  it('shows for each line, parameter and word the steps that it comes from', async () => {
    const world = openLearningWorld()
    endAll(world, stock.slice(0, 3))
    await world.learn()
    const { content, evidence } = await world.skills.skills.review.get(pending(world)[0]?.id ?? '')
    const lines = content.split('\n')
    const code = evidence.filter(({ part }) => part === 'line')
    expect(code.length).toBeGreaterThan(8)
    for (const { text, line, steps } of code) {
      expect(lines[(line ?? 0) - 1]?.trim()).toBe(text)
      expect(new Set(steps.map(({ threadId }) => threadId)).size, text).toBe(3)
    }
    const site = evidence.find(({ part, text }) => part === 'parameter' && text === 'site')
    expect(site?.steps.map(({ quote }) => quote)).toContainEqual(expect.stringContaining('Graz in: What is the stock'))
    expect(evidence.filter(({ steps }) => steps.length === 0)).toEqual([])
    for (const { seq, threadId } of evidence.flatMap(({ steps }) => steps))
      expect(world.skills.store.events.get(seq).threadId).toBe(threadId)
  })

  it('that was refused is not asked about again before there is twice as much of it', async () => {
    const world = openLearningWorld()
    endAll(world, stock.slice(0, 3))
    await world.learn()
    await world.decide('reject')
    endAll(world, stock.slice(3, 4))
    expect(await world.learn()).toEqual(['rejected stock 3'])
    expect(pending(world)).toEqual([])
  })

  it('waits for one decision before it asks another question about the same skill', async () => {
    const world = openLearningWorld()
    endAll(world, stock.slice(0, 3))
    await world.learn()
    endAll(world, stock.slice(3, 4))
    expect(await world.learn()).toEqual([expect.stringMatching(/^duplicate stock 3/)])
    expect(pending(world)).toHaveLength(1)
  })

  it('changes with the world: three threads of the new kind are the next version of the skill that failed', async () => {
    const world = openLearningWorld()
    endAll(world, stock.slice(0, 3))
    await world.learn()
    await world.decide('approve')
    const { collection, review } = world.skills.skills
    const [live] = collection.library('p').skills
    expect(live).toMatchObject({ version: 1, source: 'extracted' })
    endAll(world, renamed().slice(0, 2))
    expect(await world.learn()).toEqual([expect.stringMatching(/renamed 0/), expect.stringMatching(/renamed 1/)])
    expect(pending(world)).toEqual([])
    endAll(world, renamed().slice(2))
    const [found] = await world.learn()
    const [next] = review.list({ state: 'pending', limit: 5 }).rows
    expect(found).toBe('update renamed 2')
    expect(next).toMatchObject({ kind: 'update', name: live?.name })
    await world.decide('approve')
    expect(collection.library('p').skills).toMatchObject([{ name: live?.name, version: 2 }])
    expect(collection.library('p').skills[0]?.snippets[0]?.code).toContain('listPrice')
  })
})

describe('no thread is lost and none is looked at twice', () => {
  test('by a crash between what was proposed and what is noted of it', async () => {
    const dataDir = temporaryFolder()
    const before = openLearningWorld(dataDir)
    endAll(before, stock.slice(0, 3))
    const { learning } = before.skills.store
    const real = learning.addProgram
    learning.addProgram = () => {
      throw new Error('the process dies here')
    }
    await expect(before.learn()).rejects.toThrow('dies here')
    learning.addProgram = real
    expect(pending(before)).toHaveLength(1)
    await before.skills.close()
    const after = openLearningWorld(dataDir)
    expect(await after.learn()).toEqual(['new stock 2'])
    expect(pending(after)).toHaveLength(1)
    expect(await after.learn()).toEqual([])
  })

  test('by the number that one call looks at', async () => {
    const world = openLearningWorld()
    const many = Array.from({ length: limits.minedThreads + 1 }, (_, at) =>
      episode(`note ${at}`, `Read note ${at}`, [[readFile(`${at}.md`, `text ${at}`)]]),
    )
    endAll(world, many)
    const looked = await world.learn()
    expect(looked).toHaveLength(limits.minedThreads)
    expect((await world.learn()).map((text) => text.split(' ').slice(-2).join(' '))).toEqual([
      `note ${limits.minedThreads}`,
    ])
  })
})

describe('a run', () => {
  test('leaves what its time was not enough for to the next one, and loses none', async () => {
    const world = openLearningWorld()
    endAll(world, stock.slice(0, 3))
    // The first thread takes more than the whole, which is found out after it; the others are left.
    const clock = { now: 0, step: limits.minerMs * 2 }
    world.monotonicMs = () => {
      clock.now += clock.step
      return clock.now
    }
    expect(await world.learn()).toEqual(['too-large stock 0'])
    clock.step = 0
    expect(await world.learn()).toEqual(['support stock 1', 'new stock 2'])
    expect(await world.learn()).toEqual([])
  })

  test('gives up a thread that holds too much before it holds all of it', async () => {
    const world = openLearningWorld()
    const page = 'x'.repeat(limits.minerEpisodeBytes / 4)
    const reads = (count: number) => Array.from({ length: count }, (_, at) => [readFile(`${at}.txt`, page)])
    world.ended(episode('large 1', 'Read all of it', reads(4)))
    world.ended(episode('small 2', 'Read some of it', reads(3)))
    expect(await world.learn()).toEqual(['too-large large 1', 'support small 2'])
    expect(await minedRecord(world.skills.store, 'large 1', new AbortController().signal)).toBeNull()
  })

  test('stops where nobody waits for it, and the next one goes on there', async () => {
    const world = openLearningWorld()
    endAll(world, stock.slice(0, 3))
    const controller = new AbortController()
    world.monotonicMs = () => {
      controller.abort(
        new AppError('action.timeout', { message: 'it took too long', userMessage: 'It took too long.' }),
      )
      return 0
    }
    await expect(world.learn(controller.signal)).rejects.toThrow('it took too long')
    world.monotonicMs = () => 0
    expect(await world.learn()).toEqual(['support stock 0', 'support stock 1', 'new stock 2'])
  })
})

const mark = { missionId: 'm', name: 'digest', version: 1, firingId: 'f', causeDepth: 1 }
const lost: EventData = {
  kind: 'action.finished',
  data: {
    step: 9,
    path: '1',
    callId: 'x',
    name: 'http',
    ok: false,
    code: 'http.connect',
    durationMs: 1,
    summary: 'GET x',
  },
  body: { result: null },
}

test.each<[string, Parameters<LearningWorld['ended']>[1]]>([
  ['outcome', { outcome: 'stopped' }],
  ['outage', { events: [lost] }],
  ['corrected', { events: [{ kind: 'thread.corrected', data: { wrong: 'it was the other shop' } }] }],
  [
    'redirected',
    { events: [{ kind: 'message.added', data: { role: 'user', preview: '' }, body: { content: 'No!' } }] },
  ],
])('nothing is learnt from a thread that is unfit: %s', async (reason, how) => {
  const world = openLearningWorld()
  for (const each of stock.slice(0, 3)) world.ended(each, how)
  expect(await world.learn()).toEqual([`${reason} stock 0`, `${reason} stock 1`, `${reason} stock 2`])
  expect(pending(world)).toEqual([])
})

test('nothing is learnt from what a mission did', async () => {
  const world = openLearningWorld()
  for (const each of stock.slice(0, 3)) {
    world.skills.thread({ id: each.threadId, goal: each.goal })
    world.skills.events.commit((append) => {
      const facts = {
        number: 1,
        projectId: 'p',
        conversationId: 'c',
        title: '',
        tier: 'allegro',
        mission: mark,
      } as const
      append(each.threadId, { kind: 'thread.created', data: facts, body: { goal: each.goal } })
      append(each.threadId, { kind: 'thread.state', data: { from: 'Completed', to: 'Done', outcome: 'answered' } })
    })
  }
  expect(await world.learn()).toEqual([])
  expect(pending(world)).toEqual([])
})

test('a thread that a person takes back later is no example any more', async () => {
  const world = openLearningWorld()
  endAll(world, stock.slice(0, 2))
  await world.learn()
  const { store, events } = world.skills
  events.commit((append) => {
    store.learning.dropThread('stock 0')
    append('stock 0', { kind: 'thread.corrected', data: { wrong: 'not the list price' } })
  })
  endAll(world, stock.slice(2, 3))
  expect(await world.learn()).toEqual(['support stock 2'])
  endAll(world, stock.slice(3, 4))
  expect(await world.learn()).toEqual(['new stock 3'])
})

describe('a skill is trusted only', () => {
  const read = (source: Source): EventData => ({
    kind: 'action.finished',
    data: { step: 8, path: '1', callId: 'y', name: 'read', ok: true, durationMs: 1, summary: 'x', source },
    body: { result: 'some text' },
  })
  const file: Source = { kind: 'file', name: 'README.md', isOfProject: true }
  const page: Source = { kind: 'web', name: 'a.example' }

  function trust(world: LearningWorld, isTrusted: boolean): void {
    const { projects } = world.skills.store
    const project = projects.get('p')
    if (project === undefined) throw new Error('no project')
    world.skills.store.transaction(() => projects.update({ ...project, trusted: isTrusted }))
  }

  test.each<[string, 'trusted' | 'installed', { isTrusted: boolean; source: Source; before?: Source }]>([
    ['where nothing but files of a trusted project was read', 'trusted', { isTrusted: true, source: file }],
    ['not of files of a project that nobody trusts', 'installed', { isTrusted: false, source: file }],
    ['not where one had read a page', 'installed', { isTrusted: true, source: page }],
    ['not where a page stands earlier in the chat', 'installed', { isTrusted: true, source: file, before: page }],
  ])('%s', async (_, expected, { isTrusted, source, before }) => {
    const world = openLearningWorld()
    trust(world, isTrusted)
    if (before !== undefined) {
      world.skills.thread({ id: 'earlier', conversationId: 'stock 1' })
      world.skills.events.commit((append) => append('earlier', read(before)))
    }
    for (const each of stock.slice(0, 3)) world.ended(each, { events: [read(source)] })
    await world.learn()
    expect(pending(world)[0]).toMatchObject({ trust: expected })
  })
})
