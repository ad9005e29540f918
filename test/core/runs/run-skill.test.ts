import { describe, expect, it } from 'vitest'
import { actions } from '../../../core/capabilities/capabilities.ts'
import { AppError } from '../../../core/domain/error.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { SkillProgress } from '../../../core/runs/progress.ts'
import { frozenTools, systemActions } from '../../../core/runs/tools.ts'
import { manifestOf } from '../../../core/skills/manifest.ts'
import { folderWith, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { skillText } from '../../support/skill-world.ts'
import { libraryOf, skillOf } from '../skills/skill-files.ts'

const tide = skillOf('tide', { run: { tools: ['calculate'] } })
const card = { kind: 'markdown', title: 'Tide', text: '# High', id: 'tide' }

async function start(script: ModelScript) {
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model }, actions, skills: libraryOf(tide) })
  await useScriptedModel(engine)
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  return { engine, model, projectId }
}

describe('runSkill', () => {
  it('answers text, cards, outcome and figures, and tells what happens as it happens', async () => {
    const told: SkillProgress[] = []
    const { engine, projectId } = await start((_request, n) =>
      n === 0
        ? { toolCalls: [scriptedCall('calculate', { expression: '6 * 7' }), scriptedCall('emit_canvas', card)] }
        : { text: 'High at 42.' },
    )
    const result = await engine.runs.runSkill({
      ...{ skill: 'tide', objective: 'when is high tide?', projectId, signal: AbortSignal.timeout(60_000) },
      onProgress: (progress) => {
        told.push(progress)
        throw new Error('whoever watches must not disturb')
      },
    })
    expect(result).toMatchObject({
      ...{
        text: 'High at 42.',
        canvasIds: [{ threadId: result.threadId, id: 'tide' }],
        outcome: 'answered',
        note: null,
      },
      metrics: { turns: 2, toolCalls: 2, inputTokens: 20, outputTokens: 10 },
    })
    const tools = systemActions.length + 1
    expect(told).toMatchObject([
      { kind: 'status', message: 'Running the skill tide' },
      { kind: 'turn', turn: 1, tools },
      { kind: 'tool_start', name: 'calculate', summary: '6 * 7' },
      { kind: 'tool_start', name: 'emit_canvas' },
      // In the order in which they end.
      { kind: 'tool_end', durationMs: expect.any(Number) },
      { kind: 'tool_end', durationMs: expect.any(Number) },
      { kind: 'turn', turn: 2, tools },
      { kind: 'status', message: 'Done' },
    ])
  })

  it('tells an error where nothing more comes of it, and the thread has failed', async () => {
    const told: SkillProgress[] = []
    const { engine, projectId } = await start(() => {
      throw new AppError('model.provider', { message: '500', userMessage: 'The server is broken.' })
    })
    const asked = { skill: 'tide', objective: 'x', projectId, signal: AbortSignal.timeout(60_000) }
    const result = await engine.runs.runSkill({ ...asked, onProgress: (progress) => void told.push(progress) })
    expect(result).toMatchObject({ outcome: 'failed', text: 'The server is broken.' })
    expect(told.at(-1)).toEqual({ kind: 'error', phase: 'model', message: 'The server is broken.' })
  })

  it('is stopped by its signal', async () => {
    const controller = new AbortController()
    const { engine, projectId } = await start(() => {
      setImmediate(() => controller.abort())
      return new Promise<never>(() => undefined)
    })
    const asked = { skill: 'tide', objective: 'x', projectId, signal: controller.signal }
    expect(await engine.runs.runSkill(asked)).toMatchObject({ outcome: 'stopped' })
  })
})

describe('the tools of a run', () => {
  const known = [...systemActions, 'http', 'read_file', 'write_file']

  it('are the manifest’s and the system’s, each once, without what is not connected or not there', () => {
    const gate = (action: string) => (action === 'http' ? 'github is not connected' : null)
    const frozen = frozenTools(['read-file', 'http', 'nowhere', 'time', 'read_file'], { known, gate })
    expect(frozen.actions).toEqual(['read_file', 'time', ...systemActions.filter((name) => name !== 'time')])
    expect(frozen.withheld).toEqual([
      { name: 'http', reason: 'github is not connected' },
      { name: 'nowhere', reason: 'there is no such action' },
    ])
  })

  it('are the system’s alone where the manifest names none', () => {
    expect(frozenTools([], { known, gate: () => null })).toEqual({ actions: [...systemActions], withheld: [] })
  })
})

it('a project’s own skill is gated by its own credentials, not by those of another with its name', async () => {
  const text = skillText('github', { body: 'GET it.' }).replace('threadsmith:\n', 'threadsmith:\n    tools: [http]\n')
  const folder = folderWith({ '.threadsmith/skills/github/SKILL.md': text })
  const model = scriptedModel(() => ({ text: 'Done.' }))
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const { id: projectId } = await engine.api.call('project.open', { folder })
  const asked = { skill: 'github', objective: 'Look.', projectId, signal: AbortSignal.timeout(60_000) }
  const toolsOf = (n: number) => model.requests[n]?.tools.map(({ name }) => name)
  await engine.runs.runSkill(asked)
  expect(toolsOf(0)).not.toContain('http')
  await engine.api.call('project.save', { id: projectId, patch: { trusted: true } })
  await engine.runs.runSkill(asked)
  expect(toolsOf(model.requests.length - 1)).toContain('http')
})

it('a manifest says tier, tools and turns; what it does not say is the usual', () => {
  const usual = { tier: 'allegro', hasOwnTier: false, tools: [], maxTurns: limits.skillTurns }
  expect(manifestOf(skillOf('tide'))).toEqual(usual)
  const run = { tier: 'minuet', tools: ['time', 'time'], maxTurns: '3' }
  const said = { tier: 'minuet', hasOwnTier: true, tools: ['time'], maxTurns: 3 }
  expect(manifestOf(skillOf('tide', { run }))).toEqual(said)
  expect(manifestOf(skillOf('tide', { run: { maxTurns: '0' } })).maxTurns).toBe(1)
  expect(manifestOf(skillOf('tide', { run: { maxTurns: '999' } })).maxTurns).toBe(limits.maxSteps)
})
