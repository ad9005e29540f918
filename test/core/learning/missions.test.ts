import { describe, expect, test } from 'vitest'
import { learningMissions } from '../../../core/domain/learnt.ts'
import type { Engine } from '../../../core/engine.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

const account = '```json\n{"done": "looked", "nextFocus": null, "goalReached": false, "evidence": []}\n```'
const own = ['trace_findings', 'fix_pattern_list', 'overlay_propose', 'setting_propose', 'code_propose', 'lesson_write']

/** A mission's thread calls the action that its goal names first; one that is to go wrong guesses two paths; every other one answers. */
async function start() {
  const model = scriptedModel(({ messages, tools }) => {
    const said = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    const name = tools.find(
      (tool) => said.startsWith('# Mission: ') && said.includes(`First call \`${tool.name}\``),
    )?.name
    if (name !== undefined && messages.at(-1)?.role === 'user') return { toolCalls: [scriptedCall(name, {})] }
    const guesses = messages.filter(({ role }) => role === 'tool').length
    if (/wrong/.test(said) && guesses < 2)
      return { toolCalls: [scriptedCall('read_file', { path: `${guesses}.md` }, `c${guesses}`)] }
    return { text: name === undefined ? 'fine' : account }
  })
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const folder = folderWith({})
  const { id } = await engine.api.call('project.open', { folder })
  return { engine, model, folder, projectId: id }
}

async function fire(engine: Engine, projectId: string, name: string) {
  const mission = await engine.api.call('mission.get', { projectId, name })
  const { threadId } = await engine.api.call('mission.fire', { id: mission.id })
  if (threadId === null) return expect.fail('it did not fire')
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  return { mission, threadId }
}

describe('the missions of learning', () => {
  test('are there in each project, capped as they are meant, and may only read and propose', async () => {
    const { engine, projectId } = await start()
    const caps = { 'self-improvement': 5, 'conversation-insights': 2 }
    for (const [name, dailyCap] of Object.entries(caps)) {
      expect(learningMissions).toContain(name)
      const { definition } = await engine.api.call('mission.get', { projectId, name })
      expect(definition).toMatchObject({ dailyCap, cadence: { kind: 'event' } })
      const actions = definition?.actions ?? expect.fail('it may do whatever any thread may')
      expect(actions.length).toBeGreaterThan(0)
      const changing = ['write_file', 'patch_file', 'move', 'delete', 'shell', 'http', 'memory_write', 'save_skill']
      expect(actions.filter((action) => changing.includes(action))).toEqual([])
    }
  })

  test('their actions are offered to their threads, and to no other', async () => {
    const { engine, model, folder, projectId } = await start()
    await runGoal(engine, folder, 'go')
    const offered = model.requests[0]?.tools.map(({ name }) => name) ?? []
    expect(offered).toContain('read_file')
    expect(offered.filter((name) => [...own, 'thread_digest', 'insight_propose'].includes(name))).toEqual([])
    await fire(engine, projectId, 'self-improvement')
    const toMission = model.requests.at(-1)?.tools.map(({ name }) => name) ?? []
    expect(toMission.toSorted()).toEqual([...own, 'memory_read', 'memory_search'].toSorted())
  })

  test('threads that went wrong set off the one, each fifth that is answered the other, and neither sets off itself', async () => {
    const { engine, folder, projectId } = await start()
    const firings = async (name: string) => {
      await engine.api.call('mission.tick', {})
      const { id } = await engine.api.call('mission.get', { projectId, name })
      return (await engine.api.call('mission.firings', { id })).map(({ state }) => state)
    }
    for (let n = 0; n < 4; n += 1) await runGoal(engine, folder, 'go')
    await runGoal(engine, folder, 'go wrong')
    const poll = (name: string) => expect.poll(() => firings(name), { timeout: 60_000 })
    await poll('self-improvement').toEqual(['ran'])
    await poll('conversation-insights').toEqual(['ran'])
    expect(await engine.api.call('learn.list', { projectId })).toMatchObject([
      { kind: 'overlay', state: 'pending', topic: 'tool_error read_file action.not_found' },
    ])
  })

  test('what a person said for good is proposed, and told in every new chat once it is approved; then nothing is left of it', async () => {
    const { engine, model, folder, projectId } = await start()
    const system = () => model.requests.at(-1)?.messages[0]?.content ?? ''
    await runGoal(engine, folder, 'Always use metric units. How far is the pier?')
    const before = system()
    const { threadId } = await fire(engine, projectId, 'conversation-insights')
    expect(eventsOf(engine, threadId).find(({ kind }) => kind === 'action.finished')).toMatchObject({
      data: { ok: true },
    })
    const [insight = expect.fail('nothing was proposed')] = await engine.api.call('learn.list', { projectId })
    expect(insight).toMatchObject({ kind: 'insight', topic: 'preference', state: 'pending' })
    expect(await engine.api.call('engine.info', {})).toMatchObject({ learntPending: 1 })
    await engine.api.call('learn.decide', { id: insight.id, decision: 'approve', sha256: insight.sha256 ?? '' })
    await runGoal(engine, folder, 'How far is the church?')
    expect(system()).toContain('## What the user said in earlier threads\n\n- Always use metric units.')
    await engine.api.call('learn.undo', { id: insight.id })
    await runGoal(engine, folder, 'How far is the church?')
    expect(system().replace(/^Now: .*$/m, '')).toBe(before.replace(/^Now: .*$/m, ''))
  })
})

test('approving a setting changes it in the store, and taking it back too', async () => {
  const { engine, folder, projectId } = await start()
  const thread = await runGoal(engine, folder, 'go')
  const propose = (after: number) => ({
    setting: 'budgets.thread.steps',
    after,
    threads: [thread.number],
    reason: 'few',
  })
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'user'
      ? { toolCalls: [scriptedCall('setting_propose', propose(80))] }
      : { text: account },
  )
  const { dataDir } = await engine.api.call('engine.info', {})
  await engine.stop('another model')
  const second = await startEngine({ dataDir, embedded: { scripted: model } })
  await fire(second, projectId, 'self-improvement')
  const [setting = expect.fail('nothing was proposed')] = await second.api.call('learn.list', { projectId })
  const steps = async () => (await second.api.call('settings.get', {})).budgets.thread.steps
  await second.api.call('learn.decide', { id: setting.id, decision: 'approve', sha256: setting.sha256 ?? '' })
  expect(await steps()).toBe(80)
  await second.api.call('learn.undo', { id: setting.id })
  expect(await steps()).toBeNull()
})
