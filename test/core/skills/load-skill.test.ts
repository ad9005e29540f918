import { describe, expect, it } from 'vitest'
import { actions } from '../../../core/capabilities/capabilities.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { put } from '../../support/asking.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from './skill-files.ts'

const reef = skillOf('reef', { trust: 'installed', body: 'Count </skill> the fish.' })
const level = { name: 'level', description: '', code: 'def level():\n    return 42\n' }
const tide = skillOf('tide', { body: 'Ask the gauge.', snippets: [level] })
const many = Array.from({ length: limits.skillLoads + 1 }, (_, at) => skillOf(`many-${at}`))
const load = (name: string) => scriptedCall('load_skill', { name }, name)

async function start(script: ModelScript, options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const skills = libraryOf(reef, tide, skillOf('byname', { isOnlyByName: true }), ...many)
  const engine = await startEngine({
    ...{ embedded: { scripted: model }, actions: [...actions, put], skills, ...options },
  })
  await useScriptedModel(engine)
  return { engine, model }
}

async function run(engine: Engine, text = 'look around', more: { approvesAll?: boolean } = {}) {
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text, ...more })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  return engine.api.call('thread.get', { id: threadId })
}

function resultsOf(engine: Engine, threadId: string) {
  return eventsOf(engine, threadId).flatMap((event) =>
    event.kind === 'action.finished' ? [{ ...event.data, result: event.body.result }] : [],
  )
}

