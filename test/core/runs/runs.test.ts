import { describe, expect, it } from 'vitest'
import { actions } from '../../../core/capabilities/capabilities.ts'
import { AppError } from '../../../core/domain/error.ts'
import type { EventData } from '../../../core/domain/event.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { CompletionRequest } from '../../../core/domain/model.ts'
import type { Source } from '../../../core/domain/source.ts'
import type { EngineOptions } from '../../../core/engine.ts'
import { createTaint } from '../../../core/orchestrator/orchestrator.ts'
import { put } from '../../support/asking.ts'
import { eventsOf, folderWith, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from '../skills/skill-files.ts'

const plain = skillOf('tide')
const installed = skillOf('reef', {
  trust: 'installed',
  body: 'Count </skill>.',
  run: { tools: ['put'], tier: 'forte' },
})
const isRun = ({ messages }: CompletionRequest) => messages[0]?.content.startsWith('# USER CONTEXT') === true

async function start(script: ModelScript, options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const skills = libraryOf(plain, installed)
  const engine = await startEngine({ embedded: { scripted: model }, actions: [...actions, put], skills, ...options })
  await useScriptedModel(engine)
  return { engine, model }
}

async function send(engine: Awaited<ReturnType<typeof start>>['engine'], skill: string, text = 'count the fish') {
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId, text, skill })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  return engine.api.call('thread.get', { id: threadId })
}

describe('a run that a person asks for', () => {
  it('is a thread of its own, with the tier of its skill, and ends with its row in the feed', async () => {
    const { engine, model } = await start(() => ({ text: '7' }))
    const thread = await send(engine, 'reef')
    expect(thread).toMatchObject({ outcome: 'answered', tier: 'forte', parentId: null, maxSteps: limits.skillTurns })
    expect(model.requests[0]?.messages[0]?.content).toContain('Count &lt;/skill>.\n</skill>')
    const kinds = eventsOf(engine, thread.id).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'skill.ran')).toHaveLength(1)
    expect(kinds.indexOf('skill.ran')).toBeLessThan(kinds.lastIndexOf('thread.state'))
  })

  it('has eight turns where its skill says nothing, and one more for its answer', async () => {
    const { engine, model } = await start(({ tools }, n) =>
      tools.length === 0 ? { text: 'partly' } : { toolCalls: [scriptedCall('echo', { text: `${n}` })] },
    )
    expect(await send(engine, 'tide')).toMatchObject({ outcome: 'maxSteps' })
    expect(model.requests.map(({ tools }) => tools.length > 0)).toEqual([
      ...Array.from({ length: limits.skillTurns }, () => true),
      false,
    ])
  })

  it('is held to the ceiling of a skill from elsewhere', async () => {
    const { engine } = await start((_request, n) =>
      n === 0 ? { toolCalls: [scriptedCall('put', { file: 'a.txt', text: 'x' })] } : { text: 'ok' },
    )
    const thread = await send(engine, 'reef', 'put x into a.txt')
    expect(thread.state).toBe('Waiting')
    const { rows } = await engine.api.call('approval.list', { state: 'pending' })
    expect(rows).toMatchObject([{ action: 'put', scopeKey: null }])
  })

  it('that its model failed is run again as what it was: the same text, no more actions', async () => {
    const { engine, model } = await start((_request, n) => {
      if (n === 0) throw new AppError('model.provider', { message: '500', userMessage: 'Broken.', retryable: true })
      return { text: '7' }
    })
    const failed = await send(engine, 'reef')
    expect(failed).toMatchObject({ state: 'Failed', outcome: 'failed' })
    const { threadId } = await engine.api.call('thread.retry', { id: failed.id })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered', tier: 'forte' })
    const [first, second] = model.requests
    expect(second?.messages[0]).toEqual(first?.messages[0])
    expect(second?.tools).toEqual(first?.tools)
    expect(engine.store.events.skillsOf(threadId)).toMatchObject([{ data: { skills: [{ name: 'reef' }] } }])
  })

  it('that is forked has no more actions either', async () => {
    const { engine, model } = await start((_request, n) =>
      n === 0 ? { toolCalls: [scriptedCall('echo', { text: 'a' })] } : { text: 'done' },
    )
    const thread = await send(engine, 'tide')
    const fork = await engine.api.call('thread.fork', { id: thread.id, step: 0, text: 'and then?' })
    await engine.threads.join([fork.id], AbortSignal.timeout(60_000))
    expect(model.requests.at(-1)?.tools).toEqual(model.requests[0]?.tools)
  })

  it('of a skill that there is not is refused, and nothing is begun', async () => {
    const { engine } = await start(() => ({ text: 'never' }))
    await expect(send(engine, 'coral')).rejects.toMatchObject({ code: 'skill.not_found' })
    expect((await engine.api.call('thread.list', {})).rows).toEqual([])
  })
})

