import { hash } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type Action, defineAction } from '../../../core/capabilities/action.ts'
import {
  createCapabilities,
  createRateMeter,
  createRegistry,
  type Scope,
} from '../../../core/capabilities/capabilities.ts'
import { coveringLease, refusalReason } from '../../../core/capabilities/lease.ts'
import { untouched } from '../../../core/capabilities/origin.ts'
import type { Lease } from '../../../core/domain/action.ts'
import type { EventData } from '../../../core/domain/event.ts'
import { shapeRedactor } from '../../../core/domain/leaks/redactor.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { ToolCall } from '../../../core/domain/model.ts'
import { scriptedCall } from '../../support/scripted-model.ts'

afterEach(() => {
  vi.useRealTimers()
})

const lease = (change: Partial<Lease> = {}): Lease => ({
  id: 'lea_1',
  threadId: 'thr_1',
  capability: 'test',
  actions: ['say', 'write', 'slow'],
  effects: ['ReadLocal', 'WriteLocal', 'Compute'],
  argsHash: null,
  parentLeaseId: null,
  grantedAt: 0,
  expiresAt: null,
  usesLeft: null,
  revokedAt: null,
  ...change,
})

const action = (name: string, change: Partial<Action> = {}): Action =>
  defineAction({
    name,
    description: name,
    parameters: z.strictObject({ text: z.string() }),
    effects: ['Compute'],
    isIdempotent: true,
    summarize: () => '',
    run: ({ text }: { text: string }) => text,
    ...change,
  })

/** A door with a journal that only remembers what was staged and when it was committed. */
function door(actions: readonly Action[], leases: readonly Lease[] = [lease()]) {
  const log: string[] = []
  const events: EventData[] = []
  const journal = {
    stage: (event: EventData) => {
      events.push(event)
      log.push(event.kind)
    },
    commit: () => void log.push('commit'),
    commitWith: () => void log.push('commit'),
    commitRest: never,
    commitSoon: () => undefined,
  }
  const memory = {
    ...{ writeNote: never, writeDoc: never, edit: never, archive: never, get: never, versions: never, list: never },
    ...{ read: () => undefined, recent: never, search: never, retrieveDocs: never, close: never, briefDocs: never },
  }
  const door = createCapabilities({
    ...{
      registry: createRegistry(actions),
      memory,
      hooks: [],
      redactor: shapeRedactor,
      dataDir: '/nowhere',
      timeZone: 'UTC',
    },
    book: {
      of: () => leases,
      grants: () => [],
      usesLeft: (one) => one.usesLeft,
      missionOf: () => null,
      changed: () => undefined,
    },
    requests: { ofCall: () => undefined, eventOf: never, insert: () => undefined, approved: never },
    ...{ rates: createRateMeter(), policy: () => ({ deniedEffects: [], rules: [] }), consume: () => undefined },
    ...{ now: () => 1_000, notify: () => undefined },
    trash: () => ({ place: () => '/nowhere', record: () => undefined }),
    environment: {},
    installedSkill: () => undefined,
  })
  const controller = new AbortController()
  const scope: Scope = {
    ...{ threadId: 'thr_1', rootId: 'thr_1', projectId: 'prj_1', folder: '/nowhere', step: 0, journal },
    pathAt: (at) => String(at + 1),
    origin: untouched,
    signal: controller.signal,
  }
  const capabilities = {
    execute: async (calls: readonly ToolCall[], on: Scope) => {
      const executed = await door.execute(calls, on)
      return executed.kind === 'done' ? executed.results : expect.fail('it waits')
    },
  }
  return { capabilities, scope, controller, log, events }
}
const never = () => {
  throw new Error('not used here')
}

describe('what a call says of itself', () => {
  const skill = { id: 's', name: 's', version: 1, score: 0, tokens: 1, trust: 'trusted', isForced: false } as const
  const noting = (text: string) =>
    action('say', {
      run: (_given, { note }) => {
        note({ kind: 'skill.loaded', data: { skill } })
        return text
      },
    })

  test.each([
    ['stands before its result', 'x', ['skill.loaded', 'action.finished']],
    ['is left out with a result that is none', 'x'.repeat(limits.actionResultCharacters + 1), ['action.finished']],
  ])('%s', async (_what, text, kinds) => {
    const { capabilities, scope, events } = door([noting(text)])
    await capabilities.execute([scriptedCall('say', { text: 'x' })], scope)
    expect(events.map(({ kind }) => kind).filter((kind) => kind !== 'action.started')).toEqual(kinds)
  })
})