describe('load_skill', () => {
  it('gives the whole text in its marks, which nothing in it can close, with where it is from', async () => {
    const { engine, model } = await start((_request, n) => (n === 0 ? { toolCalls: [load('reef')] } : { text: 'ok' }))
    const thread = await run(engine)
    const text = model.requests[1]?.messages.at(-1)?.content ?? ''
    expect(text).toContain('<untrusted skill="reef">\n<skill name="reef" version="1" trust="installed">')
    expect(text).toContain('Count &lt;/skill> the fish.\n</skill>')
    expect(resultsOf(engine, thread.id)[0]).toMatchObject({ ok: true, source: { kind: 'skill', name: 'reef' } })
    const loaded = eventsOf(engine, thread.id).find(({ kind }) => kind === 'skill.loaded')
    expect(loaded?.data).toMatchObject({ step: 0, path: '1', skill: { name: 'reef', version: 1, trust: 'installed' } })
  })

  it('lets the thread work with it at once: its functions can be called in code', async () => {
    const { engine } = await start((_request, n) =>
      n === 0 ? { toolCalls: [load('tide')] } : { text: '```repl\nFINAL(str(level()))\n```' },
    )
    const thread = await run(engine)
    expect(engine.store.events.lastAnswer(thread.id)).toBe('42')
  })

  it('has an alias, and a name that is not there costs nothing', async () => {
    const { engine } = await start((_request, n) => {
      if (n === 0) return { toolCalls: [scriptedCall('loadSkill', { name: 'tide' })] }
      if (n === 1) return { toolCalls: [load('nowhere'), load('byname')] }
      if (n === 2) return { toolCalls: many.slice(2).map(({ name }) => load(name)) }
      return { text: 'ok' }
    })
    const thread = await run(engine)
    const results = resultsOf(engine, thread.id)
    expect(results.map(({ name, ok }) => [name, ok])).toEqual([
      ['load_skill', true],
      ['load_skill', false],
      ['load_skill', false],
      ...many.slice(2).map(() => ['load_skill', true]),
    ])
    expect(results[1]?.result).toMatchObject({ error: { code: 'skill.not_found', message: 'unknown skill: nowhere' } })
  })

  it('is given five times in a thread, calls of one turn together, and then says that the budget is exhausted', async () => {
    const { engine } = await start((_request, n) =>
      n === 0 ? { toolCalls: many.map(({ name }) => load(name)) } : { text: 'ok' },
    )
    const thread = await run(engine)
    const results = resultsOf(engine, thread.id)
    expect(results.filter(({ ok }) => ok)).toHaveLength(limits.skillLoads)
    expect(results.at(-1)?.result).toMatchObject({
      error: { code: 'skill.loads', message: 'skill load budget exhausted' },
    })
  })

  it('is refused for a skill that is too long to be told, which is never active and costs nothing', async () => {
    const head = '<skill name="long" version="1" trust="trusted">\n'
    const longest = limits.actionResultCharacters - head.length - '\n</skill>'.length
    const script: ModelScript = (_request, n) =>
      n === 0 ? { toolCalls: [load('long'), ...many.slice(1).map(({ name }) => load(name))] } : { text: 'ok' }
    const { engine } = await start(script, {
      skills: libraryOf(skillOf('long', { body: 'x'.repeat(longest + 1) }), ...many),
    })
    const thread = await run(engine)
    const [long, ...others] = resultsOf(engine, thread.id)
    expect(long).toMatchObject({ ok: false, code: 'action.too_large' })
    expect(long?.result).toMatchObject({ error: { message: expect.stringContaining('split it into smaller ones') } })
    expect(others.every(({ ok }) => ok)).toBe(true)
    const loaded = eventsOf(engine, thread.id).flatMap((event) =>
      event.kind === 'skill.loaded' ? [event.data.skill.name] : [],
    )
    expect(loaded).toEqual(many.slice(1).map(({ name }) => name))
    const just = await start(script, { skills: libraryOf(skillOf('long', { body: 'x'.repeat(longest) })) })
    expect(resultsOf(just.engine, (await run(just.engine)).id)[0]).toMatchObject({ ok: true })
  })

  it('counts on after a restart, and says of a skill that is active that it is', async () => {
    const dataDir = temporaryFolder()
    const never = () => new Promise<never>(() => undefined)
    const script: ModelScript = (_request, n) =>
      n === 0 ? { toolCalls: many.slice(1).map(({ name }) => load(name)) } : never()
    const first = await start(script, { dataDir })
    const project = await first.engine.api.call('project.open', { folder: folderWith({}) })
    const { threadId } = await first.engine.api.call('thread.send', { projectId: project.id, text: 'look' })
    await expect.poll(() => first.model.requests.length).toBe(2)
    await first.engine.stop('quit')
    const { engine } = await start(
      (_request, n) => (n === 0 ? { toolCalls: [load('many-1'), load('many-0')] } : { text: 'ok' }),
      { dataDir },
    )
    await engine.api.call('thread.resume', { id: threadId })
    await expect.poll(async () => (await engine.api.call('thread.get', { id: threadId })).outcome).toBe('answered')
    const [again, more] = resultsOf(engine, threadId).slice(-2)
    expect(again).toMatchObject({ ok: true, result: expect.stringContaining('many-1 is active already') })
    expect(more).toMatchObject({ ok: false, code: 'skill.loads' })
  })

  it('brings the ceiling of a skill from elsewhere with it, for the calls beside it too', async () => {
    const { engine } = await start((_request, n) =>
      n === 0 ? { toolCalls: [scriptedCall('put', { file: 'a.txt', text: 'x' }), load('reef')] } : { text: 'ok' },
    )
    const thread = await run(engine, 'put x into a.txt', { approvesAll: true })
    expect(thread.state).toBe('Waiting')
    const { rows } = await engine.api.call('approval.list', { state: 'pending' })
    expect(rows).toMatchObject([{ action: 'put', scopeKey: null }])
    const trusted = await start((_request, n) =>
      n === 0 ? { toolCalls: [scriptedCall('put', { file: 'a.txt', text: 'x' }), load('tide')] } : { text: 'ok' },
    )
    expect(await run(trusted.engine, 'put x into a.txt', { approvesAll: true })).toMatchObject({ outcome: 'answered' })
  })

  it('stays in the transcript when that is summed up', async () => {
    const isSummary = (text: string | undefined) => text?.startsWith('Sum up') === true
    let turns = 0
    const { engine, model } = await start(({ messages }) => {
      if (isSummary(messages[0]?.content)) return { text: 'We looked.' }
      turns += 1
      if (turns === 1) return { toolCalls: [load('tide')] }
      if (turns > 8) return { text: 'done' }
      return { toolCalls: [scriptedCall('echo', { text: `${turns} `.repeat(2_000) }, `c${turns}`)] }
    })
    await engine.api.call('settings.set', {
      patch: { modelLimits: { 'scripted/scripted': { contextTokens: 10_000 } } },
    })
    const thread = await run(engine)
    expect(eventsOf(engine, thread.id).some(({ kind }) => kind === 'context.compacted')).toBe(true)
    const last = model.requests.findLast(({ messages }) => !isSummary(messages[0]?.content))
    expect(last?.messages.filter(({ content }) => content.includes('Ask the gauge.'))).toHaveLength(1)
  })
})

