import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/action.ts'
import { actions } from '../../../core/capabilities/capabilities.ts'
import { AppError } from '../../../core/domain/error.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { CompletionRequest } from '../../../core/domain/model.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { effectsIn, put } from '../../support/asking.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from '../skills/skill-files.ts'

const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)
const never = () => new Promise<never>(() => undefined)
const isRun = ({ messages }: CompletionRequest) => messages[0]?.content.startsWith('# USER CONTEXT') === true
const turnOf = ({ messages }: CompletionRequest) => messages.filter(({ role }) => role === 'assistant').length
const callsSkill = (objective = 'count the fish', name = 'reef') => ({
  toolCalls: [scriptedCall('run_skill', { name, objective }, objective)],
})

/** Ends in the order in which it is told to: the first asked is the last that ends. */
const count = defineAction({
  name: 'count',
  description: 'Counts.',
  parameters: z.strictObject({ what: z.string(), ms: z.number() }),
  effects: ['Compute'],
  isIdempotent: true,
  summarize: ({ what }) => what,
  run: async ({ what, ms }) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (what === 'sharks') throw new AppError('action.failed', { message: 'too many teeth', userMessage: 'No.' })
    return `7 ${what}`
  },
})

const reef = skillOf('reef', {
  body: '# Reefs\n\nCount them.',
  run: { tools: ['count', 'put'], maxTurns: '3', tier: 'minuet' },
})

async function start(script: ModelScript, options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const engine = await startEngine({
    ...{ embedded: { scripted: model }, actions: [...actions, count, put], skills: libraryOf(reef), recover: 'resume' },
    ...options,
  })
  await useScriptedModel(engine)
  return { engine, model }
}

async function chat(engine: Engine, folder: string, text = 'look at the reef, all of it') {
  const project = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text })
  return threadId
}

async function ended(engine: Engine, id: string) {
  await engine.threads.join([id], AbortSignal.timeout(60_000))
  return engine.api.call('thread.get', { id })
}

async function runOf(engine: Engine, id: string) {
  const [child] = await engine.api.call('thread.children', { id })
  return child ?? expect.fail('there is no run')
}

function resultOf(engine: Engine, threadId: string) {
  return eventsOf(engine, threadId).flatMap((event) =>
    event.kind === 'action.finished' && event.data.name === 'run_skill' ? [{ ...event.data, ...event.body }] : [],
  )
}

