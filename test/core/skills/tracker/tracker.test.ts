import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventData } from '../../../../core/domain/event.ts'
import { limits } from '../../../../core/domain/limits.ts'
import type { SkillTrust } from '../../../../core/domain/skill.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { openSkillWorld, type SkillWorld, skillText } from '../../../support/skill-world.ts'

function open(): SkillWorld {
  const world = openSkillWorld(temporaryFolder())
  onTestFinished(() => world.close())
  world.project('p')
  return world
}

async function approve(world: SkillWorld, content: string, trust: SkillTrust = 'trusted') {
  const facts = {
    name: 'tide',
    projectId: 'p',
    source: 'extracted',
    trust,
    threadId: null,
    callKey: null,
  } as const
  const kind = world.skills.collection.library('p').get('tide') === undefined ? 'new' : 'update'
  const { id } = world.skills.review.propose({ ...facts, kind, content, proposedBy: 'a test', reason: 'learnt' })
  const { sha256, before } = await world.skills.review.get(id)
  await world.skills.review.decide({ id, sha256, before: before?.sha256 ?? null, decision: 'approve' })
}

let threads = 0
type Ended = 'answered' | 'failed' | 'stopped'

/** A thread that worked with the live version and ended so. */
async function use(world: SkillWorld, outcome: Ended, record: readonly EventData[] = []): Promise<string> {
  threads += 1
  const id = `t${threads}`
  const skill = world.skills.collection.library('p').get('tide') ?? expect.fail('nothing is live')
  const active = {
    id: skill.id,
    name: 'tide',
    version: skill.version,
    score: 10,
    tokens: 9,
    trust: 'trusted',
    isForced: false,
  } as const
  world.thread({ id, outcome })
  world.events.commit((append) => {
    append(id, {
      kind: 'skill.selected',
      data: { step: 0, skills: [active], looked: 1, unavailable: [] },
      body: { table: [] },
    })
    for (const event of record) append(id, event)
  })
  world.now += 1
  await world.skills.tracker.ended(world.store.threads.get(id) ?? expect.fail('no thread'))
  return id
}

const detail = (world: SkillWorld) => world.skills.desk.get({ name: 'tide', projectId: 'p' })
const uses = (world: SkillWorld) => world.skills.desk.uses(detail(world).id, 100)

const code = (raised: boolean, traceback?: string, version = 1): EventData => ({
  kind: 'code.finished',
  data: {
    ...{ step: 0, path: '1', ok: !raised, durationMs: 1, calls: 1, outputCharacters: 0, isFinal: false, summary: '' },
    snippets: [{ skill: 'tide', version, name: 'level', raised }],
  },
  body: { output: '', ...(traceback !== undefined && { traceback }) },
})
const call = (step: number, path: string, port = 'Aber'): EventData => ({
  kind: 'action.started',
  data: {
    ...{
      step,
      path,
      callId: path,
      name: 'http',
      argsHash: null,
      leaseId: null,
      usesLeft: null,
      summary: 'GET gauge',
    },
    policy: { verdict: 'allow', check: null, reason: null, effects: [] },
  },
  body: { arguments: { port } },
})

