import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leasesForChild } from '../../../core/capabilities/capabilities.ts'
import { type EffectType, effectTypes, type Lease } from '../../../core/domain/action.ts'
import { limits } from '../../../core/domain/limits.ts'
import { put } from '../../support/asking.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

async function start(script: ModelScript) {
  const engine = await startEngine({ embedded: { scripted: scriptedModel(script) } })
  await useScriptedModel(engine)
  return engine
}
const echo = (n: number) => ({ toolCalls: [scriptedCall('echo', { text: `${n}` }, `c${n}`)] })

test('a thread is leased its actions by capability, for a time', async () => {
  const engine = await start([{ text: 'ok' }])
  const thread = await runGoal(engine, folderWith({}), 'go')
  const granted = eventsOf(engine, thread.id).flatMap((event) => (event.kind === 'lease.granted' ? [event.data] : []))
  expect(granted.map(({ capability }) => capability)).toEqual([
    ...['files', 'changes', 'shell', 'web', 'memory', 'basics', 'skills', 'missions'],
  ])
  const leases = await engine.api.call('lease.list', { threadId: thread.id })
  for (const { grantedAt, expiresAt } of leases) expect(expiresAt).toBe(grantedAt + limits.leaseMs)
  expect(leases.every(({ revokedAt }) => revokedAt !== null)).toBe(true)
})

test('a lease that is revoked while the thread runs covers nothing from then on, and that is on record', async () => {
  const engine = await start((_request, n) => (n < 2 ? echo(n) : { text: 'done' }))
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go' })
  const lease = (await engine.api.call('lease.list', { threadId })).find(({ capability }) => capability === 'basics')
  await engine.api.call('lease.revoke', { id: lease?.id ?? '' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const finished = eventsOf(engine, threadId).filter((event) => event.kind === 'action.finished')
  expect(finished).toMatchObject([{ data: { code: 'policy.denied' } }, { data: { code: 'policy.denied' } }])
  const started = eventsOf(engine, threadId).find((event) => event.kind === 'action.started')
  expect(started).toMatchObject({
    data: { policy: { verdict: 'deny', check: 'lease', reason: 'the lease on echo was revoked' } },
  })
  expect(eventsOf(engine, threadId).some((event) => event.kind === 'lease.revoked')).toBe(true)
})

test('effects that are switched off in the settings are denied before anybody is asked', async () => {
  const script: ModelScript = [{ toolCalls: [scriptedCall('put', { file: 'a', text: 'b' })] }, { text: 'ok' }]
  const engine = await startEngine({ embedded: { scripted: scriptedModel(script) }, actions: [put] })
  await useScriptedModel(engine)
  await engine.api.call('settings.set', { patch: { policy: { deniedEffects: ['WriteLocal'], rules: [] } } })
  const thread = await runGoal(engine, folderWith({}), 'go')
  expect(thread.outcome).toBe('answered')
  expect(eventsOf(engine, thread.id).find((event) => event.kind === 'action.started')).toMatchObject({
    data: { policy: { verdict: 'deny', check: 'global' } },
  })
})

describe('counted leases', () => {
  test('a use is taken in the transaction of the intent; a child’s use is its parent’s too', async () => {
    const engine = await start([{ text: 'ok' }])
    const { leases } = engine.store
    const lease = (id: string, parentLeaseId: string | null, usesLeft: number | null): Lease => ({
      ...{ id, threadId: `t-${id}`, capability: 'c', actions: ['a'], effects: ['Compute'], argsHash: null },
      ...{ parentLeaseId, grantedAt: 0, expiresAt: null, usesLeft, revokedAt: null },
    })
    engine.store.transaction(() => {
      leases.insert(lease('root', null, 2))
      leases.insert(lease('child', 'root', null))
      leases.insert(lease('grandchild', 'child', null))
    })
    expect(leases.consume('grandchild', 1)).toBe(1)
    expect(leases.get('root')?.usesLeft).toBe(1)
    expect(leases.consume('child', 1)).toBe(0)
    expect(leases.consume('grandchild', 1)).toBeUndefined()
    engine.store.transaction(() => leases.insert(lease('other', null, 5)))
    engine.store.transaction(() => leases.insert(lease('below', 'other', null)))
    engine.store.transaction(() => leases.revoke('other', 7))
    expect(leases.get('below')?.revokedAt).toBe(7)
    expect(leases.consume('below', 8)).toBeUndefined()
  })
})

test('what a child is given is never wider than what its parent holds', () => {
  const arbitrary = fc.record({
    id: fc.uuid(),
    actions: fc.subarray(['a', 'b', 'c']),
    effects: fc.subarray<EffectType>([...effectTypes]),
    expiresAt: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }),
    usesLeft: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
    revokedAt: fc.option(fc.constant(1), { nil: null }),
    argsHash: fc.option(fc.constant('h'), { nil: null }),
  })
  fc.assert(
    fc.property(fc.array(arbitrary, { maxLength: 6 }), fc.integer({ min: 0, max: 20 }), (parents, now) => {
      const fixed = { threadId: 'p', capability: 'c', parentLeaseId: null, grantedAt: 0 }
      const held: readonly Lease[] = parents.map((each) => ({ ...fixed, ...each }))
      let n = 0
      const nextId = () => `child-${++n}`
      for (const child of leasesForChild(held, { threadId: 'c', now, nextId })) {
        const parent = held.find(({ id }) => id === child.parentLeaseId) ?? expect.fail('from nowhere')
        expect(parent.revokedAt).toBeNull()
        expect(parent.argsHash).toBeNull()
        expect(parent.expiresAt === null || now < parent.expiresAt).toBe(true)
        expect(parent.usesLeft).not.toBe(0)
        expect(child).toEqual({ ...parent, id: child.id, threadId: 'c', parentLeaseId: parent.id, grantedAt: now })
      }
    }),
  )
})
