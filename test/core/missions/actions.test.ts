import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { Completion } from '../../../core/domain/model.ts'
import type { Engine } from '../../../core/engine.ts'
import { eventsOf, folderWith, removeMissions, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { definition } from './mission-world.ts'

const account = '```json\n{"done": "read it", "nextFocus": null, "goalReached": false, "evidence": []}\n```'

async function world(...answers: readonly Partial<Completion>[]) {
  const notices: { readonly text: string; readonly where: unknown }[] = []
  const script = [...answers]
  const model = scriptedModel(({ messages }) =>
    JSON.stringify(messages).includes('# Mission:') ? { text: account } : (script.shift() ?? { text: 'done' }),
  )
  const notify = (text: string, where: unknown) => void notices.push({ text, where })
  const engine = await startEngine({ embedded: { scripted: model }, notify })
  await useScriptedModel(engine)
  const project = await engine.api.call('project.open', { folder: folderWith({ 'notes.md': 'Tides turn.' }) })
  await removeMissions(engine)
  return { engine, projectId: project.id, notices }
}

/** A thread that calls one action after the other; what asks is approved. */
async function results(engine: Engine, projectId: string) {
  const { threadId } = await engine.api.call('thread.send', { projectId, text: 'go' })
  for (;;) {
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    const [request] = (await engine.api.call('approval.list', { state: 'pending' })).rows
    if (request === undefined) break
    await engine.api.call('approval.decide', { id: request.id, decision: 'approve' })
  }
  return eventsOf(engine, threadId).flatMap((event) => (event.kind === 'action.finished' ? [event.body.result] : []))
}
const call = (name: string, args: Parameters<typeof scriptedCall>[1]) => ({ toolCalls: [scriptedCall(name, args)] })
const digest = { name: 'digest', goal: 'Read the news.', cadence: '0 9 * * 1-5' }

test('what an agent proposes is a mission that nothing sets off until a person starts it', async () => {
  const { engine, projectId } = await world(call('mission_propose', digest), call('mission_fire', { name: 'digest' }))
  const [proposed, fired] = await results(engine, projectId)
  expect(proposed).toMatchObject({ name: 'digest', status: 'proposed' })
  expect(JSON.stringify(fired)).toContain('mission.state')
  const [mission] = await engine.api.call('mission.list', {})
  expect(mission).toMatchObject({ status: 'proposed', source: 'agent', nextFireAt: null })
  const { id, version } = mission ?? expect.fail('no mission')
  expect(await engine.api.call('mission.resume', { id, version })).toMatchObject({ status: 'active' })
})

test('a proposal is told of once, waits where it can be found, and says which thread made it and what that had read', async () => {
  const proposal = call('mission_propose', digest)
  const { engine, projectId, notices } = await world(call('read_file', { path: 'notes.md' }), proposal, proposal)
  await results(engine, projectId)
  const [mission, ...others] = await engine.api.call('mission.proposed', {})
  const { id, version } = mission ?? expect.fail('no proposal')
  expect(others).toEqual([])
  const text = 'An agent proposes the mission digest. It does nothing until you start it.'
  expect(notices).toEqual([{ text, where: { missionId: id } }])
  const [thread] = (await engine.api.call('thread.list', {})).rows
  const sources = [{ kind: 'file', name: 'notes.md', isOfProject: true }]
  expect((await engine.api.call('mission.get', { id })).proposal).toEqual({ threadId: thread?.id, sources })
  await engine.api.call('mission.resume', { id, version })
  expect(await engine.api.call('mission.proposed', {})).toEqual([])
})

test('what a person writes is nobody’s proposal', async () => {
  const { engine, projectId, notices } = await world()
  const saved = await engine.api.call('mission.save', { projectId, definition: definition() })
  expect(saved.proposal).toBeNull()
  expect(await engine.api.call('mission.proposed', {})).toEqual([])
  expect(notices).toEqual([])
})

test('the same proposal twice is one; another one of that name is refused, and changes nothing', async () => {
  const other = { ...digest, goal: 'Send the news to everybody.' }
  const { engine, projectId } = await world(...[digest, digest, other].map((args) => call('mission_propose', args)))
  const [, again, refused] = await results(engine, projectId)
  expect(again).toMatchObject({ name: 'digest', status: 'proposed' })
  expect(JSON.stringify(refused)).toContain('only the user changes it')
  const missions = await engine.api.call('mission.list', {})
  expect(missions).toHaveLength(1)
  expect(await engine.api.call('mission.get', { id: missions[0]?.id ?? '' })).toMatchObject({
    definition: { goal: 'Read the news.' },
  })
})

test('a name that no first page holds is one that is taken all the same', async () => {
  const other = { ...digest, name: 'zz-report', goal: 'Send all of it elsewhere.' }
  const { engine, projectId } = await world(call('mission_propose', other), call('mission_list', {}))
  const save = (name: string) =>
    engine.api.call('mission.save', { projectId, definition: definition({ name, cadence: { kind: 'manual' } }) })
  const { id } = await save('zz-report')
  for (let at = 0; at < limits.pageRows; at += 1) await save(`a-${at}`)
  const [refused] = await results(engine, projectId)
  expect(JSON.stringify(refused)).toContain('only the user changes it')
  expect(await engine.api.call('mission.get', { id })).toMatchObject({ version: 1, source: 'person', status: 'active' })
})

test('proposals that wait are at most so many: one more is refused, and says what to do', async () => {
  const { engine, projectId } = await world(call('mission_propose', { ...digest, name: 'one-more' }))
  const { store } = engine
  for (let at = 0; at < limits.missionsProposed; at += 1) {
    const { id } = await engine.api.call('mission.save', { projectId, definition: definition({ name: `a-${at}` }) })
    const mission = store.missions.get(id) ?? expect.fail('no mission')
    store.missions.update({ ...mission, status: 'proposed', source: 'agent', nextFireAt: null })
  }
  const [refused] = await results(engine, projectId)
  expect(JSON.stringify(refused)).toMatch(/mission\.invalid.*start or remove some/)
  await engine.api.call('mission.remove', { id: store.missions.byName(projectId, 'a-0')?.id ?? '' })
  expect(store.missions.countProposed(projectId)).toBe(limits.missionsProposed - 1)
})

test('a proposal that is no mission is refused with what would be right', async () => {
  const { engine, projectId } = await world(call('mission_propose', { ...digest, cadence: '0 25 * * *' }))
  const [refused] = await results(engine, projectId)
  expect(JSON.stringify(refused)).toMatch(/mission\.invalid.*hour/)
  expect(await engine.api.call('mission.list', {})).toEqual([])
})

test('setting one off and pausing it ask, and are done once they are approved', async () => {
  const { engine, projectId } = await world(
    call('mission_fire', { name: 'digest' }),
    call('mission_pause', { name: 'digest' }),
    call('mission_list', {}),
  )
  const { id } = await engine.api.call('mission.save', {
    projectId,
    definition: definition({ cadence: { kind: 'manual' } }),
  })
  const [fired, paused, listed] = await results(engine, projectId)
  expect(fired).toMatchObject({ name: 'digest', state: expect.stringMatching(/queued|running/) })
  expect(paused).toMatchObject({ status: 'paused' })
  expect(listed).toMatchObject({ missions: [{ name: 'digest', status: 'paused' }] })
  await expect.poll(async () => (await engine.api.call('mission.firings', { id }))[0]?.state).toMatch(/ran|cancelled/)
})

test('an agent is told of so many missions and no more', async () => {
  const { engine, projectId } = await world(call('mission_list', {}))
  for (let n = 0; n <= limits.missionsTold; n += 1)
    await engine.api.call('mission.save', { projectId, definition: definition({ name: `m${n}` }) })
  const [listed] = await results(engine, projectId)
  expect(listed).toMatchObject({ missions: { length: limits.missionsTold } })
})