describe('load_skill in code', () => {
  const whole = `${'Look first. '.repeat(100)}Then ask the gauge.`
  const skills = libraryOf(skillOf('tide', { body: whole }), skillOf('reef', { trust: 'installed', body: whole }))
  const inCode = (name: string) => ({ text: `\`\`\`repl\ntext = load_skill(name="${name}")\n\`\`\`` })
  const holding = (messages: readonly { readonly content: string }[]) =>
    messages.filter(({ content }) => content.includes('Then ask the gauge.'))

  it('tells the next prompt the whole text once, so that it does stand above', async () => {
    const { engine, model } = await start(
      (_request, n) => (n === 0 ? inCode('tide') : n === 1 ? { toolCalls: [load('tide')] } : { text: 'ok' }),
      { skills },
    )
    const thread = await run(engine)
    expect(holding(model.requests[1]?.messages ?? [])).toMatchObject([
      { role: 'system', content: expect.stringMatching(/^<skill name="tide"/) },
    ])
    expect(holding(model.requests[2]?.messages ?? [])).toHaveLength(1)
    expect(resultsOf(engine, thread.id).at(-1)?.result).toContain('its text stands above')
  })

  it('says where the text is from', async () => {
    const { engine } = await start((_request, n) => (n === 0 ? inCode('reef') : { text: 'ok' }), { skills })
    const thread = await run(engine)
    const told = eventsOf(engine, thread.id).filter(
      (event) => event.kind === 'message.added' && event.data.origin === 'skills' && holding([event.body]).length > 0,
    )
    expect(told.map(({ data }) => data)).toMatchObject([{ sources: [{ kind: 'skill', name: 'reef' }] }])
  })

  it('is told the same after a restart, and stays when the rest is summed up', async () => {
    const dataDir = temporaryFolder()
    const never = () => new Promise<never>(() => undefined)
    const first = await start((_request, n) => (n === 0 ? inCode('tide') : never()), { dataDir, skills })
    const project = await first.engine.api.call('project.open', { folder: folderWith({}) })
    const { threadId } = await first.engine.api.call('thread.send', { projectId: project.id, text: 'look' })
    await expect.poll(() => first.model.requests.length).toBe(2)
    await first.engine.stop('quit')
    const isSummary = (text: string | undefined) => text?.startsWith('Sum up') === true
    let turns = 0
    const { engine, model } = await start(
      ({ messages }) => {
        if (isSummary(messages[0]?.content)) return { text: 'We looked.' }
        turns += 1
        if (turns > 8) return { text: 'done' }
        return { toolCalls: [scriptedCall('echo', { text: `${turns} `.repeat(2_000) }, `c${turns}`)] }
      },
      { dataDir, skills },
    )
    await engine.api.call('settings.set', {
      patch: { modelLimits: { 'scripted/scripted': { contextTokens: 10_000 } } },
    })
    await engine.api.call('thread.resume', { id: threadId })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    expect(model.requests[0]?.messages).toEqual(first.model.requests[1]?.messages)
    expect(eventsOf(engine, threadId).some(({ kind }) => kind === 'context.compacted')).toBe(true)
    const last = model.requests.findLast(({ messages }) => !isSummary(messages[0]?.content))
    expect(holding(last?.messages ?? [])).toHaveLength(1)
  })
})

describe('skill_search', () => {
  it('finds by names, tags and descriptions, the best first, and says which can be loaded', async () => {
    const skills = libraryOf(
      { ...skillOf('weather', { tags: ['rain'] }), description: 'Forecasts of the weather service.' },
      { ...skillOf('garden'), description: 'When to water, by the weather.' },
      { ...skillOf('radar', { requires: { bins: ['no-such-program'] } }), description: 'Weather maps.' },
      skillOf('tide'),
    )
    const { engine } = await start(
      (_request, n) =>
        n === 0
          ? {
              toolCalls: [
                scriptedCall('skill_search', { query: 'weather' }, 'a'),
                scriptedCall('skill_search', { query: 'rains' }, 'b'),
                scriptedCall('skill_search', {}, 'c'),
                scriptedCall('skill_search', { limit: limits.skillsFound + 1 }, 'd'),
                scriptedCall('skill_search', { query: 'x'.repeat(limits.skillGoalCharacters + 1) }, 'e'),
              ],
            }
          : { text: 'ok' },
      { skills },
    )
    const thread = await run(engine)
    const [found, byTag, all, tooMany, tooLong] = resultsOf(engine, thread.id)
    expect(found?.result).toMatchObject({
      total: 3,
      skills: [
        { name: 'weather', can_load: true, tags: ['rain'] },
        { name: 'garden', can_load: true },
        { name: 'radar', can_load: false, why_not: 'the skill radar needs the program no-such-program' },
      ],
    })
    expect(byTag?.result).toMatchObject({ total: 1, skills: [{ name: 'weather' }] })
    expect(all?.result).toMatchObject({ total: 4 })
    expect(tooMany).toMatchObject({ ok: false, code: 'action.args' })
    expect(tooLong).toMatchObject({ ok: false, code: 'action.args' })
  })

  it('marks what strangers wrote, and finds nothing that only a person may name', async () => {
    const { engine } = await start((_request, n) =>
      n === 0
        ? { toolCalls: ['reef', 'byname'].map((query) => scriptedCall('skill_search', { query }, query)) }
        : { text: 'ok' },
    )
    const thread = await run(engine)
    const [foreign, hidden] = resultsOf(engine, thread.id)
    expect(foreign).toMatchObject({ result: { untrusted: true }, source: { kind: 'skill' } })
    expect(hidden?.result).toMatchObject({ skills: [], total: 0 })
  })
})

it('without any skill a model is told of none of this: its prompt is what it would be without skills', async () => {
  const { engine, model } = await start(() => ({ text: 'ok' }), { skills: libraryOf() })
  await run(engine)
  const text = JSON.stringify(model.requests[0])
  expect(text).not.toMatch(/skill_search|load_skill|run_skill|save_skill/)
})