describe('parse', () => {
  test.each([
    ['an unknown action', scriptedCall('nope', {}), 'action.unknown'],
    ['arguments that do not fit', scriptedCall('say', { text: 1 }), 'action.args'],
    ['an argument too many', scriptedCall('say', { text: 'a', more: true }), 'action.args'],
    ['arguments over the limit', scriptedCall('say', { text: 'x'.repeat(limits.actionArgumentBytes) }), 'action.args'],
  ])('%s is a result that names what is wrong, and nothing runs', async (_name, call, code) => {
    const run = vi.fn()
    const { capabilities, scope } = door([action('say', { run })])
    expect(await capabilities.execute([call], scope)).toMatchObject([{ ok: false, error: { code } }])
    expect(run).not.toHaveBeenCalled()
  })

  test('a null stands for a parameter that was left out', async () => {
    const optional = action('say', { parameters: z.strictObject({ text: z.string(), more: z.string().optional() }) })
    const { capabilities, scope } = door([optional])
    expect(await capabilities.execute([scriptedCall('say', { text: 'hi', more: null })], scope)).toMatchObject([
      { ok: true },
    ])
    expect(await capabilities.execute([scriptedCall('say', { text: null })], scope)).toMatchObject([
      { ok: false, error: { code: 'action.args' } },
    ])
  })

  test('underscore and hyphen are one name', async () => {
    const { capabilities, scope } = door([action('say_it')], [lease({ actions: ['say-it'] })])
    expect(await capabilities.execute([scriptedCall('say-it', { text: 'hi' })], scope)).toMatchObject([
      { ok: true, name: 'say_it' },
    ])
  })
})

describe('lease', () => {
  const now = 1_000
  test.each([
    ['no lease at all', [], 'no lease'],
    ['one for other actions', [lease({ actions: ['other'] })], 'no lease'],
    ['a revoked one', [lease({ revokedAt: 5 })], 'revoked'],
    ['one that expired this very millisecond', [lease({ expiresAt: now })], 'expired'],
    ['one without uses left', [lease({ usesLeft: 0 })], 'no uses left'],
  ])('%s is policy.denied with its reason, on record, and nothing runs', async (_name, leases, reason) => {
    const run = vi.fn()
    const { capabilities, scope, events } = door([action('say', { run })], leases)
    const results = await capabilities.execute([scriptedCall('say', { text: 'hi' })], scope)
    expect(results).toMatchObject([
      { ok: false, error: { code: 'policy.denied', message: expect.stringContaining(reason) } },
    ])
    expect(run).not.toHaveBeenCalled()
    expect(events.at(-1)).toMatchObject({ kind: 'action.finished', data: { ok: false, code: 'policy.denied' } })
    expect(coveringLease(leases, 'say', now)).toBeUndefined()
    expect(refusalReason(leases, 'say', now)).toContain(reason)
  })

  test('one that expires in a millisecond covers', () => {
    expect(coveringLease([lease({ expiresAt: now + 1 })], 'say', now)).toBeDefined()
  })
})

describe('record', () => {
  test('what only reads is recorded with its result; anything else has its intent on disk before it runs', async () => {
    const reading = door([action('say')])
    await reading.capabilities.execute([scriptedCall('say', { text: 'a' })], reading.scope)
    expect(reading.log).toEqual(['action.started', 'action.finished'])

    const log: string[] = []
    const writing = door([
      action('write', {
        effects: ['WriteLocal'],
        run: () => {
          log.push(...writing.log, 'ran')
          return null
        },
      }),
    ])
    await writing.capabilities.execute([scriptedCall('write', { text: 'a' })], writing.scope)
    expect(log).toEqual(['action.started', 'commit', 'ran'])
  })

  test('hidden characters in a result are made visible before it is stored', async () => {
    const { capabilities, scope, events } = door([action('say', { run: () => ({ text: 'pay\u202Eroll\u0007' }) })])
    const [result] = await capabilities.execute([scriptedCall('say', { text: '' })], scope)
    expect(result).toMatchObject({ value: { text: 'pay⟦U+202E⟧roll' } })
    expect(events.at(-1)).toMatchObject({ body: { result: { text: 'pay⟦U+202E⟧roll' } } })
  })

  test('a result one character over the limit is refused, one at the limit is not', async () => {
    const sized = (characters: number) => door([action('say', { run: () => 'x'.repeat(characters) })])
    const run = async ({ capabilities, scope }: ReturnType<typeof door>) =>
      capabilities.execute([scriptedCall('say', { text: '' })], scope)
    expect(await run(sized(limits.actionResultCharacters))).toMatchObject([{ ok: true }])
    expect(await run(sized(limits.actionResultCharacters + 1))).toMatchObject([
      { ok: false, error: { code: 'action.too_large' } },
    ])
  })
})

