import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { decideApproval, listApprovals } from '../../../core/cli/approvals.ts'
import { run } from '../../../core/cli/run.ts'
import { show } from '../../../core/cli/thread-show.ts'
import type { Approval } from '../../../core/domain/approval.ts'
import type { Engine } from '../../../core/engine.ts'
import { effectsIn, pay, put } from '../../support/asking.ts'
import { folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { accessTo, personAt, printed } from './support.ts'

const writes = (file: string, text = 'new\n') => scriptedCall('put', { file, text }, file)

async function start(script: ModelScript) {
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model }, actions: [put, pay] })
  await useScriptedModel(engine)
  return { engine, model, access: accessTo(engine), folder: folderWith({ 'a.txt': 'old\nsame\n' }) }
}
async function asked(engine: Engine): Promise<readonly Approval[]> {
  return (await engine.api.call('approval.list', { state: 'pending' })).rows
}
async function first(engine: Engine): Promise<Approval> {
  return (await asked(engine))[0] ?? expect.fail('nobody is asked')
}
const once = { decision: 'approve', scope: 'once', stop: false, run: true } as const

describe('approval list', () => {
  test('for programs is one line a request with exactly what was promised', async () => {
    const { engine, access, folder } = await start([{ toolCalls: [writes('a.txt')] }])
    await runGoal(engine, folder, 'go')
    const { terminal, lines } = printed(true)
    expect(await listApprovals(access, terminal)).toBe(0)
    const { id, hash } = await first(engine)
    expect(lines()).toEqual([{ id, kind: 'action', action: 'put', hash, state: 'pending' }])
  })

  test('for people says what would happen, whose thread it is and until when, without colour in a file', async () => {
    const { engine, access, folder } = await start([{ toolCalls: [writes('a.txt', 'new\nsame\n')] }])
    await runGoal(engine, folder, 'go')
    const { terminal, text } = printed(false)
    await listApprovals(access, terminal)
    const { id, expiresAt } = await first(engine)
    const said = text()
    expect(said).toContain(`#1 asks for put a.txt  ${id}`)
    expect(said).toContain('changes files of the project')
    expect(said).toContain(`open until ${new Date(expiresAt).toISOString()}`)
    expect(said).toContain('  --- a.txt\n  +++ a.txt\n  @@ -1,2 +1,2 @@\n  -old\n  +new\n   same\n')
    expect(said).not.toContain('\u001b')
  })

  test('what would steer a terminal is shown, not dropped: it is part of what is decided on', async () => {
    const { engine, folder } = await start([{ toolCalls: [writes('a.txt')] }])
    await runGoal(engine, folder, 'go')
    const { requestSeq: seq } = await first(engine)
    const event = await engine.api.call('event.body', { seq })
    if (event.kind !== 'approval.requested') expect.fail('no request')
    const change = { kind: 'file', path: 'a.txt', before: null, after: 'ls\u001b[2K\r\n' } as const
    engine.store.events.append({ ...event, seq: 1_000_000, body: { ...event.body, change } })
    const hostile = accessTo(engine, {
      call: (name, input) => engine.api.call(name, 'seq' in input ? { ...input, seq: 1_000_000 } : input),
    })
    const { terminal, text } = printed(false)
    await listApprovals(hostile, terminal)
    expect(text()).toContain('  +ls⟦U+001B⟧[2K⟦U+000D⟧\n')
  })

  test('a call without a preview is shown by its arguments', async () => {
    const { engine, access, folder } = await start([{ toolCalls: [scriptedCall('pay', { usd: 5 })] }])
    await runGoal(engine, folder, 'go')
    const { terminal, text } = printed(false)
    await listApprovals(access, terminal)
    expect(text()).toMatch(/costs money[\s\S]*"usd": 5/)
  })
})

