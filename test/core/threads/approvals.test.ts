import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/action.ts'
import type { Approval } from '../../../core/domain/approval.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { effectsIn, pay, put } from '../../support/asking.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

const writes = (file: string, text = 'new') => scriptedCall('put', { file, text }, file)

async function start(script: ModelScript, options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const folder = folderWith({ 'a.txt': 'old' })
  const dataDir = temporaryFolder()
  const open = async (mode: EngineOptions['recover'] = 'resume') => {
    const engine = await startEngine({
      ...{ dataDir, embedded: { scripted: model }, actions: [put, pay], recover: mode },
      ...options,
    })
    await useScriptedModel(engine)
    return engine
  }
  const engine = await open()
  const project = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go' })
  await rest(engine, threadId)
  return { engine, open, model, folder, threadId, projectId: project.id }
}

async function rest(engine: Engine, threadId: string) {
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  return engine.api.call('thread.get', { id: threadId })
}
async function pendingOf(engine: Engine): Promise<readonly Approval[]> {
  return (await engine.api.call('approval.list', { state: 'pending' })).rows
}
async function only(engine: Engine): Promise<Approval> {
  const [approval, ...more] = await pendingOf(engine)
  expect(more).toEqual([])
  return approval ?? expect.fail('nobody is asked')
}
const fileOf = (folder: string, name = 'a.txt') => fs.readFileSync(path.join(folder, name), 'utf8')

test('a write asks with what it would do; nothing has happened, and the thread waits and says for what', async () => {
  const { engine, folder, threadId, model } = await start([{ toolCalls: [writes('a.txt')] }])
  const approval = await only(engine)
  expect(approval).toMatchObject({ action: 'put', summary: 'a.txt', state: 'pending', effects: ['WriteLocal'] })
  expect(await engine.api.call('event.body', { seq: approval.requestSeq })).toMatchObject({
    body: {
      arguments: { file: 'a.txt', text: 'new' },
      change: { kind: 'file', path: 'a.txt', before: 'old', after: 'new' },
    },
  })
  expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({
    state: 'Waiting',
    reason: 'waits for your approval of put a.txt',
  })
  expect(await engine.api.call('engine.info', {})).toMatchObject({ approvals: 1, slots: { used: 0 } })
  expect(effectsIn(folder)).toEqual([])
  expect(model.requests).toHaveLength(1)
})

test('approved, it goes on at that very call: the model is not asked again', async () => {
  const { engine, folder, threadId, model } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'done' }])
  const { id } = await only(engine)
  await engine.api.call('approval.decide', { id, decision: 'approve' })
  expect(await rest(engine, threadId)).toMatchObject({ state: 'Done', outcome: 'answered' })
  expect(fileOf(folder)).toBe('new')
  expect(effectsIn(folder)).toEqual(['put a.txt'])
  expect(model.requests).toHaveLength(2)
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'written' })
  const started = eventsOf(engine, threadId).find((event) => event.kind === 'action.started')
  expect(started).toMatchObject({ data: { policy: { verdict: 'allow', check: 'approved', by: id }, usesLeft: 1 } })
})

test('approved after a quit and a new start, with the process that asked long gone', async () => {
  const { engine, open, folder, threadId, model } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'done' }])
  const { id } = await only(engine)
  await engine.stop('quit')
  const later = await open()
  expect(await later.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Waiting' })
  expect(await only(later)).toMatchObject({ id })
  await later.api.call('approval.decide', { id, decision: 'approve' })
  expect(await rest(later, threadId)).toMatchObject({ outcome: 'answered' })
  expect(effectsIn(folder)).toEqual(['put a.txt'])
  expect(model.requests).toHaveLength(2)
})

test('only decided, it runs at the next start', async () => {
  const { engine, open, folder, threadId } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'done' }])
  const { id } = await only(engine)
  await engine.api.call('approval.decide', { id, decision: 'approve', run: false })
  expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Waiting' })
  await engine.stop('quit')
  expect(effectsIn(folder)).toEqual([])
  const later = await open()
  expect(await rest(later, threadId)).toMatchObject({ outcome: 'answered' })
  expect(effectsIn(folder)).toEqual(['put a.txt'])
})

