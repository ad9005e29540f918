import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Access } from '../../../core/cli/access.ts'
import { createTerminal } from '../../../core/cli/terminal.ts'
import { list, show } from '../../../core/cli/threads.ts'
import type { CallRow } from '../../../core/domain/thread.ts'
import { folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'

async function start() {
  const engine = await startEngine({ embedded: { scripted: scriptedModel(() => ({ text: 'hello' })) } })
  await useScriptedModel(engine)
  const out = new PassThrough()
  const access: Access = {
    whenLeft: '',
    call: (name, input) => engine.api.call(name, input),
    subscribe: engine.subscribe,
    close: async () => undefined,
  }
  const lines = () =>
    String(out.read())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { engine, access, terminal: createTerminal({ out, err: new PassThrough() }, true), lines }
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
