import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Access } from '../../../core/cli/access.ts'
import { createTerminal } from '../../../core/cli/terminal.ts'
import { issues } from '../../../core/cli/trace.ts'
import { folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

test('the issues of a thread are one line each, with exactly what CLI users were promised', async () => {
  const gone = (n: number) => ({ toolCalls: [scriptedCall('read_file', { path: `gone-${n}.md` })] })
  const scripted = scriptedModel([gone(1), gone(2), { text: 'It is gone.' }])
  const engine = await startEngine({ embedded: { scripted } })
  await useScriptedModel(engine)
  const thread = await runGoal(engine, folderWith({}), 'read it')
  const out = new PassThrough()
  const access: Access = {
    isOwn: true,
    whenLeft: '',
    call: (name, input) => engine.api.call(name, input),
    subscribe: engine.subscribe,
    close: async () => undefined,
  }
  const exit = await issues(access, createTerminal({ out, err: new PassThrough() }, true), String(thread.number))
  const lines = String(out.read()).trim().split('\n')
  expect(exit).toBe(0)
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      class: 'tool_error',
      severity: 'Warning',
      stepIds: ['0/1', '1/1'],
      reason: expect.stringMatching(/^read_file failed 2 times, last: .*gone-2\.md/),
    },
  ])
})

test('an unknown thread is said to be unknown', async () => {
  const engine = await startEngine()
  await expect(engine.api.call('thread.issues', { id: 'thr_none' })).rejects.toMatchObject({ code: 'thread.not_found' })
})