test('denied, the model reads why and the thread goes on', async () => {
  const { engine, folder, threadId, model } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'as you wish' }])
  const { id } = await only(engine)
  await engine.api.call('approval.decide', { id, decision: 'deny', reason: 'not this file' })
  expect(await rest(engine, threadId)).toMatchObject({ outcome: 'answered' })
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('the user said no: not this file')
  expect(effectsIn(folder)).toEqual([])
  const [row] = (await engine.api.call('approval.list', { state: 'decided' })).rows
  expect(row).toMatchObject({ state: 'denied', decisionReason: 'not this file' })
})

test('deny and stop ends the thread as denied, and what else it asked is asked no more', async () => {
  const calls = [writes('a.txt'), writes('b.txt')]
  const { engine, folder, threadId, model } = await start([{ toolCalls: calls }])
  const [first] = await pendingOf(engine)
  await engine.api.call('approval.decide', { id: first?.id ?? '', decision: 'deny', stop: true })
  expect(await rest(engine, threadId)).toMatchObject({ state: 'Done', outcome: 'denied' })
  expect(await pendingOf(engine)).toEqual([])
  expect(effectsIn(folder)).toEqual([])
  expect(model.requests).toHaveLength(1)
})

describe('a batch', () => {
  const calls = [writes('a.txt', '1'), writes('b.txt', '2'), writes('c.txt', '3')]

  test.each([[[0, 1, 2]], [[2, 0, 1]], [[1, 2, 0]]])(
    'decided in the order %j: each runs as soon as it is approved, results stay in order',
    async (order) => {
      const { engine, folder, threadId, model } = await start([{ toolCalls: calls }, { text: 'done' }])
      const asked = await pendingOf(engine)
      expect(asked.map(({ summary }) => summary)).toEqual(['a.txt', 'b.txt', 'c.txt'])
      for (const [n, at] of order.entries()) {
        await engine.api.call('approval.decide', { id: asked[at]?.id ?? '', decision: at === 1 ? 'deny' : 'approve' })
        const { state } = await rest(engine, threadId)
        expect(state).toBe(n === 2 ? 'Done' : 'Waiting')
      }
      expect(effectsIn(folder).toSorted()).toEqual(['put a.txt', 'put c.txt'])
      const results = model.requests[1]?.messages.slice(-3) ?? []
      expect(results.map((message) => ('callId' in message ? message.callId : ''))).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(results[1]?.content).toContain('the user said no')
      expect(model.requests).toHaveLength(2)
    },
  )

  test('what needs no approval has run before anybody is asked to decide the rest', async () => {
    const { engine, threadId } = await start([
      { toolCalls: [writes('a.txt'), scriptedCall('nope', {}, 'x')] },
      { text: 'done' },
    ])
    const finished = eventsOf(engine, threadId).filter((event) => event.kind === 'action.finished')
    expect(finished).toMatchObject([{ data: { callId: 'x', code: 'action.unknown' } }])
  })
})