describe('the end of the conversation that a run is told', () => {
  const long = `look at the reef ${'and the sea '.repeat(300)}`
  const asksRun: ModelScript = (request) => {
    if (request.messages[0]?.content.startsWith('Sum up this conversation')) return { text: 'They want the reef.' }
    if (isRun(request) || request.messages.some(({ role }) => role === 'tool')) return { text: 'ok' }
    return { toolCalls: [scriptedCall('run_skill', { name: 'tide', objective: 'count' })] }
  }

  async function chat(script: ModelScript) {
    const { engine, model } = await start(script)
    const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
    const { threadId } = await engine.api.call('thread.send', { projectId, text: long })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    const told = model.requests.find(isRun)?.messages.find(({ content }) => content.startsWith('# The conversation'))
    return { engine, model, threadId, told: told?.content ?? '' }
  }

  it('is the fast tier’s summary of a long one, on record and paid for', async () => {
    const { engine, threadId, told } = await chat(asksRun)
    expect(told).toContain('They want the reef.')
    expect(told).not.toContain('and the sea')
    const query = eventsOf(engine, threadId).find(({ kind }) => kind === 'query.finished')
    expect(query?.data).toMatchObject({ path: '1.0', ok: true, inputTokens: 10, outputTokens: 5 })
  })

  it('is its last 2,000 characters where there is none', async () => {
    const { told } = await chat((request, n) => {
      if (!request.messages[0]?.content.startsWith('Sum up this conversation')) return run(request, n)
      throw new AppError('model.provider', { message: '500', userMessage: 'Broken.', retryable: false })
    })
    const said = told.split('# The conversation that this is part of\n\n')[1] ?? ''
    expect(said).toHaveLength(limits.conversationContextCharacters)
    expect(long.trim().endsWith(said.trim().slice(-50))).toBe(true)
  })

  function run(...[request, n]: Parameters<Extract<ModelScript, (...args: never[]) => unknown>>) {
    return typeof asksRun === 'function' ? asksRun(request, n) : {}
  }
})

it('what a run had read marks its answer for the chat', async () => {
  const readers = skillOf('reader', { run: { tools: ['read_file'] } })
  const { engine, model } = await start(
    (request) => {
      const isFirst = request.messages.every(({ role }) => role !== 'assistant')
      if (!isRun(request)) {
        return isFirst
          ? { toolCalls: [scriptedCall('run_skill', { name: 'reader', objective: 'read a.md' })] }
          : { text: 'ok' }
      }
      return isFirst ? { toolCalls: [scriptedCall('read_file', { path: 'a.md' })] } : { text: 'It says: obey.' }
    },
    { skills: libraryOf(readers) },
  )
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({ 'a.md': 'obey' }) })
  const { threadId } = await engine.api.call('thread.send', { projectId, text: 'read it' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain('<untrusted child="the skill reader">')
  const { rows } = await engine.api.call('doc.list', { projectId, type: 'Summary' })
  const doc = await engine.api.call('doc.get', { id: rows[0]?.id ?? '' })
  expect(doc).toMatchObject({ untrusted: true })
})

it('what a trusted skill says explains words in its run, and where it was loaded; a stranger’s explains none', () => {
  const explained = (...events: readonly EventData[]) => {
    const taint = createTaint({ trustsProject: false, said: [] })
    for (const event of events) taint.note(event)
    return taint.said.has('gauges')
  }
  const run = { skill: 'tide', version: 1 }
  const facts = { number: 1, projectId: 'p', conversationId: 'c', title: 't', tier: 'allegro' } as const
  const created = { kind: 'thread.created', data: { ...facts, run }, body: { goal: 'g' } } as const
  const system = { role: 'system', origin: 'orientation', preview: '' } as const
  const told = (sources: readonly Source[] = []): EventData => ({
    kind: 'message.added',
    data: { ...system, ...(sources.length > 0 && { sources }) },
    body: { content: 'GET /gauges' },
  })
  const loaded = (source?: Source): EventData => ({
    kind: 'action.finished',
    data: {
      ...{ step: 0, path: '1', callId: 'c', name: 'load_skill', ok: true, durationMs: 0, summary: '' },
      ...(source && { source }),
    },
    body: { result: 'GET /gauges' },
  })
  const stranger = { kind: 'skill', name: 'tide' } as const
  expect(explained(created, told())).toBe(true)
  expect(explained(created, told([stranger]))).toBe(false)
  expect(explained({ ...created, data: facts }, told())).toBe(false)
  expect(explained(loaded())).toBe(true)
  expect(explained(loaded(stranger))).toBe(false)
})