describe('run_skill inside a chat', () => {
  it('gives the objective to a thread that follows that skill, and answers what it answered', async () => {
    const { engine, model } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'There are 7 fish.' }
      if (turnOf(request) > 0) return { text: 'I counted 7 fish.' }
      return {
        toolCalls: [
          scriptedCall('count', { what: 'fish', ms: 30 }, 'slow'),
          scriptedCall('count', { what: 'crabs', ms: 0 }, 'fast'),
        ],
      }
    })
    const threadId = await chat(engine, folderWith({}))
    expect(await ended(engine, threadId)).toMatchObject({ outcome: 'answered' })
    const [result] = resultOf(engine, threadId)
    expect(result).toMatchObject({
      ok: true,
      result: { text: 'I counted 7 fish.', outcome: 'answered', metrics: { turns: 2, toolCalls: 2 } },
    })
    // Parallel calls: their results in the order asked, whichever ended first.
    const last = model.requests
      .filter(isRun)
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool')
    expect(last?.map(({ content }) => content)).toEqual(['7 fish', '7 crabs'])
    const run = await runOf(engine, threadId)
    expect(run).toMatchObject({ tier: 'minuet', depth: 1, outcome: 'answered', maxSteps: 3 })
    const row = eventsOf(engine, run.id).find(({ kind }) => kind === 'skill.ran')
    expect(row?.data).toMatchObject({
      ...{ skill: 'reef', version: 1, objective: 'count the fish', outcome: 'answered', turns: 2 },
      resultCharacters: 'I counted 7 fish.'.length,
    })
  })

  it.each([
    ['its skill’s tier where that says one', 'minuet', { tier: 'minuet', model: null }],
    ['its chat’s model where the skill says no tier', undefined, { model: 'scripted/scripted' }],
  ])('runs on %s, in a chat that is held to a model', async (_what, tier, expected) => {
    const skills = libraryOf(skillOf('reef', { run: tier === undefined ? {} : { tier } }))
    const { engine } = await start(
      (request) => (isRun(request) || turnOf(request) > 0 ? { text: 'done' } : callsSkill()),
      { skills },
    )
    const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
    const asked = { projectId, text: 'look at the reef', model: 'scripted/scripted' }
    const { threadId } = await engine.api.call('thread.send', asked)
    await ended(engine, threadId)
    expect(await runOf(engine, threadId)).toMatchObject({ ...expected, outcome: 'answered' })
  })

  it('is told the context of the user, the skill in its marks and the conversation, and nothing else of the chat', async () => {
    const { engine, model } = await start((request) =>
      isRun(request) || turnOf(request) > 0 ? { text: 'done' } : callsSkill(),
    )
    await engine.api.call('settings.set', {
      patch: { profile: { preferences: '', company: 'Coral Ltd', role: '', brandVoice: '', timeZone: '', notes: '' } },
    })
    const folder = folderWith({})
    const { id: projectId } = await engine.api.call('project.open', { folder })
    const doc = { projectId, type: 'Lesson', title: 'Fish move', content: 'Count the fish twice.' } as const
    await engine.api.call('doc.save', doc)
    const threadId = await chat(engine, folder)
    await ended(engine, threadId)
    const [request] = model.requests.filter(isRun)
    const system = request?.messages[0]?.content ?? ''
    expect(system).toContain('- Company: Coral Ltd')
    expect(system).toContain('Count the fish twice.')
    expect(system).toContain('<skill name="reef" version="1" trust="trusted">\n# Reefs\n\nCount them.\n</skill>')
    const told = request?.messages.slice(1).filter(({ role }) => role === 'system')
    expect(told?.[0]?.content).toContain('user: look at the reef, all of it')
    expect(request?.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'count the fish',
    ])
  })

  it('may use what its skill asks for and the system’s own, and nothing else, to its end', async () => {
    const { engine, model } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'done' }
      return turnOf(request) === 0 ? { toolCalls: [scriptedCall('read_file', { path: 'a.md' })] } : { text: 'no' }
    })
    const threadId = await chat(engine, folderWith({ 'a.md': 'secret' }))
    await ended(engine, threadId)
    const offered = model.requests.filter(isRun).map(({ tools }) => tools.map(({ name }) => name))
    expect(offered[0]).toEqual([
      ...['count', 'echo', 'emit_canvas', 'json', 'load_skill', 'memory_read', 'memory_search', 'memory_write'],
      ...['message', 'put', 'skill_search', 'time'],
    ])
    expect(offered[1]).toEqual(offered[0])
    const run = await runOf(engine, threadId)
    const refused = eventsOf(engine, run.id).find(({ kind }) => kind === 'action.finished')
    expect(refused?.data).toMatchObject({ name: 'read_file', ok: false, code: 'policy.denied' })
  })

  it('hands a tool’s error to its model, which decides what becomes of it', async () => {
    const { engine, model } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'done' }
      if (turnOf(request) === 0) return { toolCalls: [scriptedCall('count', { what: 'sharks', ms: 0 })] }
      return { text: 'I could not count the sharks.' }
    })
    const threadId = await chat(engine, folderWith({}))
    await ended(engine, threadId)
    expect(model.requests.filter(isRun).at(-1)?.messages.at(-1)?.content).toContain('too many teeth')
    expect(resultOf(engine, threadId)[0]).toMatchObject({ ok: true, result: { text: 'I could not count the sharks.' } })
  })

  it('is asked once more, without any tool, when it has no turns left', async () => {
    const { engine, model } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'done' }
      if (request.tools.length === 0) return { text: 'Partly: 7 fish.' }
      return { toolCalls: [scriptedCall('count', { what: `fish ${turnOf(request)}`, ms: 0 })] }
    })
    const threadId = await chat(engine, folderWith({}))
    await ended(engine, threadId)
    const asked = model.requests.filter(isRun)
    expect(asked.map(({ tools }) => tools.length > 0)).toEqual([true, true, true, false])
    expect(asked.at(-1)?.messages.at(-1)?.content).toContain('You have no turns left')
    expect(resultOf(engine, threadId)[0]).toMatchObject({
      ok: true,
      result: { text: 'Partly: 7 fish.', outcome: 'maxSteps', note: 'the limit of 3 steps was reached' },
    })
  })

  it.each([
    ['with actions', { text: 'There are', toolCalls: [scriptedCall('count', { what: 'fish', ms: 0 })] }],
    ['with code', { text: 'There are\n```repl\nprint(count(what="fish", ms=0))\n```\nand th' }],
    ['in words that say what it will do', { text: 'Let me search the reef for mo' }],
  ])('ends with an answer %s that was cut off, and says so', async (_with, answer) => {
    const { engine } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'done' }
      return { ...answer, finishReason: 'length' }
    })
    const threadId = await chat(engine, folderWith({}))
    await ended(engine, threadId)
    expect(resultOf(engine, threadId)[0]).toMatchObject({
      result: {
        text: answer.text,
        note: "the answer was cut off at the model's output limit",
        metrics: { turns: 1, toolCalls: 0 },
      },
    })
  })

  it.each([
    ['an empty answer', { text: ' ' }],
    ['an empty FINAL', { toolCalls: [scriptedCall('FINAL', { answer: '' })] }],
  ])('says so where it ended with %s', async (_what, answer) => {
    const { engine } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'done' }
      return answer
    })
    const threadId = await chat(engine, folderWith({}))
    await ended(engine, threadId)
    expect(resultOf(engine, threadId)[0]).toMatchObject({
      result: { outcome: 'answered', note: 'its answer is empty' },
    })
  })

  it('fails where its model does, and the chat is told of it', async () => {
    const { engine, model } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'The run failed.' }
      throw new AppError('model.provider', { message: '500', userMessage: 'The server is broken.', retryable: true })
    })
    const threadId = await chat(engine, folderWith({}))
    expect(await ended(engine, threadId)).toMatchObject({ outcome: 'answered' })
    expect(await runOf(engine, threadId)).toMatchObject({ state: 'Failed', outcome: 'failed' })
    expect(resultOf(engine, threadId)[0]).toMatchObject({ ok: false, code: 'action.failed' })
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain('The server is broken.')
  })

  it.each([
    ['a skill that there is not', 'coral', 'unknown skill: coral'],
    ['one that only a person may name', 'tide', 'only the user can ask for the skill tide'],
  ])('refuses %s, in words that the model can read', async (_what, name, words) => {
    const skills = libraryOf(reef, skillOf('tide', { isOnlyByName: true }))
    const script: ModelScript = (request) => (turnOf(request) === 0 ? callsSkill('x', name) : { text: 'done' })
    const { engine, model } = await start(script, { skills })
    await ended(engine, await chat(engine, folderWith({})))
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain(words)
  })

  it('runs in the slot of its chat: with two slots two chats with a run each come to their end', async () => {
    const { engine } = await start((request) =>
      isRun(request) || turnOf(request) > 0 ? { text: 'done' } : callsSkill(),
    )
    const ids = await Promise.all([1, 2].map((n) => chat(engine, folderWith({ [`${n}`]: '' }))))
    for (const id of ids) expect(await ended(engine, id)).toMatchObject({ outcome: 'answered' })
    const events = await Promise.all(ids.map(async (id) => eventsOf(engine, (await runOf(engine, id)).id)))
    expect(events.flat().filter(({ kind }) => kind.startsWith('slot.'))).toEqual([])
  })

  it('keeps what it answered in memory, where the next run finds it', async () => {
    const { engine, model } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'done' }
      return { text: 'The fish number 7.' }
    })
    const folder = folderWith({})
    await ended(engine, await chat(engine, folder))
    const project = await engine.api.call('project.open', { folder })
    const { rows } = await engine.api.call('doc.list', { projectId: project.id, type: 'Summary' })
    expect(rows).toMatchObject([{ title: 'reef: count the fish', tags: ['skill-run', 'reef', 'count the fish'] }])
    await ended(engine, await chat(engine, folder))
    expect(model.requests.filter(isRun)[1]?.messages[0]?.content).toContain('The fish number 7.')
  })
})

