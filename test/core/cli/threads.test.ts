import { expect, test } from 'vitest'
import { calculate } from '../../../core/capabilities/actions/calculate.ts'
import type { Access } from '../../../core/cli/access.ts'
import { show } from '../../../core/cli/thread-show.ts'
import { fork, list } from '../../../core/cli/threads.ts'
import type { CallRow } from '../../../core/domain/thread.ts'
import { effectsIn, put } from '../../support/asking.ts'
import { folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { accessTo, printed } from './support.ts'

async function start(script: ModelScript = () => ({ text: 'hello' })) {
  const engine = await startEngine({ embedded: { scripted: scriptedModel(script) }, actions: [put, calculate] })
  await useScriptedModel(engine)
  return { engine, access: accessTo(engine), ...printed(true) }
}

test('a list is one line a thread with exactly what CLI users were promised, newest first, by page', async () => {
  const { engine, access, terminal, lines } = await start()
  const folder = folderWith({})
  const ids = []
  for (const goal of ['one', 'two', 'three']) ids.push((await runGoal(engine, folder, goal)).id)
  await list(access, terminal, { state: 'Done', limit: 2, before: undefined })
  const page = lines()
  expect(page.map((line) => line.goal)).toEqual(['three', 'two'])
  expect(page[0]).toEqual({
    id: ids[2],
    title: 'three',
    state: 'Done',
    goal: 'three',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    steps: 1,
  })
  await list(access, terminal, { state: undefined, limit: 2, before: page[1].id })
  expect(lines().map((line) => line.goal)).toEqual(['one'])
})

test('a thread of many steps is put together in one walk over its calls', async () => {
  const { engine, access, terminal, lines } = await start()
  const thread = await runGoal(engine, folderWith({}), 'one')
  const steps = 500
  let looks = 0
  const row = (step: number, path: string, kind: CallRow['kind']): CallRow => ({
    step,
    path,
    usd: null,
    childId: null,
    name: kind === 'model' ? 'scripted/scripted' : 'echo',
    state: 'done',
    startedAt: 1,
    firstTokenAt: null,
    endedAt: 3,
    inputTokens: 0,
    outputTokens: 0,
    startSeq: 1,
    endSeq: 2,
    summary: '',
    get kind() {
      looks += 1
      return kind
    },
  })
  const rows = Array.from({ length: steps }, (_, step) => [
    row(step, '0', 'model'),
    row(step, '1', 'action'),
    row(step, '2', 'action'),
  ]).flat()
  const counting: Access = {
    ...access,
    call: (name, input) =>
      name === 'thread.calls'
        ? engine.api.call(name, input).then((page) => ({ ...page, rows }))
        : access.call(name, input),
  }
  await show(counting, terminal, { id: thread.id, events: false, messages: false })
  const [shown] = lines()
  expect(shown.steps).toHaveLength(steps)
  expect(shown.steps[499]).toMatchObject({ step: 499, actions: [{ path: '1', ms: 2 }, { path: '2' }] })
  expect(looks).toBeLessThan(rows.length * 4)
})

const code = (source: string) => ({ text: `Let me compute.\n\`\`\`repl\n${source}\n\`\`\`` })

test('a list marks the threads that the code of another one asked for', async () => {
  const { engine, access } = await start([code('FINAL(rlm_query("deeper"))'), { text: 'found' }])
  await runGoal(engine, folderWith({}), 'go')
  const { terminal, text } = printed(false)
  await list(access, terminal, { state: undefined, limit: 10, before: undefined })
  expect(text()).toMatch(/^#2 .* ↳ of #1: deeper .*\n#1 .* {2}go {2}/)
})

test('a thread shows what its code called below the code, its child with its number', async () => {
  const { engine, access } = await start([code('calculate("1 + 1")\nFINAL(rlm_query("deeper"))'), { text: 'found' }])
  const { id } = await runGoal(engine, folderWith({}), 'go')
  const { terminal, text } = printed(false)
  await show(access, terminal, { id, events: false, messages: false })
  expect(text()).toMatch(/step 0 {2}scripted .*\n {2}✓ code .*\n {4}. calculate .*\n {4}✓ child #2 found/)
  const child = printed(false)
  await show(access, child.terminal, { id: '2', events: false, messages: false })
  expect(child.text()).toContain('asked for by the code of #1')
  const { terminal: forPrograms, lines } = printed(true)
  await show(access, forPrograms, { id, events: false, messages: false })
  const [{ steps }] = lines()
  expect(steps[0].calls.map((call: { path: string; kind: string }) => [call.path, call.kind])).toEqual([
    ['1', 'code'],
    ['1.1', 'action'],
    ['1.2', 'child'],
  ])
  expect(steps[0].actions).toMatchObject([{ path: '1.1', name: 'calculate' }])
})

test('a fork goes to its rest, says where it came from, and changes nothing of what is copied', async () => {
  const put = scriptedCall('put', { file: 'a.txt', text: 'x' })
  const { engine, access, terminal, lines } = await start([{ toolCalls: [put] }, { text: 'one' }, { text: 'two' }])
  const folder = folderWith({})
  const { id: projectId } = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId, text: 'go', approvesAll: true })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(await fork(access, terminal, { id: '1', step: 0, edit: 'and then?' })).toBe(0)
  const [{ threadId: forked, ...rest }] = lines()
  expect(rest).toEqual({ state: 'Done' })
  expect(effectsIn(folder)).toEqual(['put a.txt'])
  const shown = printed(false)
  await show(access, shown.terminal, { id: forked, events: false, messages: true })
  expect(shown.text()).toMatch(/forked from step 0 of #1\n[\s\S]*user:\nand then\?\n[\s\S]*assistant:\ntwo\n$/)
  await show(access, terminal, { id: forked, events: false, messages: false })
  expect(lines()[0].forkedFrom).toEqual({ threadId, step: 0 })
})
