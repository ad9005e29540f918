import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../core/domain/json.ts'
import type { Source } from '../../../core/domain/source.ts'
import { createSkillProposeAction } from '../../../core/learning/learning.ts'
import type { Episode } from '../../../core/learning/miner/episode.ts'
import { parseSkill } from '../../../core/skills/file/parse.ts'
import { type LearningWorld, openLearningWorld } from './extraction/learning-world.ts'
import { got, readFile } from './miner/recorder.ts'
import { episode, stockThreads } from './miner/worked.ts'

const stock = stockThreads()
const words = {
  name: 'stock-worth',
  description: 'What the stock of a product in one town is worth, at list price.',
  body: '# Worth\n\nCall the function once. Say the sum with its currency.',
}
const foreign: Source = { kind: 'web', name: 'a.example' }

function actionOf({ skills }: LearningWorld, names: readonly string[] = []) {
  const { store } = skills
  const { review, reword } = skills.skills
  const action = createSkillProposeAction({ store, review, reword, skillNames: () => names })
  skills.thread({ id: 'proposing', goal: '# Mission: skill-extraction', outcome: 'stopped' })
  let calls = 0
  return async (args: JsonObject, { sources = [], key }: { sources?: readonly Source[]; key?: string } = {}) => {
    calls += 1
    const result: unknown = await action.run(action.parameters.parse(args), {
      ...{ projectId: 'p', folder: '/p', dataDir: '/none', threadId: 'proposing', callKey: key ?? `call ${calls}` },
      ...{ now: 5, timeZone: 'UTC', sources, signal: new AbortController().signal, resultCharacters: 60_000 },
      memory: { write: () => expect.fail(), read: () => undefined, search: () => expect.fail() },
      trash: { place: () => expect.fail(), record: () => expect.fail() },
      note: () => expect.fail(),
      notify: () => expect.fail(),
    })
    return isJsonObject(result) ? result : expect.fail('no object')
  }
}

async function mined() {
  const world = openLearningWorld()
  const propose = actionOf(world)
  for (const each of stock.slice(0, 3)) world.ended(each)
  await world.learn()
  const { review } = world.skills.skills
  const [waiting] = review.list({ state: 'pending', limit: 5 }).rows
  const id = waiting?.id ?? expect.fail('nothing was mined')
  return { world, propose, review, id, before: await review.get(id) }
}

const skillIn = (content: string, name: string) => {
  const verdict = parseSkill(Buffer.from(content), name)
  return verdict.outcome === 'reject' ? expect.fail('no skill') : verdict.skill
}