describe('approval approve and deny', () => {
  test('approve runs the thread to its next rest and prints its answer', async () => {
    const { engine, access, folder } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'written' }])
    await runGoal(engine, folder, 'go')
    const { terminal, text } = printed(false)
    expect(await decideApproval(access, terminal, { ...once, id: (await first(engine)).id })).toBe(0)
    expect(text()).toMatch(/^approved put a.txt of #1\nwritten\n$/)
    expect(fs.readFileSync(path.join(folder, 'a.txt'), 'utf8')).toBe('new\n')
  })

  test('--no-run only decides', async () => {
    const { engine, access, folder } = await start([{ toolCalls: [writes('a.txt')] }])
    const thread = await runGoal(engine, folder, 'go')
    const { terminal, lines } = printed(true)
    const { id } = await first(engine)
    await decideApproval(access, terminal, { ...once, id, run: false })
    expect(lines()).toMatchObject([{ id, state: 'approved' }])
    expect(await engine.api.call('thread.get', { id: thread.id })).toMatchObject({ state: 'Waiting' })
    expect(effectsIn(folder)).toEqual([])
  })

  test('deny gives the agent the reason; --stop ends the thread', async () => {
    const { engine, model, access, folder } = await start([
      { toolCalls: [writes('a.txt')] },
      { toolCalls: [writes('b.txt')] },
    ])
    const thread = await runGoal(engine, folder, 'go')
    const denial = { ...once, decision: 'deny', reason: 'not that file' } as const
    await decideApproval(access, printed(true).terminal, { ...denial, id: (await first(engine)).id })
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('not that file')
    await decideApproval(access, printed(true).terminal, { ...denial, stop: true, id: (await first(engine)).id })
    expect(await engine.api.call('thread.get', { id: thread.id })).toMatchObject({ state: 'Done', outcome: 'denied' })
    expect(effectsIn(folder)).toEqual([])
  })

  test('an id may be cut short as long as it is one; two are named, none is approval.not_found', async () => {
    const { engine, access, folder } = await start([{ toolCalls: [writes('a.txt'), writes('b.txt')] }])
    await runGoal(engine, folder, 'go')
    const [a] = await asked(engine)
    const decide = (id: string) => decideApproval(access, printed(true).terminal, { ...once, id, run: false })
    await expect(decide('app_')).rejects.toMatchObject({
      code: 'api.input',
      data: { ids: [a?.id, expect.any(String)] },
    })
    await expect(decide('nothing')).rejects.toMatchObject({ code: 'approval.not_found' })
    await decide(a?.id.slice(4, 12) ?? '')
    expect(await engine.api.call('approval.get', { id: a?.id ?? '' })).toMatchObject({ state: 'approved' })
    await expect(decide(a?.id ?? '')).rejects.toMatchObject({ code: 'approval.decided' })
  })

  test('through the app it only decides: the app goes on with the thread', async () => {
    const { engine, folder } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'written' }])
    const thread = await runGoal(engine, folder, 'go')
    const { terminal, text } = printed(false)
    await decideApproval(accessTo(engine, { isOwn: false }), terminal, { ...once, id: (await first(engine)).id })
    expect(text()).toBe('approved put a.txt of #1\n')
    await engine.threads.join([thread.id], AbortSignal.timeout(60_000))
    expect(effectsIn(folder)).toEqual(['put a.txt'])
  })
})