it('keeps a long objective whole in what it remembers, and says in title and tag that they are cut', async () => {
  const objective = `count the fish\n${'and the crabs '.repeat(20)}`.trim()
  const { engine } = await start((request) => {
    if (!isRun(request)) return turnOf(request) === 0 ? callsSkill(objective) : { text: 'done' }
    return { text: 'The fish number 7.' }
  })
  const folder = folderWith({})
  await ended(engine, await chat(engine, folder))
  const { id: projectId } = await engine.api.call('project.open', { folder })
  const { rows } = await engine.api.call('doc.list', { projectId, type: 'Summary' })
  const doc = await engine.api.call('doc.get', { id: rows[0]?.id ?? '' })
  expect(doc.content).toBe(`Objective: ${objective}\n\nThe fish number 7.`)
  expect(doc.tags).toEqual(['skill-run', 'reef', 'count the fish and the crabs and the cr…'])
  expect(doc.title).toMatch(/^reef: count the fish .*… \([0-9a-f]{6}\)$/)
})

it('keeps what two long objectives came to apart, though they begin alike', async () => {
  const { engine } = await start(() => ({ text: 'Seven.' }))
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  for (const what of ['fish', 'crabs', 'fish']) {
    const objective = `${'x'.repeat(limits.memoryTitleCharacters)} ${what}`
    await engine.runs.runSkill({ skill: 'reef', objective, projectId, signal: AbortSignal.timeout(60_000) })
  }
  const summaries = async () => (await engine.api.call('doc.list', { projectId, type: 'Summary' })).rows
  await eventually(async () => (await summaries()).map(({ version }) => version).toSorted()).toEqual([1, 2])
})

