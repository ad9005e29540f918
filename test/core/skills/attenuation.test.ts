import { describe, expect, it } from 'vitest'
import { actions } from '../../../core/capabilities/capabilities.ts'
import { put } from '../../support/asking.ts'
import { eventsOf, folderWith, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from './skill-files.ts'

const installed = skillOf('reef', { keywords: ['reef'], trust: 'installed' })
const trusted = skillOf('tide', { keywords: ['tide'] })

/** A thread that was allowed everything: it reads, then writes twice. */
async function runAllowed(text: string) {
  const model = scriptedModel((_request, n) => {
    if (n === 0)
      return { toolCalls: [scriptedCall('list_files', {}), scriptedCall('calculate', { expression: '1 + 1' })] }
    if (n < 3) return { toolCalls: [scriptedCall('put', { file: `${n}.txt`, text: 'x' })] }
    return { text: 'done' }
  })
  const engine = await startEngine({
    embedded: { scripted: model },
    actions: [...actions, put],
    skills: libraryOf(installed, trusted),
  })
  await useScriptedModel(engine)
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const asked = { projectId: project.id, text, approvesAll: true }
  const { threadId } = await engine.api.call('thread.send', asked)
  const rest = async () => {
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    return engine.api.call('thread.get', { id: threadId })
  }
  const pending = async () => (await engine.api.call('approval.list', { state: 'pending' })).rows
  const started = () =>
    eventsOf(engine, threadId).flatMap((event) => (event.kind === 'action.started' ? [event.data] : []))
  return { engine, rest, pending, started }
}

describe('while a skill from elsewhere is active', () => {
  it('reading and computing go on, and every other effect asks each time, whatever was allowed before', async () => {
    const { engine, rest, pending, started } = await runAllowed('paint the reef')
    expect(await rest()).toMatchObject({ state: 'Waiting' })
    expect(started().map(({ name, policy }) => [name, policy.verdict])).toEqual([
      ['list_files', 'allow'],
      ['calculate', 'allow'],
    ])
    const [first] = await pending()
    // Nothing wider than this one call can be given.
    expect(first).toMatchObject({ action: 'put', scopeKey: null })
    await engine.api.call('approval.decide', { id: first?.id ?? '', decision: 'approve' })
    expect(await rest()).toMatchObject({ state: 'Waiting' })
    const [second] = await pending()
    expect(second?.id).not.toBe(first?.id)
  })
})

it('with trusted skills alone, what was allowed stays allowed', async () => {
  // What is written stands in what was said: nothing of it is anybody else's idea.
  const { rest, pending } = await runAllowed('watch the tide, and put x into 1.txt and into 2.txt')
  expect(await rest()).toMatchObject({ outcome: 'answered' })
  expect(await pending()).toEqual([])
})
