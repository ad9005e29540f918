import fs from 'node:fs'
import { expect, test } from 'vitest'
import type { MissionDefinition } from '../../../core/domain/mission.ts'
import { eventsOf, folderWith, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { definition } from './mission-world.ts'

const account = '```json\n{"done": "tidied up", "nextFocus": null, "goalReached": false, "evidence": []}\n```'

const goal = 'Delete a.txt, b.txt and c.txt, one a day.'

/** A mission whose firings each look at the folder, delete the next file of it, and give their account. */
async function world(of: Partial<MissionDefinition> = {}) {
  const folder = folderWith({ 'a.txt': '1', 'b.txt': '2', 'c.txt': '3' })
  const model = scriptedModel(({ messages }) => {
    const done = messages.filter(({ role }) => role === 'tool').length
    if (done === 0) return { toolCalls: [scriptedCall('list_files', {})] }
    const [next = 'none'] = fs.readdirSync(folder).filter((name) => name.endsWith('.txt'))
    return done === 1 ? { toolCalls: [scriptedCall('delete', { path: next })] } : { text: account }
  })
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const project = await engine.api.call('project.open', { folder })
  const saved = definition({ goal, cadence: { kind: 'manual' }, actions: ['read_file'], ...of })
  const { id } = await engine.api.call('mission.save', { projectId: project.id, definition: saved })
  const newest = async () => (await engine.api.call('mission.firings', { id }))[0] ?? expect.fail('no firing')
  const rest = async () => {
    const { threadId } = await newest()
    await engine.threads.join([threadId ?? ''], AbortSignal.timeout(60_000))
  }
  const pending = async () => (await engine.api.call('approval.list', { state: 'pending' })).rows
  const fire = async (how: 'mission.fire' | 'mission.rehearse') => {
    await engine.api.call(how, { id })
    await rest()
  }
  /** Each that waits, as long as something does. */
  const decide = async (how: { readonly decision: 'approve' | 'deny'; readonly scope?: 'once' | 'mission' }) => {
    for (const request of await pending()) await engine.api.call('approval.decide', { id: request.id, ...how })
    await rest()
  }
  const found = () => engine.api.call('mission.rehearsal', { id })
  const save = (next: MissionDefinition, follows: number) =>
    engine.api.call('mission.save', { projectId: project.id, id, follows, definition: next })
  const started = async () =>
    eventsOf(engine, (await newest()).threadId ?? '').flatMap((event) =>
      event.kind === 'action.started' ? [[event.data.name, event.data.policy.check]] : [],
    )
  return { engine, id, saved, newest, pending, fire, decide, found, save, started, left: () => fs.readdirSync(folder) }
}

test('what was approved for the mission in its rehearsal is not asked again in a firing that nobody looks at', async () => {
  const { saved, pending, fire, decide, found, save, started, left } = await world()
  expect(await found()).toBeNull()
  await fire('mission.rehearse')
  expect(await pending()).toMatchObject([{ action: 'delete' }])
  await decide({ decision: 'approve', scope: 'mission' })
  const rehearsal = await found()
  expect(rehearsal).toMatchObject({
    firing: { trigger: 'rehearsal', state: 'ran' },
    used: [
      { action: 'delete', calls: 1, asksAgain: 0, denied: 0 },
      { action: 'list_files', calls: 1, asksAgain: 0, denied: 0 },
    ],
  })
  await save({ ...saved, actions: rehearsal?.used.map(({ action }) => action) ?? [] }, 1)
  await fire('mission.fire')
  expect(await pending()).toEqual([])
  expect(await started()).toEqual([
    ['list_files', null],
    ['delete', 'grant'],
  ])
  expect(left()).toEqual(['c.txt'])
})

test('what was approved once asks again, and what was denied is told', async () => {
  const { fire, decide, found } = await world()
  await fire('mission.rehearse')
  await decide({ decision: 'approve' })
  expect((await found())?.used).toMatchObject([{ action: 'delete', calls: 1, asksAgain: 1 }, { action: 'list_files' }])
  await fire('mission.rehearse')
  await decide({ decision: 'deny' })
  expect((await found())?.used).toMatchObject([
    { action: 'delete', calls: 0, asksAgain: 0, denied: 1 },
    { action: 'list_files', calls: 1, denied: 0 },
  ])
})

test('a firing may use what its mission names and nothing else, whatever a rehearsal could', async () => {
  const { fire, decide, newest, started, left } = await world({ actions: ['list_files'] })
  await fire('mission.rehearse')
  await decide({ decision: 'approve', scope: 'mission' })
  await fire('mission.fire')
  expect(await newest()).toMatchObject({ state: 'ran' })
  expect(await started()).toEqual([
    ['list_files', null],
    ['delete', 'lease'],
  ])
  expect(left()).toContain('b.txt')
})

test('what was approved for a goal stands no more once the goal is another, or the mission is removed', async () => {
  const { engine, id, saved, fire, decide, save } = await world({ actions: null })
  const ofMission = async () =>
    (await engine.api.call('grant.list', {})).filter(({ missionId }) => missionId === id).length
  await fire('mission.rehearse')
  await decide({ decision: 'approve', scope: 'mission' })
  await save({ ...saved, actions: ['delete', 'list_files'] }, 1)
  expect(await ofMission()).toBe(1)
  await save({ ...saved, goal: `${goal} Begin with a.txt.` }, 2)
  expect(await ofMission()).toBe(0)
  await fire('mission.rehearse')
  await decide({ decision: 'approve', scope: 'mission' })
  expect(await ofMission()).toBe(1)
  await engine.api.call('mission.remove', { id })
  expect(await ofMission()).toBe(0)
})

test('only a firing can be approved for its mission; another mission is not meant', async () => {
  const { engine, id, saved, pending, fire, decide } = await world({ actions: null })
  await fire('mission.rehearse')
  await decide({ decision: 'approve', scope: 'mission' })
  const { projectId } = await engine.api.call('mission.get', { id })
  const other = await engine.api.call('mission.save', { projectId, definition: { ...saved, name: 'other' } })
  const { threadId } = await engine.api.call('mission.fire', { id: other.id })
  await engine.threads.join([threadId ?? ''], AbortSignal.timeout(60_000))
  expect(await pending()).toMatchObject([{ action: 'delete' }])
  await engine.api.call('thread.stop', { id: threadId ?? '' })
  const asked = await engine.api.call('thread.send', { projectId, text: 'tidy up' })
  await engine.threads.join([asked.threadId], AbortSignal.timeout(60_000))
  const [request] = await pending()
  await expect(
    engine.api.call('approval.decide', { id: request?.id ?? '', decision: 'approve', scope: 'mission' }),
  ).rejects.toMatchObject({ code: 'api.input' })
  expect(await pending()).toHaveLength(1)
})