describe('words for what was mined', () => {
  test('change its name, description and text, and not a byte of what it runs and is chosen by', async () => {
    const { propose, review, id, before } = await mined()
    expect(await propose({ candidate: id, ...words })).toMatchObject({ candidate: id, name: 'stock-worth' })
    const after = await review.get(id)
    expect(after).toMatchObject({ id, name: 'stock-worth', state: 'pending', evidence: before.evidence })
    const [old, fresh] = [skillIn(before.content, before.name), skillIn(after.content, 'stock-worth')]
    expect(fresh.snippets).toEqual(old.snippets)
    expect(fresh.activation).toEqual(old.activation)
    expect(fresh).toMatchObject({ description: words.description, body: expect.stringContaining('Say the sum') })
    for (const { part, line, text } of after.evidence)
      if (part === 'line') expect(after.content.split('\n')[(line ?? 0) - 1]?.trim()).toBe(text)
  })

  test('are what a person decides on: a decision on the bytes before is none', async () => {
    const { world, propose, review, id, before } = await mined()
    await propose({ candidate: id, ...words })
    const decision = { id, before: null, decision: 'approve' } as const
    await expect(review.decide({ ...decision, sha256: before.sha256 })).rejects.toMatchObject({
      code: 'candidate.stale',
    })
    await review.decide({ ...decision, sha256: (await review.get(id)).sha256 })
    expect(world.skills.skills.collection.library('p').get('stock-worth')).toMatchObject({ version: 1 })
    // The miner knows it by its new name.
    for (const each of stock.slice(3)) world.ended(each)
    expect(await world.learn()).toEqual(['duplicate stock 3'])
    const [last] = world.skills.history(
      world.skills.store.threads.list({ conversations: false, limit: 1 })[0]?.id ?? '',
    )
    expect(JSON.stringify(last?.data)).toContain('stock-worth')
  })

  test('said twice are said once', async () => {
    const { world, propose, id } = await mined()
    await propose({ candidate: id, ...words })
    const seq = world.skills.store.events.lastSeq()
    await propose({ candidate: id, ...words })
    expect(world.skills.store.events.lastSeq()).toBe(seq)
  })

  test.each<[string, JsonObject, string]>([
    ['another candidate than a mined one', { candidate: 'can_0' }, 'learn.invalid'],
    ['a candidate and a thread', { thread: 1 }, 'learn.invalid'],
  ])('are refused for %s', async (_, change, code) => {
    const { propose, review, id, before } = await mined()
    await expect(propose({ candidate: id, ...words, ...change })).rejects.toMatchObject({ code })
    expect((await review.get(id)).sha256).toBe(before.sha256)
  })

  test('name no folder that a skill could not have', async () => {
    const { propose, id } = await mined()
    await expect(propose({ candidate: id, ...words, name: 'Not A Name' })).rejects.toThrow('regex')
  })

  test('are refused once it was decided on, and where text from elsewhere was read', async () => {
    const { world, propose, id } = await mined()
    const elsewhere = propose({ candidate: id, ...words }, { sources: [foreign] })
    await expect(elsewhere).rejects.toMatchObject({ code: 'learn.invalid' })
    await world.decide('reject')
    await expect(propose({ candidate: id, ...words })).rejects.toMatchObject({ code: 'candidate.decided' })
  })
})

describe('a skill that a model writes of one thread', () => {
  const base = 'https://a.example'
  const look = (count: number, kinds: number): Episode =>
    episode(
      `look ${count}`,
      'Look after the harbour logs',
      Array.from({ length: count }, (_, at) => [
        at % kinds === 0 ? readFile(`log${at}.txt`, 'calm') : got(`${base}/k${at % kinds}/${at}`, {}, { at }),
      ]),
    )
  const asked = { ...words, name: 'harbour-logs', keywords: ['harbour', 'boats'] }
  const proposedOf = async (thread: Episode, of: { sources?: readonly Source[]; names?: readonly string[] } = {}) => {
    const world = openLearningWorld()
    const { projects } = world.skills.store
    const project = projects.get('p') ?? expect.fail('no project')
    world.skills.store.transaction(() => projects.update({ ...project, trusted: true }))
    const propose = actionOf(world, of.names)
    world.ended(thread)
    const { number } = world.skills.store.threads.get(thread.threadId) ?? expect.fail('no thread')
    return { world, told: await propose({ ...asked, thread: number }, of) }
  }

  test('waits as one without code, with the goal as evidence for its words', async () => {
    const { world, told } = await proposedOf(look(5, 3))
    const candidate = await world.skills.skills.review.get(String(told.candidate))
    expect(candidate).toMatchObject({ name: 'harbour-logs', state: 'pending', source: 'extracted', trust: 'trusted' })
    expect(skillIn(candidate.content, candidate.name).snippets).toEqual([])
    expect(candidate.evidence.map(({ text, steps }) => [text, steps.length])).toEqual([
      ['harbour', 1],
      ['boats', 0],
    ])
  })

  test.each<[string, Episode]>([
    ['four steps', look(4, 3)],
    ['two kinds of calls', look(6, 2)],
  ])('is left out for %s', async (_, thread) => {
    await expect(proposedOf(thread)).rejects.toMatchObject({ message: expect.stringMatching(/^SKIP: /) })
  })

  test('takes no name that a skill has, and is trusted by what was read', async () => {
    await expect(proposedOf(look(5, 3), { names: ['harbour-logs'] })).rejects.toMatchObject({ code: 'learn.invalid' })
    const { world, told } = await proposedOf(look(5, 3), { sources: [foreign] })
    expect(await world.skills.skills.review.get(String(told.candidate))).toMatchObject({ trust: 'installed' })
  })
})