describe('a use', () => {
  it('is counted once for each version and thread, with how it ended', async () => {
    const world = open()
    await approve(world, skillText('tide'))
    const id = await use(world, 'answered')
    await world.skills.tracker.ended(world.store.threads.get(id) ?? expect.fail('no thread'))
    await world.skills.tracker.catchUp()
    expect(uses(world)).toMatchObject([{ threadId: id, version: 1, how: 'selected', outcome: 'success' }])
    expect(detail(world).confidence).toMatchObject({ value: 1, n: 1 })
    expect(world.history(id).at(-1)).toMatchObject({ kind: 'skill.used', data: { outcome: 'success', version: 1 } })
  })

  it('that a person takes back after its end is a failure of the function that it used', async () => {
    const world = open()
    await approve(world, skillText('tide'))
    const called = []
    for (let at = 0; at < 3; at += 1) called.push(await use(world, 'answered', [code(false)]))
    const chosen = await use(world, 'answered')
    expect(detail(world).confidence).toMatchObject({ value: 1, n: 4 })
    for (const id of [chosen, ...called, ...called]) {
      const thread = world.store.threads.get(id) ?? expect.fail('no thread')
      world.events.commit((append) => world.skills.tracker.corrected(append, thread, 'that is the other pier'))()
    }
    // Whoever was only offered it has not relied on it; three failures in a row take it back.
    expect(uses(world).map(({ outcome }) => outcome)).toEqual(['success', 'failure', 'failure', 'failure'])
    expect(detail(world)).toMatchObject({ confidence: { n: 4, value: 0.25 } })
    expect(world.skills.collection.library('p').get('tide')).toBeUndefined()
  })

  it('that a person stopped, or in which no model could be reached, does not count', async () => {
    const world = open()
    await approve(world, skillText('tide'))
    await use(world, 'stopped')
    const gone = { from: 'Running', to: 'Failed', outcome: 'failed', code: 'model.timeout' } as const
    await use(world, 'failed', [{ kind: 'thread.state', data: gone }])
    expect(uses(world).map(({ outcome }) => outcome)).toEqual([null, null])
    expect(detail(world)).toMatchObject({ uses: 0, confidence: { n: 0, value: 1 } })
  })

  it.each([
    ['whose function raised', 'failure', [code(true, 'KeyError: level')]],
    ['whose guard stopped it', null, [code(true, 'ValueError: skill guard: the unit is not m')]],
    [
      'that was called without what it needs',
      null,
      [code(true, "TypeError: level() missing 1 required argument: 'at'")],
    ],
    ['whose calls the model made again', 'failure', [call(0, '1.1'), code(false), call(1, '1')]],
    [
      'after whose calls the model made others that look alike',
      'success',
      [call(0, '1.1'), code(false), call(1, '1', 'Brest')],
    ],
    ['that failed before a guard stopped it', 'failure', [code(true, 'KeyError'), code(true, 'skill guard: no unit')]],
    ['whose function did its work', 'success', [call(0, '1.1'), call(0, '1.2'), code(false)]],
  ])('of an answered thread %s is %s', async (_what, outcome, record) => {
    const world = open()
    await approve(world, skillText('tide'))
    await use(world, 'answered', record)
    expect(uses(world)).toMatchObject([{ how: 'called', outcome }])
  })
})

it('counts for the version that was called, not for another that the thread was given', async () => {
  const world = open()
  await approve(world, skillText('tide'))
  const { id } = detail(world)
  await approve(world, skillText('tide', { body: 'Ask twice.' }))
  const given = { id, name: 'tide', version: 1, score: 0, tokens: 9, trust: 'trusted', isForced: false } as const
  await use(world, 'answered', [
    { kind: 'skill.loaded', data: { step: 0, path: '1', skill: given } },
    code(true, 'KeyError: level', 1),
  ])
  const outcomes = uses(world).map(({ version, how, outcome }) => ({ version, how, outcome }))
  expect(outcomes).toContainEqual({ version: 1, how: 'called', outcome: 'failure' })
  expect(outcomes).toContainEqual({ version: 2, how: 'selected', outcome: 'success' })
})

