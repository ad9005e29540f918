import { expect, test } from 'vitest'
import { parseLine } from '../../../core/cli/commands.ts'
import { decideLearnt, listLearnt, showStatus } from '../../../core/cli/learn.ts'
import { folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { accessTo, printed } from './support.ts'

async function world() {
  const model = scriptedModel(({ messages, tools }) => {
    const mayDigest = tools.some(({ name }) => name === 'thread_digest')
    if (mayDigest && messages.at(-1)?.role === 'user') return { toolCalls: [scriptedCall('thread_digest', {})] }
    return { text: '```json\n{"done": "looked", "nextFocus": null, "goalReached": false, "evidence": []}\n```' }
  })
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const { projectId } = await runGoal(engine, folderWith({}), 'Always use metric units. How far is it?')
  const mission = await engine.api.call('mission.get', { projectId, name: 'conversation-insights' })
  const { threadId } = await engine.api.call('mission.fire', { id: mission.id })
  await engine.threads.join([threadId ?? ''], AbortSignal.timeout(60_000))
  const access = accessTo(engine)
  const [{ id } = expect.fail('nothing was proposed')] = await engine.api.call('learn.list', {})
  return { access, id, projectId }
}

test('what was learnt is told, decided on and taken back, each in the one form', async () => {
  const { access, id, projectId } = await world()
  const { terminal, lines } = printed(true)
  await listLearnt(access, terminal)
  await decideLearnt(access, terminal, { name: 'learn approve', id, reason: 'so it is' })
  await showStatus(access, terminal)
  await decideLearnt(access, terminal, { name: 'learn undo', id })
  expect(lines()).toMatchObject([
    { id, kind: 'insight', state: 'pending', text: 'Always use metric units.' },
    { id, kind: 'insight', state: 'live' },
    {
      ...{ autoApply: false, pending: 0, live: { overlay: 0, insight: 1, setting: 0 } },
      cursors: [{ mission: 'conversation-insights', projectId, seq: expect.any(Number) }],
    },
    { id, kind: 'insight', state: 'undone' },
  ])
  const again = decideLearnt(access, terminal, { name: 'learn reject', id })
  await expect(again).rejects.toMatchObject({ code: 'learn.decided' })
  await expect(decideLearnt(access, terminal, { name: 'learn undo', id: 'lrn_0' })).rejects.toMatchObject({
    code: 'learn.not_found',
  })
})

test('for people it says what is in force', async () => {
  const { access } = await world()
  const { terminal, text } = printed(false)
  await showStatus(access, terminal)
  expect(text()).toContain('in force      0 rules, 0 insights, 0 settings\nwaiting       1\n')
})

test.each([
  ['learn status', { name: 'learn status' }],
  ['learn list', { name: 'learn list' }],
  ['learn undo lrn_1 --reason no', { name: 'learn undo', id: 'lrn_1', reason: 'no' }],
])('%s', (line, command) => {
  expect(parseLine(line.split(' '), '/here').command).toEqual(command)
})

test.each(['learn', 'learn more', 'learn status now', 'learn approve', 'learn list --reason x'])(
  '%s is wrong usage',
  (line) => {
    expect(() => parseLine(line.split(' '), '/here')).toThrow(expect.objectContaining({ code: 'usage' }))
  },
)