describe('what others wrote', () => {
  const fail = (message: string) =>
    action('say', {
      run: () => {
        throw new Error(message)
      },
    })

  test('an error is cut at its limit and shows what hides in it', async () => {
    const run = async (message: string) => {
      const { capabilities, scope } = door([fail(message)])
      const [result] = await capabilities.execute([scriptedCall('say', { text: '' })], scope)
      return result?.ok === false ? result.error.message : ''
    }
    expect(await run('x'.repeat(limits.errorCharacters))).toBe('x'.repeat(limits.errorCharacters))
    expect(await run('x'.repeat(limits.errorCharacters + 1))).toHaveLength(limits.errorCharacters)
    expect(await run('\u001b]52;c;aGk=\u0007 pay\u202Eroll')).toBe(']52;c;aGk= pay⟦U+202E⟧roll')
  })

  test('a summary is cut at its limit', async () => {
    const long = action('say', { summarize: () => 'y'.repeat(limits.actionSummaryCharacters + 1) })
    const { capabilities, scope, events } = door([long])
    await capabilities.execute([scriptedCall('say', { text: '' })], scope)
    expect(events[0]).toMatchObject({ data: { summary: `${'y'.repeat(limits.actionSummaryCharacters - 1)}…` } })
  })
})

describe('running', () => {
  test('one that throws does not take the others with it, and results keep the order of the calls', async () => {
    const { capabilities, scope } = door([
      action('say'),
      action('write', {
        run: () => {
          throw new Error('broken')
        },
      }),
    ])
    const calls = [
      scriptedCall('say', { text: 'a' }, '1'),
      scriptedCall('write', { text: 'b' }, '2'),
      scriptedCall('say', { text: 'c' }, '3'),
    ]
    expect(await capabilities.execute(calls, scope)).toMatchObject([
      { callId: '1', ok: true, value: 'a' },
      { callId: '2', ok: false, error: { code: 'action.failed', message: 'broken' } },
      { callId: '3', ok: true, value: 'c' },
    ])
  })

  const slow = action('slow', {
    run: (_parameters, context) =>
      new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
      }),
  })

  test('one that outlasts the limit is stopped by its signal and says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { capabilities, scope } = door([slow])
    const running = capabilities.execute([scriptedCall('slow', { text: '' })], scope)
    await vi.advanceTimersByTimeAsync(limits.actionMs - 1)
    const early = await Promise.race([running, Promise.resolve('still running')])
    expect(early).toBe('still running')
    await vi.advanceTimersByTimeAsync(1)
    expect(await running).toMatchObject([{ ok: false, error: { code: 'action.timeout' } }])
  })

  test('one that ignores its signal is given up all the same', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const deaf = action('slow', { run: () => new Promise(() => undefined) })
    const { capabilities, scope } = door([deaf])
    const running = capabilities.execute([scriptedCall('slow', { text: '' })], scope)
    await vi.advanceTimersByTimeAsync(limits.actionMs)
    expect(await running).toMatchObject([{ ok: false, error: { code: 'action.timeout' } }])
  })

  test('stopping the thread leaves at once, even when an action ignores its signal', async () => {
    const deaf = action('slow', { run: () => new Promise(() => undefined) })
    const { capabilities, scope, controller } = door([deaf])
    const running = capabilities.execute([scriptedCall('slow', { text: '' })], scope)
    controller.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('after a crash', () => {
  const call = scriptedCall('write', { text: 'a' })
  const begun = new Map([['1', { began: true, argsHash: hash('sha256', '{"text":"a"}', 'base64url') }]])

  test('an idempotent action that had begun runs again', async () => {
    const { capabilities, scope } = door([action('write', { effects: ['WriteLocal'] })])
    expect(await capabilities.execute([call], { ...scope, recorded: begun })).toMatchObject([{ ok: true, value: 'a' }])
  })

  test('any other is never repeated: the model reads that it may have happened', async () => {
    const run = vi.fn()
    const { capabilities, scope } = door([action('write', { effects: ['WriteLocal'], isIdempotent: false, run })])
    const results = await capabilities.execute([call], { ...scope, recorded: begun })
    expect(results).toMatchObject([{ ok: false, error: { code: 'action.interrupted' } }])
    expect(run).not.toHaveBeenCalled()
  })

  test('a result on record is answered from the record', async () => {
    const run = vi.fn()
    const { capabilities, scope, log } = door([action('write', { run })])
    const result = { callId: 'write', name: 'write', ok: true, value: 'from the record', durationMs: 3 } as const
    expect(
      await capabilities.execute([call], {
        ...scope,
        recorded: new Map([['1', { began: true, argsHash: null, result }]]),
      }),
    ).toEqual([result])
    expect(run).not.toHaveBeenCalled()
    expect(log).toEqual([])
  })
})