describe('run on a terminal asks there', () => {
  const twice = [{ toolCalls: [writes('a.txt')] }, { toolCalls: [writes('b.txt')] }, { text: 'both' }]

  async function runWith(typed: readonly (string | null)[], script: ModelScript = twice) {
    const started = await start(script)
    const person = personAt(typed)
    const code = await run(started.access, person.terminal, { goal: 'go', project: started.folder })
    const [thread] = (await started.engine.api.call('thread.list', {})).rows
    return { ...started, ...person, code, thread }
  }

  test('y allows this one call: the next asks again, each with its change in colour', async () => {
    const { code, folder, questions, shown } = await runWith(['y', 'y'])
    expect([code, questions.length]).toEqual([0, 2])
    expect(effectsIn(folder)).toEqual(['put a.txt', 'put b.txt'])
    expect(shown()).toContain('\u001b[31m-old\u001b[0m')
    expect(shown()).toContain('both')
  })

  test('t allows what is like it in this thread', async () => {
    const { code, folder, questions } = await runWith(['t'])
    expect([code, questions.length]).toEqual([0, 1])
    expect(effectsIn(folder)).toEqual(['put a.txt', 'put b.txt'])
  })

  test('n asks why not, and the agent reads it', async () => {
    const { model, folder, questions } = await runWith(['n', 'use c.txt', 'n', ''])
    expect(questions).toHaveLength(4)
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('use c.txt')
    expect(model.requests[2]?.messages.at(-1)?.content).toContain('the user said no. ')
    expect(effectsIn(folder)).toEqual([])
  })

  test('s ends the thread as denied, exit 1', async () => {
    const { code, thread, folder } = await runWith(['s'])
    expect([code, thread?.outcome, effectsIn(folder)]).toEqual([1, 'denied', []])
  })

  test.each([
    ['q', ['q']],
    ['the end of the input', [null]],
    ['nothing, then anything else, then the end', ['', 'yes', 'Y E S', null]],
    ['the end of the input where a reason is asked for', ['n', null]],
  ])('%s leaves it waiting, exit 0', async (_, typed) => {
    const { code, engine, thread, folder, err } = await runWith(typed)
    expect([code, thread?.state, effectsIn(folder)]).toEqual([0, 'Waiting', []])
    expect(await asked(engine)).toHaveLength(1)
    expect(err()).toContain('approval list')
  })

  test('what costs money can only be allowed once', async () => {
    const script = [{ toolCalls: [scriptedCall('pay', { usd: 5 })] }, { text: 'paid' }]
    const { folder, questions } = await runWith(['t', 'y'], script)
    expect(questions).toHaveLength(2)
    expect(questions[0]).not.toContain('for all of this thread')
    expect(effectsIn(folder)).toEqual(['pay 5'])
  })

  test('what a child asks for is asked for here too', async () => {
    const code = (source: string) => ({ text: `Let me compute.\n\`\`\`repl\n${source}\n\`\`\`` })
    const {
      code: exit,
      folder,
      shown,
    } = await runWith(
      ['y'],
      [code('FINAL(rlm_query("write it"))'), { toolCalls: [writes('a.txt')] }, { text: 'the child wrote it' }],
    )
    expect(exit).toBe(0)
    expect(effectsIn(folder)).toEqual(['put a.txt'])
    expect(shown()).toContain('#2 asks for put a.txt')
  })

  test('--approve all asks nobody but for money; --approve none waits; ask without a terminal is wrong usage', async () => {
    const all = await start(twice)
    const { terminal, lines } = printed(true)
    expect(await run(all.access, terminal, { goal: 'go', project: all.folder, approve: 'all' })).toBe(0)
    expect(lines()).toMatchObject([{ outcome: 'answered', actions: [{ name: 'put', ok: true }, { ok: true }] }])

    const none = await start(twice)
    const waiting = printed(true)
    expect(await run(none.access, waiting.terminal, { goal: 'go', project: none.folder })).toBe(0)
    expect(waiting.lines()).toMatchObject([{ state: 'Waiting', outcome: null }])

    const goes = run(none.access, waiting.terminal, { goal: 'go', project: none.folder, approve: 'ask' })
    await expect(goes).rejects.toMatchObject({ code: 'usage' })
    expect((await none.engine.api.call('thread.list', {})).rows).toHaveLength(1)
  })

  test('--budget-usd is the limit of the thread, beside the usual ones', async () => {
    const { engine, access, folder } = await start([{ text: 'hello' }])
    const thread = { tokens: 9_000, usd: 9, steps: null, ms: null }
    const { project, day } = (await engine.api.call('settings.get', {})).budgets
    await engine.api.call('settings.set', { patch: { budgets: { thread, project, day } } })
    const { terminal, lines } = printed(true)
    await run(access, terminal, { goal: 'go', project: folder, budgetUsd: 0.5 })
    expect(lines()).toMatchObject([{ usage: { inputTokens: 10, outputTokens: 5, usd: 0 } }])
    const [header] = (await engine.api.call('thread.list', {})).rows
    expect(header?.budget).toEqual({ tokens: 9_000, usd: 0.5, ms: null })
  })
})

test('thread show says why a thread waits, how to decide, and what was decided', async () => {
  const { engine, access, folder } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'written' }])
  const { id } = await runGoal(engine, folder, 'go')
  const request = await first(engine)
  const waiting = printed(false)
  await show(access, waiting.terminal, { id, events: false, messages: false })
  const said = waiting.text()
  expect(said).toContain('Waiting: waits for your approval of put a.txt')
  expect(said).toContain(`  ? put a.txt  … ms\n    waits for you: threadsmith approval approve ${request.id}`)
  await decideApproval(access, printed(true).terminal, { ...once, id: request.id, reason: 'fine' })
  const done = printed(false)
  await show(access, done.terminal, { id, events: false, messages: false })
  expect(done.text()).toMatch(/ {2}✓ put a.txt {2}\d+ ms\n {4}approved, once: fine/)
  const { terminal, lines } = printed(true)
  await show(access, terminal, { id, events: false, messages: false })
  expect(lines()[0].approvals).toEqual([
    {
      ...{ id: request.id, step: 0, path: '1', action: 'put', hash: request.hash },
      ...{ state: 'approved', scope: 'once', reason: 'fine' },
    },
  ])
})
