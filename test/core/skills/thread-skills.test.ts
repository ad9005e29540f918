import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../core/domain/event.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { Engine } from '../../../core/engine.ts'
import { readSkillLibrary, type SkillLibrary } from '../../../core/skills/library.ts'
import { createThreadSkills } from '../../../core/skills/thread-skills.ts'
import type { Store } from '../../../core/store/store.ts'
import {
  contentDir,
  eventsOf,
  folderWith,
  runGoal,
  startEngine,
  temporaryFolder,
  useScriptedModel,
} from '../../support/engine.ts'
import { type ModelScript, type ScriptedModel, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from './skill-files.ts'

const tide = skillOf('tide', { keywords: ['tide'], body: 'Ask the tide gauge.' })
const moon = skillOf('moon', { keywords: ['moon'], body: 'Ask the moon table.' })
const wind = skillOf('wind', { keywords: ['wind'], body: 'Ask the wind vane.' })

async function engineWith(script: ModelScript, dataDir = temporaryFolder()) {
  const model = scriptedModel(script)
  const engine = await startEngine({ dataDir, embedded: { scripted: model }, skills: libraryOf(tide, moon, wind) })
  await useScriptedModel(engine)
  return { engine, model, dataDir }
}

function selections(engine: Engine, threadId: string) {
  return eventsOf(engine, threadId).flatMap((event) => (event.kind === 'skill.selected' ? [event] : []))
}

const namesOf = ({ data }: StoredEvent & { kind: 'skill.selected' }) => data.skills.map(({ name }) => name)

/** Messages of a request that hold the text of a skill. */
function skillMessages(model: ScriptedModel, n: number): readonly string[] {
  const messages = model.requests[n]?.messages ?? []
  return messages.flatMap(({ role, content }) =>
    role === 'system' && content.includes('<skill name=') ? [content] : [],
  )
}

function threadSkills(store: Store, library: SkillLibrary) {
  const host = { hasProgram: () => true, hasVariable: () => true, hasFile: () => true }
  return createThreadSkills({ library: () => library, store, host, confidence: () => null })
}

/** From the record alone. */
function activeOf({ store }: Engine, threadId: string): readonly string[] {
  return threadSkills(store, libraryOf())
    .active(threadId)
    .map(({ name }) => name)
}

async function say(engine: Engine, threadId: string, text: string): Promise<string> {
  const sent = await engine.api.call('thread.send', { threadId, text })
  await engine.threads.join([sent.threadId], AbortSignal.timeout(60_000))
  return sent.threadId
}

describe('the beginning of a thread', () => {
  it('chooses the bundled skill for GitHub, with the table on record and its text in the prompt', async () => {
    const model = scriptedModel([{ text: 'There are 3.' }])
    const engine = await startEngine({ embedded: { scripted: model } })
    await useScriptedModel(engine)
    const thread = await runGoal(engine, folderWith({}), 'List the open issues of the GitHub repository octo/reef')
    const [chosen] = selections(engine, thread.id)
    expect(chosen?.data).toMatchObject({ step: 0, looked: 7, unavailable: [] })
    expect(chosen?.data.skills[0]).toMatchObject({
      name: 'github',
      version: 1,
      trust: 'trusted',
      isForced: false,
    })
    const github = readSkillLibrary(`${contentDir}/skills`).get('github')
    expect(chosen?.body.table).toHaveLength(7)
    expect(chosen?.body.table[0]).toMatchObject({ name: 'github', gate: true, keyword: 10, substring: 5, picked: true })
    const [message = ''] = skillMessages(model, 0)
    expect(message).toContain('<skill name="github" version="1" trust="trusted">')
    expect(message).toContain(github?.body.trim().slice(0, 500))
    expect(message).toContain('- `github_issues(owner, repo, state="open", most=200)`: All issues of a repository')
  })

  it('puts skills behind the system message and before everything else', async () => {
    const { engine, model } = await engineWith([{ text: 'High.' }])
    await runGoal(engine, folderWith({ 'a.md': 'x' }), 'when is the tide?')
    const messages = model.requests[0]?.messages ?? []
    expect(messages.map(({ role }) => role)).toEqual(['system', 'system', 'system', 'user'])
    expect(messages[1]?.content).toContain('<skill name="tide"')
    expect(messages[2]?.content).toContain('## The project folder holds')
  })

  it('has the choice on record where nothing fitted, and nothing in the prompt', async () => {
    const { engine, model } = await engineWith([{ text: 'Hello.' }])
    const thread = await runGoal(engine, folderWith({}), 'hello')
    const [chosen] = selections(engine, thread.id)
    expect(chosen?.data).toEqual({ step: 0, skills: [], looked: 3, unavailable: [] })
    expect(chosen?.body.table.map(({ reason }) => reason)).toEqual(Array(3).fill('nothing of it is in the text'))
    expect(skillMessages(model, 0)).toEqual([])
  })

  it('tells the model of a skill that is named and is none', async () => {
    const { engine, model } = await engineWith([{ text: 'There is no such skill.' }])
    const thread = await runGoal(engine, folderWith({}), '/tied show me the gauge')
    expect(selections(engine, thread.id)[0]?.data.unavailable).toEqual(['tied'])
    expect(model.requests[0]?.messages.map(({ content }) => content).join()).toContain(
      '/tied: no such skill is available here. Where the user meant a skill, say so.',
    )
  })

  it('keeps so many rows of the table, the best of them', async () => {
    const { store } = await startEngine()
    const many = Array.from({ length: limits.skillTableRows + 1 }, (_, at) => skillOf(`s${at}`))
    const thread = { id: 't', parentId: null, projectId: 'p', conversationId: 't', number: 1 }
    const choose = (library: SkillLibrary) =>
      threadSkills(store, library).choose({ thread, text: 'the tide', step: 0, isFirst: true })
    expect(choose(libraryOf(...many.slice(1)))?.body.table).toHaveLength(limits.skillTableRows)
    const told = choose(libraryOf(...many, tide))
    expect(told?.body.table).toHaveLength(limits.skillTableRows)
    expect(told?.body.table[0]?.name).toBe('tide')
    expect(told?.data.looked).toBe(limits.skillTableRows + 2)
  })
})

describe('a message to a thread that runs', () => {
  it('appends only what is new, and changes nothing of what was sent before', async () => {
    let tell: (() => void) | undefined
    const told = new Promise<void>((resolve) => {
      tell = resolve
    })
    const { engine, model } = await engineWith(async (_request, n) => {
      if (n === 0) await told
      return n === 0 ? { toolCalls: [scriptedCall('time', {})] } : { text: 'Both.' }
    })
    const project = await engine.api.call('project.open', { folder: folderWith({}) })
    const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'when is the tide?' })
    await expect.poll(() => model.requests.length).toBe(1)
    await engine.api.call('thread.send', { threadId, text: 'and the moon, with the tide?' })
    tell?.()
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    expect(selections(engine, threadId).map(namesOf)).toEqual([['tide'], ['moon']])
    const [first = [], second = []] = model.requests.map(({ messages }) => messages)
    expect(second.slice(0, first.length)).toEqual(first)
    expect(skillMessages(model, 1)).toHaveLength(2)
    expect(skillMessages(model, 1)[1]).not.toContain('name="tide"')
    expect(activeOf(engine, threadId)).toEqual(['tide', 'moon'])
  })
})