describe('an approval is bound to its exact bytes', () => {
  test('edited, the edited bytes run and both are on record', async () => {
    const { engine, folder, threadId, model } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'done' }])
    const { id, hash } = await only(engine)
    await engine.api.call('approval.decide', { id, decision: 'approve', edited: { file: 'a.txt', text: 'mine' } })
    expect(await rest(engine, threadId)).toMatchObject({ outcome: 'answered' })
    expect(fileOf(folder)).toBe('mine')
    const read = JSON.parse(model.requests[1]?.messages.at(-1)?.content ?? '')
    expect(read).toMatchObject({ result: 'written', edited_by_the_user: { file: 'a.txt', text: 'mine' } })
    const decided = eventsOf(engine, threadId).find((event) => event.kind === 'approval.decided')
    expect(decided).toMatchObject({ data: { argsHash: hash }, body: { arguments: { text: 'mine' } } })
    const started = eventsOf(engine, threadId).find((event) => event.kind === 'action.started')
    expect(started).toMatchObject({ body: { arguments: { file: 'a.txt', text: 'mine' } } })
    expect(started?.kind === 'action.started' && started.data.argsHash).not.toBe(hash)
  })

  test('edited, what is lent are the effects of the edited call; an effect that is switched off is not to be had so', async () => {
    const copy = defineAction({
      name: 'copy',
      description: 'Copies.',
      parameters: z.strictObject({ to: z.string() }),
      effects: ['WriteLocal', 'WriteExternal'],
      isIdempotent: false,
      summarize: ({ to }) => to,
      review: ({ to }) => ({
        ...{ verdict: 'ask', reason: 'copies', scopeKey: 'copy' },
        effects: to.startsWith('http') ? ['WriteExternal'] : ['WriteLocal'],
      }),
      run: ({ to }) => to,
    })
    const call = scriptedCall('copy', { to: 'here' })
    const { engine, threadId } = await start([{ toolCalls: [call] }, { text: 'done' }], { actions: [copy] })
    const { id } = await only(engine)
    const outside = { id, decision: 'approve', edited: { to: 'http://a' } } as const
    await engine.api.call('settings.set', { patch: { policy: { deniedEffects: ['WriteExternal'], rules: [] } } })
    await expect(engine.api.call('approval.decide', outside)).rejects.toMatchObject({ code: 'policy.denied' })
    await engine.api.call('settings.set', { patch: { policy: { deniedEffects: [], rules: [] } } })
    await engine.api.call('approval.decide', outside)
    await rest(engine, threadId)
    const lent = eventsOf(engine, threadId).findLast((event) => event.kind === 'lease.granted')
    expect(lent).toMatchObject({ data: { actions: ['copy'], effects: ['WriteExternal'] } })
  })

  test('an edit that does not fit is refused, and it still waits', async () => {
    const { engine, threadId } = await start([{ toolCalls: [writes('a.txt')] }])
    const { id } = await only(engine)
    const edited = { file: 'a.txt', text: 5 }
    await expect(engine.api.call('approval.decide', { id, decision: 'approve', edited })).rejects.toMatchObject({
      code: 'action.args',
    })
    expect(await only(engine)).toMatchObject({ id })
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Waiting' })
  })

  test('a file that changed since is not overwritten', async () => {
    const { engine, folder, threadId, model } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'done' }])
    fs.writeFileSync(path.join(folder, 'a.txt'), 'by somebody else')
    await engine.api.call('approval.decide', { id: (await only(engine)).id, decision: 'approve' })
    await rest(engine, threadId)
    expect(fileOf(folder)).toBe('by somebody else')
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('approval.stale')
  })

  test('its lease was revoked before it ran: it does not run', async () => {
    const { engine, open, folder, threadId } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'done' }])
    const { id } = await only(engine)
    await engine.api.call('approval.decide', { id, decision: 'approve', run: false })
    const lease = (await engine.api.call('lease.list', { threadId })).find(({ argsHash }) => argsHash !== null)
    await engine.api.call('lease.revoke', { id: lease?.id ?? '' })
    await engine.stop('quit')
    const later = await open()
    expect(await rest(later, threadId)).toMatchObject({ outcome: 'answered' })
    expect(effectsIn(folder)).toEqual([])
  })

  test('the second answer is told that it was decided already', async () => {
    const { engine } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'done' }])
    const { id } = await only(engine)
    const both = await Promise.allSettled([
      engine.api.call('approval.decide', { id, decision: 'approve' }),
      engine.api.call('approval.decide', { id, decision: 'deny' }),
    ])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await expect(engine.api.call('approval.decide', { id, decision: 'approve' })).rejects.toMatchObject({
      code: 'approval.decided',
    })
    await expect(engine.api.call('approval.decide', { id: 'app_none', decision: 'deny' })).rejects.toMatchObject({
      code: 'approval.not_found',
    })
  })
})