it('of an objective that alone would fill what is remembered, the answer is still there', async () => {
  const { engine } = await start(() => ({ text: 'The fish number 7.' }))
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const objective = 'x'.repeat(limits.memoryDocCharacters - 1)
  await engine.runs.runSkill({ skill: 'reef', objective, projectId, signal: AbortSignal.timeout(60_000) })
  await eventually(async () => (await engine.api.call('doc.list', { projectId, type: 'Summary' })).rows.length).toBe(1)
  const { rows } = await engine.api.call('doc.list', { projectId, type: 'Summary' })
  const { content } = await engine.api.call('doc.get', { id: rows[0]?.id ?? '' })
  expect(content.endsWith('…\n\nThe fish number 7.')).toBe(true)
  expect(content.length).toBeLessThanOrEqual(limits.memoryDocCharacters)
})

describe('a run that was cut off half-way', () => {
  it('goes on after a restart with the same thread, and nothing runs twice', async () => {
    const dataDir = temporaryFolder()
    const folder = folderWith({})
    const first = await start(
      (request) => {
        if (!isRun(request)) return callsSkill()
        if (turnOf(request) > 0) return never()
        return { toolCalls: [scriptedCall('put', { file: 'a.txt', text: 'count the fish' })] }
      },
      { dataDir },
    )
    const project = await first.engine.api.call('project.open', { folder })
    const asked = { projectId: project.id, text: 'put count the fish into a.txt', approvesAll: true }
    const { threadId } = await first.engine.api.call('thread.send', asked)
    await eventually(() => first.model.requests.filter(isRun).length).toBe(2)
    const begun = await runOf(first.engine, threadId)
    await first.engine.stop('quit')
    const { engine, model } = await start(() => ({ text: 'done' }), { dataDir })
    await engine.api.call('thread.resume', { id: threadId })
    await eventually(async () => (await engine.api.call('thread.get', { id: threadId })).outcome).toBe('answered')
    expect(await engine.api.call('thread.children', { id: threadId })).toMatchObject([
      { id: begun.id, outcome: 'answered' },
    ])
    expect(effectsIn(folder)).toEqual(['put a.txt'])
    expect(resultOf(engine, threadId)).toHaveLength(1)
    expect(model.requests.filter(isRun)).toHaveLength(1)
  })

  it('goes on with the summary of the conversation that it was cut off in: one question, one end', async () => {
    const dataDir = temporaryFolder()
    const isSummary = ({ messages }: CompletionRequest) =>
      messages[0]?.content.startsWith('Sum up this conversation') === true
    const script =
      (summary: () => { text: string } | Promise<never>): ModelScript =>
      (request) => {
        if (isSummary(request)) return summary()
        return isRun(request) || turnOf(request) > 0 ? { text: 'done' } : callsSkill()
      }
    const first = await start(script(never), { dataDir })
    const threadId = await chat(first.engine, folderWith({}), `look at the reef ${'and the sea '.repeat(300)}`)
    await eventually(() => first.model.requests.filter(isSummary).length).toBe(1)
    await first.engine.stop('quit')
    const { engine, model } = await start(
      script(() => ({ text: 'They look at the reef.' })),
      { dataDir },
    )
    await engine.api.call('thread.resume', { id: threadId })
    await eventually(async () => (await engine.api.call('thread.get', { id: threadId })).outcome).toBe('answered')
    const queries = eventsOf(engine, threadId).filter(({ kind }) => kind.startsWith('query.'))
    expect(queries.map(({ kind }) => kind)).toEqual(['query.started', 'query.finished'])
    expect(model.requests.filter(isRun)[0]?.messages[1]?.content).toContain('They look at the reef.')
  })

  it('waits for a person as its chat does, and both go on once it is decided', async () => {
    const { engine } = await start((request) => {
      if (!isRun(request)) return turnOf(request) === 0 ? callsSkill() : { text: 'done' }
      return turnOf(request) > 0 ? { text: 'put' } : { toolCalls: [scriptedCall('put', { file: 'a.txt', text: 'x' })] }
    })
    const folder = folderWith({})
    const threadId = await chat(engine, folder)
    const stateOf = async (id: string) => (await engine.api.call('thread.get', { id })).state
    await eventually(() => stateOf(threadId)).toBe('Waiting')
    const { slots } = await engine.api.call('engine.info', {})
    expect(slots.used).toBe(0)
    const { rows } = await engine.api.call('approval.list', { state: 'pending' })
    await engine.api.call('approval.decide', { id: rows[0]?.id ?? '', decision: 'approve' })
    await eventually(() => stateOf(threadId)).toBe('Done')
    expect(effectsIn(folder)).toEqual(['put a.txt'])
    expect(resultOf(engine, threadId)).toMatchObject([{ ok: true, result: { text: 'put' } }])
  })

  it('ends when its chat is stopped', async () => {
    const { engine, model } = await start((request) => (isRun(request) ? never() : callsSkill()))
    const threadId = await chat(engine, folderWith({}))
    await eventually(() => model.requests.length).toBe(2)
    await engine.api.call('thread.stop', { id: threadId })
    expect(await runOf(engine, threadId)).toMatchObject({ outcome: 'stopped' })
  })
})
