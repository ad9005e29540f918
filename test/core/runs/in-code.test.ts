import { expect, it } from 'vitest'
import { actions } from '../../../core/capabilities/capabilities.ts'
import type { CompletionRequest } from '../../../core/domain/model.ts'
import { effectsIn, put } from '../../support/asking.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from '../skills/skill-files.ts'

const isRun = ({ messages }: CompletionRequest) => messages[0]?.content.startsWith('# USER CONTEXT') === true
const turnOf = ({ messages }: CompletionRequest) => messages.filter(({ role }) => role === 'assistant').length
const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

async function start(script: ModelScript, dataDir = temporaryFolder()) {
  const skills = libraryOf(skillOf('writer', { run: { tools: ['put', 'run_skill'] } }))
  const options = { actions: [...actions, put], skills, dataDir, recover: 'resume' } as const
  const engine = await startEngine({ embedded: { scripted: scriptedModel(script) }, ...options })
  await useScriptedModel(engine)
  return engine
}

const code = `\`\`\`repl
results = parallel(run_skill(name="writer", objective="write a"), put(file="p.txt", text="p"), run_skill(name="writer", objective="write b"))
FINAL(results[0]["text"] + ", " + results[2]["text"])
\`\`\``

it('runs of code wait for a person with what runs beside them, over a restart, and nothing runs twice', async () => {
  const script: ModelScript = (request) => {
    if (!isRun(request)) return { text: code }
    const letter = request.messages.findLast(({ role }) => role === 'user')?.content.at(-1) ?? ''
    if (turnOf(request) > 0) return { text: `${letter} is written` }
    return { toolCalls: [scriptedCall('put', { file: `${letter}.txt`, text: letter })] }
  }
  const dataDir = temporaryFolder()
  const folder = folderWith({})
  const first = await start(script, dataDir)
  const { id: projectId } = await first.api.call('project.open', { folder })
  const { threadId } = await first.api.call('thread.send', { projectId, text: 'write' })
  await eventually(async () => (await first.api.call('thread.get', { id: threadId })).state).toBe('Waiting')
  await first.stop('quit')
  const engine = await start(script, dataDir)
  const pending = async () => (await engine.api.call('approval.list', { state: 'pending' })).rows
  for (let decided = 0; decided < 3; decided += 1) {
    await eventually(async () => (await pending()).length).toBeGreaterThan(0)
    const [request] = await pending()
    await engine.api.call('approval.decide', { id: request?.id ?? '', decision: 'approve' })
  }
  await eventually(async () => (await engine.api.call('thread.get', { id: threadId })).outcome).toBe('answered')
  expect(engine.store.events.lastAnswer(threadId)).toBe('a is written, b is written')
  expect([...effectsIn(folder)].sort()).toEqual(['put a.txt', 'put b.txt', 'put p.txt'])
  expect(await engine.api.call('thread.children', { id: threadId })).toHaveLength(2)
})

it('a run for a child of rlm_query is refused, in words that are true of it', async () => {
  const engine = await start(({ messages }) => {
    const isChild = messages.some(({ role, content }) => role === 'user' && content.includes('look below'))
    if (!isChild) return { text: '```repl\nFINAL(rlm_query("look below"))\n```' }
    if (messages.some(({ role }) => role === 'tool')) return { text: 'done' }
    return { toolCalls: [scriptedCall('run_skill', { name: 'writer', objective: 'again' })] }
  })
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId, text: 'go' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const [child] = await engine.api.call('thread.children', { id: threadId })
  const refused = eventsOf(engine, child?.id ?? '').find(({ kind }) => kind === 'action.finished')
  expect(refused).toMatchObject({
    data: { ok: false, code: 'thread.depth' },
    body: { result: { error: { message: expect.stringContaining('a child of rlm_query cannot run a skill') } } },
  })
})

it('a run of a run is refused, in words that its model can read', async () => {
  const engine = await start((request) => {
    if (turnOf(request) > 0) return { text: 'done' }
    return { toolCalls: [scriptedCall('run_skill', { name: 'writer', objective: 'again' })] }
  })
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId, text: 'go' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const [child] = await engine.api.call('thread.children', { id: threadId })
  const refused = eventsOf(engine, child?.id ?? '').find(({ kind }) => kind === 'action.finished')
  expect(refused).toMatchObject({
    data: { ok: false, code: 'thread.depth' },
    body: { result: { error: { message: expect.stringContaining('cannot run another skill') } } },
  })
})