describe('wider scopes', () => {
  test('for this thread: the second one asks nobody and says by what it was allowed; another thread asks again', async () => {
    const script: ModelScript = (_request, n) =>
      n % 3 === 2 ? { text: 'done' } : { toolCalls: [writes(n % 3 === 0 ? 'a.txt' : 'b.txt', `${n}`)] }
    const { engine, threadId, projectId } = await start(script)
    await engine.api.call('approval.decide', { id: (await only(engine)).id, decision: 'approve', scope: 'thread' })
    expect(await rest(engine, threadId)).toMatchObject({ outcome: 'answered' })
    const started = eventsOf(engine, threadId).filter((event) => event.kind === 'action.started')
    expect(started[1]).toMatchObject({ data: { policy: { check: 'grant' } } })
    const next = await engine.api.call('thread.send', { projectId, text: 'again' })
    expect(await rest(engine, next.threadId)).toMatchObject({ state: 'Waiting' })
  })

  test.each(['project', 'always'] as const)('for %s: it stands in later threads until it is revoked', async (scope) => {
    const script: ModelScript = (_request, n) =>
      n % 2 === 1 ? { text: 'done' } : { toolCalls: [writes('a.txt', `${n}`)] }
    const { engine, threadId, projectId } = await start(script)
    await engine.api.call('approval.decide', { id: (await only(engine)).id, decision: 'approve', scope })
    await rest(engine, threadId)
    const second = await engine.api.call('thread.send', { projectId, text: 'again' })
    expect(await rest(engine, second.threadId)).toMatchObject({ outcome: 'answered' })
    const [grant] = await engine.api.call('grant.list', {})
    expect(grant).toMatchObject({ scope, action: 'put', scopeKey: 'put' })
    await engine.api.call('grant.revoke', { id: grant?.id ?? '' })
    expect(await engine.api.call('grant.list', {})).toEqual([])
    const third = await engine.api.call('thread.send', { projectId, text: 'once more' })
    expect(await rest(engine, third.threadId)).toMatchObject({ state: 'Waiting' })
  })

  test('what costs money asks each time, and cannot be approved for more than once', async () => {
    const buys = (n: number) => ({ toolCalls: [scriptedCall('pay', { usd: n }, `p${n}`)] })
    const { engine, folder, threadId } = await start((_request, n) => (n < 2 ? buys(n) : { text: 'done' }))
    const first = await only(engine)
    await expect(
      engine.api.call('approval.decide', { id: first.id, decision: 'approve', scope: 'always' }),
    ).rejects.toMatchObject({ code: 'api.input' })
    await engine.api.call('approval.decide', { id: first.id, decision: 'approve' })
    expect(await rest(engine, threadId)).toMatchObject({ state: 'Waiting' })
    expect(effectsIn(folder)).toEqual(['pay 0'])
  })

  test('approve all covers the ordinary calls of that thread, never money', async () => {
    const { engine, folder, projectId } = await start((_request, n) => {
      if (n === 0) return { text: 'first' }
      return n === 1 ? { toolCalls: [writes('a.txt'), scriptedCall('pay', { usd: 1 }, 'p')] } : { text: 'done' }
    })
    const { threadId } = await engine.api.call('thread.send', { projectId, text: 'go', approvesAll: true })
    expect(await rest(engine, threadId)).toMatchObject({ state: 'Waiting' })
    expect(effectsIn(folder)).toEqual(['put a.txt'])
    expect(await only(engine)).toMatchObject({ action: 'pay' })
  })
})

describe('time', () => {
  test('a request expires after its days: it means no, suspends the thread and never wakes it', async () => {
    let now = Date.now()
    const clock = { now: () => now, monotonic: () => performance.now() }
    const { engine, folder, threadId, model } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'so be it' }], {
      clock,
    })
    const { id, requestedAt, expiresAt } = await only(engine)
    expect(expiresAt - requestedAt).toBe(limits.approvalMs)
    now = expiresAt + 1
    await expect(engine.api.call('approval.decide', { id, decision: 'approve' })).rejects.toMatchObject({
      code: 'approval.expired',
    })
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Suspended' })
    expect(model.requests).toHaveLength(1)
    await engine.api.call('thread.resume', { id: threadId })
    expect(await rest(engine, threadId)).toMatchObject({ outcome: 'answered' })
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('nobody answered in time')
    expect(effectsIn(folder)).toEqual([])
  })
})

test('a message to a thread that waits is kept, and read when it goes on', async () => {
  const { engine, threadId, model } = await start([{ toolCalls: [writes('a.txt')] }, { text: 'done' }])
  await engine.api.call('thread.send', { threadId, text: 'and hurry' })
  expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Waiting' })
  await engine.api.call('approval.decide', { id: (await only(engine)).id, decision: 'approve' })
  await rest(engine, threadId)
  expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'and hurry' })
})

test('stopping a thread that waits asks nobody any more', async () => {
  const { engine, threadId } = await start([{ toolCalls: [writes('a.txt')] }])
  expect(await engine.api.call('thread.stop', { id: threadId })).toMatchObject({ state: 'Done', outcome: 'stopped' })
  expect(await pendingOf(engine)).toEqual([])
  const [row] = (await engine.api.call('approval.list', { state: 'decided' })).rows
  expect(row).toMatchObject({ state: 'cancelled' })
})