describe('the next message of a chat', () => {
  it('on another matter chooses another skill, and only that', async () => {
    const { engine, model } = await engineWith([{ text: 'High.' }, { text: 'Full.' }])
    const first = await runGoal(engine, folderWith({}), 'when is the tide?')
    const next = await say(engine, first.id, 'and what of the moon?')
    expect(selections(engine, next).map(namesOf)).toEqual([['moon']])
    expect(skillMessages(model, 1).join()).not.toContain('name="tide"')
  })

  it('that chooses nothing goes on with the skills before it', async () => {
    const { engine, model } = await engineWith([{ text: 'High.' }, { text: 'Low.' }])
    const first = await runGoal(engine, folderWith({}), 'when is the tide?')
    const next = await say(engine, first.id, 'and tomorrow?')
    expect(activeOf(engine, next)).toEqual(['tide'])
    expect(skillMessages(model, 1)[0]).toContain('name="tide"')
  })
})

describe('the record', () => {
  it('keeps them over a restart: the same prompt, no second choice', async () => {
    const dataDir = temporaryFolder()
    const stuck = await engineWith(async (_request, n) => {
      if (n === 1) await new Promise(() => undefined)
      return { toolCalls: [scriptedCall('time', {})] }
    }, dataDir)
    const project = await stuck.engine.api.call('project.open', { folder: folderWith({}) })
    const asked = { projectId: project.id, text: 'when is the tide?' }
    const { threadId } = await stuck.engine.api.call('thread.send', asked)
    await expect.poll(() => stuck.model.requests.length).toBe(2)
    await stuck.engine.stop('the test restarts it')

    const again = await engineWith([{ text: 'High.' }], dataDir)
    await again.engine.api.call('thread.resume', { id: threadId })
    await again.engine.threads.join([threadId], AbortSignal.timeout(60_000))
    expect(again.model.requests[0]?.messages).toEqual(stuck.model.requests[1]?.messages)
    expect(selections(again.engine, threadId)).toHaveLength(1)
    expect(activeOf(again.engine, threadId)).toEqual(['tide'])
  })

  it('gives a child the skills of its parent', async () => {
    const { engine, model } = await engineWith((request) => {
      const asked = request.messages.findLast(({ role }) => role === 'user')?.content ?? ''
      if (asked.startsWith('when is')) return { text: '```repl\nFINAL(rlm_query("read the gauge, /sun"))\n```' }
      return { text: 'High at noon.' }
    })
    const thread = await runGoal(engine, folderWith({}), 'when is the tide?')
    const [child] = await engine.api.call('thread.children', { id: thread.id })
    expect(activeOf(engine, child?.id ?? '')).toEqual(['tide'])
    // A name that code wrote is nobody's wish.
    expect(selections(engine, child?.id ?? '')[0]?.data.unavailable).toEqual([])
    expect(skillMessages(model, 1)[0]).toContain('name="tide"')
  })

  it('gives a fork what had joined up to its step', async () => {
    const { engine } = await engineWith([{ text: 'High.' }, { text: 'At noon.' }])
    const thread = await runGoal(engine, folderWith({}), 'when is the tide?')
    const fork = await engine.api.call('thread.fork', { id: thread.id, step: 0, text: 'are you sure?' })
    await engine.threads.join([fork.id], AbortSignal.timeout(60_000))
    expect(activeOf(engine, fork.id)).toEqual(['tide'])
  })

  it('gives a retry what its failed thread worked with, once', async () => {
    const { engine, model } = await engineWith((_request, n) => {
      if (n === 0) throw new TypeError('the server is gone')
      return { text: 'High.' }
    })
    const thread = await runGoal(engine, folderWith({}), 'when is the tide?')
    expect(thread.outcome).toBe('failed')
    const { threadId } = await engine.api.call('thread.retry', { id: thread.id })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    expect(activeOf(engine, threadId)).toEqual(['tide'])
    expect(skillMessages(model, model.requests.length - 1)).toHaveLength(1)
  })
})