describe('a version that fails', () => {
  it('three times in a row is taken back: its parent is live, with the failing threads on record', async () => {
    const world = open()
    await approve(world, skillText('tide'))
    for (let at = 0; at < 10; at += 1) await use(world, 'answered')
    await approve(world, skillText('tide', { body: 'Worse.' }))
    const failed = [await use(world, 'failed'), await use(world, 'failed')]
    expect(detail(world)).toMatchObject({ version: 2 })
    failed.push(await use(world, 'failed'))
    const after = detail(world)
    expect(after).toMatchObject({ version: 1, state: 'active' })
    expect(after.versions[0]).toMatchObject({ version: 2, state: 'rolledBack' })
    expect(after.versions[0]?.rolledBack?.threadIds.toSorted()).toEqual(failed.toSorted())
    expect(world.history(after.id).at(-1)).toMatchObject({
      kind: 'skill.versioned',
      data: { from: 2, to: 1, by: 'tracker', threadIds: expect.arrayContaining(failed) },
    })
  })

  it('and has no parent is out of use', async () => {
    const world = open()
    await approve(world, skillText('tide'))
    for (let at = 0; at < 3; at += 1) await use(world, 'failed')
    expect(world.skills.collection.library('p').get('tide')).toBeUndefined()
    expect(detail(world)).toMatchObject({ state: 'suspended', version: 1 })
    expect(world.skills.desk.select('the tide', 'p').selected).toEqual([])
  })

  it('is live again only by a decision, and then its failures of before do not count', async () => {
    const world = open()
    await approve(world, skillText('tide'))
    await approve(world, skillText('tide', { body: 'Two.' }))
    for (let at = 0; at < 3; at += 1) await use(world, 'failed')
    expect(detail(world).version).toBe(1)
    const { id } = detail(world)
    expect(world.skills.desk.rollBack({ id, to: 2 })).toMatchObject({ version: 2 })
    await use(world, 'failed')
    await use(world, 'failed')
    expect(detail(world).version).toBe(2)
    await use(world, 'failed')
    expect(detail(world).version).toBe(1)
  })

  it('a bit more than its parent is proposed for going back, which is carried out where nobody answers', async () => {
    const world = open()
    await approve(world, skillText('tide'))
    for (let at = 0; at < 40; at += 1) await use(world, 'answered')
    await approve(world, skillText('tide', { body: 'A bit worse.' }))
    for (let at = 0; at < 20; at += 1) await use(world, at % 5 === 0 || at % 5 === 2 ? 'failed' : 'answered')
    expect(detail(world).version).toBe(2)
    const [proposed] = world.skills.review.list({ state: 'pending', limit: 10 }).rows
    expect(proposed).toMatchObject({ kind: 'rollback', name: 'tide', target: { version: 2 } })
    expect(proposed?.expiresAt).toBe((proposed?.proposedAt ?? 0) + limits.rollbackProposalMs)
    world.now = (proposed?.expiresAt ?? 0) - 1
    world.skills.review.expireDue()
    expect(detail(world).version).toBe(2)
    world.now += 1
    world.skills.review.expireDue()
    expect(detail(world)).toMatchObject({ version: 1 })
    expect(world.skills.review.list({ state: 'decided', limit: 1 }).rows).toMatchObject([
      { state: 'approved', version: 1 },
    ])
  })
})

it('taken back again and again, a skill never returns to bytes that were taken back', async () => {
  const world = open()
  for (const body of ['A', 'B', 'A']) await approve(world, skillText('tide', { body }))
  for (let at = 0; at < 3; at += 1) await use(world, 'failed')
  expect(detail(world)).toMatchObject({ version: 2, state: 'active' })
  for (let at = 0; at < 3; at += 1) await use(world, 'failed')
  expect(detail(world).state).toBe('suspended')
})

it('bytes that were taken back are not given to a thread in another version either, and an edit does not trust them', async () => {
  const world = open()
  await approve(world, skillText('tide'), 'installed')
  await approve(world, skillText('tide', { body: 'Other.' }), 'installed')
  await approve(world, skillText('tide'), 'installed')
  const { id } = detail(world)
  for (let at = 0; at < 3; at += 1) await use(world, 'failed')
  world.thread({ id: 'asks' })
  const load = (version: number) => world.skills.threads.loads.load({ threadId: 'asks', name: 'tide', version }).kind
  expect([load(3), load(1)]).toEqual(['refused', 'refused'])
  for (let at = 0; at < 3; at += 1) await use(world, 'failed')
  expect(detail(world).state).toBe('suspended')
  world.skills.desk.save({ id, parent: null, content: skillText('tide', { body: 'Mended.' }) })
  expect(detail(world)).toMatchObject({ state: 'active', trust: 'installed' })
})
