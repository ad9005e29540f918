import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventBatch } from '../../core/domain/contract.ts'
import { AppError, type ErrorBody, errorBody } from '../../core/domain/error.ts'
import type { ShellState, StoreBackup } from '../../core/domain/shell.ts'
import { createEngineHost, type EngineHost } from '../../electron/engine-host.ts'
import type { HostedEngine } from '../../electron/held-engine.ts'
import type { WindowPush } from '../../electron/window-push.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const busy = new AppError('store.busy', {
  message: 'owned',
  userMessage: 'Another Threadsmith is using this data.',
  data: { pid: 4711, command: 'threadsmith run', socket: null },
})
const corrupt = new AppError('store.corrupt', { message: 'garbage', userMessage: 'Your data file cannot be read.' })
const backup: StoreBackup = { path: '/data/backups/000001-schema-1.db', at: 1, bytes: 4_096 }

/** A store as the host meets it: `problem` is what opening it for writing throws, after `gate`. */
function open(problem?: AppError, gate = Promise.resolve()) {
  const world = {
    problem,
    /** What the engine says is wrong with it. */
    fault: null as ErrorBody | null,
    /** What restoring or setting aside throws. */
    refusal: undefined as AppError | undefined,
    backups: (): readonly StoreBackup[] => [backup],
    log: [] as string[],
    pushes: [] as WindowPush[],
    emit: (_batch: EventBatch): void => undefined,
  }
  const engine = (name: string): HostedEngine => ({
    api: {
      callByName: async (call) => {
        if (call === 'engine.info') return { lastSeq: 41, fault: world.fault }
        return `${call} by ${name}`
      },
    },
    subscribe: (fromSeq, listener) => {
      world.log.push(`${name} subscribed from ${fromSeq}`)
      world.emit = listener
      return () => world.log.push(`${name} unsubscribed`)
    },
    stop: async () => void world.log.push(`${name} stopped`),
  })
  const host = createEngineHost({
    open: async ({ readOnly }) => {
      await gate
      if (readOnly) return engine('reader')
      if (world.problem) throw world.problem
      return engine('writer')
    },
    store: {
      path: '/data/threadsmith.db',
      listBackups: () => world.backups(),
      restoreBackup: (path) => {
        if (world.refusal) throw world.refusal
        world.fault = null
        world.log.push(`restored ${path}`)
        world.problem = undefined
      },
      setAside: () => {
        if (world.refusal) throw world.refusal
        world.log.push('set aside')
        world.problem = undefined
      },
    },
    stopOwner: async () => void world.log.push('owner asked to stop'),
    push: (push) => world.pushes.push(push),
  })
  const phases = () => world.pushes.flatMap((push) => (push.type === 'state' ? [push.state.phase] : []))
  return { host, world, phases }
}
const failed: ShellState = {
  phase: 'failed',
  error: {
    code: 'store.corrupt',
    message: 'garbage',
    userMessage: 'Your data file cannot be read.',
    retryable: false,
  },
  storePath: '/data/threadsmith.db',
  backups: [backup],
}

describe('starting', () => {
  it('opens the engine, follows its events from the newest on, and tells the window', async () => {
    const { host, world, phases } = open()
    expect(host.state()).toEqual({ phase: 'starting' })
    expect(await host.start()).toEqual({ phase: 'ready' })
    expect(phases()).toEqual(['starting', 'ready'])
    expect(world.log).toEqual(['writer subscribed from 41'])
    world.emit({ events: [], deltas: [] })
    expect(world.pushes.at(-1)).toEqual({ type: 'engine', batch: { events: [], deltas: [] } })
  })

  it('tells the window of a long page of events in bounded messages', async () => {
    const { host, world } = open()
    await host.start()
    const event = { threadId: 't', at: 0, kind: 'status', data: { text: '' }, bodyBytes: 0 } as const
    world.pushes.length = 0
    world.emit({ events: Array.from({ length: 101 }, (_, seq) => ({ ...event, seq })), deltas: [] })
    expect(world.pushes).toHaveLength(2)
  })

  it('lets a call wait until the engine is there', async () => {
    const { host } = open()
    const starting = host.start()
    expect(await host.call('thread.list', {})).toBe('thread.list by writer')
    await starting
  })

  it('once is enough: a second start keeps the engine', async () => {
    const { host, world } = open()
    await host.start()
    await host.start()
    expect(world.log).toEqual(['writer subscribed from 41'])
  })
})

describe('a store that cannot be opened', () => {
  it('is reported with where it is and what there is to go back to; calls fail with the same reason', async () => {
    const { host } = open(corrupt)
    expect(await host.start()).toEqual(failed)
    await expect(host.call('thread.list', {})).rejects.toMatchObject({ code: 'store.corrupt' })
  })

  it('is replaced by a backup when a person says so', async () => {
    const { host, world } = open(corrupt)
    await host.start()
    expect(await host.restore(backup.path)).toEqual({ phase: 'ready' })
    expect(world.log).toEqual([`restored ${backup.path}`, 'writer subscribed from 41'])
  })

  it('is never replaced by a file that is none of its backups', async () => {
    const { host, world } = open(corrupt)
    await host.start()
    await expect(host.restore('/tmp/evil.db')).rejects.toMatchObject({ code: 'api.input' })
    expect(world.log).toEqual([])
    expect(host.state()).toEqual(failed)
  })

  it('is set aside for a fresh one; a store at work is not', async () => {
    const { host, world } = open(corrupt)
    await host.start()
    expect(await host.startFresh()).toEqual({ phase: 'ready' })
    expect(await host.startFresh()).toEqual({ phase: 'ready' })
    expect(world.log.filter((line) => line === 'set aside')).toHaveLength(1)
  })

  it('is reported though its backups cannot be looked at either', async () => {
    const { host, world } = open(corrupt)
    world.backups = () => {
      throw new Error('no such folder')
    }
    expect(await host.start()).toEqual({ ...failed, backups: [] })
  })

  it('can be tried again', async () => {
    const { host, world } = open(corrupt)
    await host.start()
    world.problem = undefined
    expect(await host.start()).toEqual({ phase: 'ready' })
  })
})

describe('a store that is open', () => {
  it('is not replaced while it is in order', async () => {
    const { host, world } = open()
    await host.start()
    await expect(host.restore(backup.path)).rejects.toMatchObject({ code: 'api.input' })
    expect(world.log).toEqual(['writer subscribed from 41'])
    expect(host.state()).toEqual({ phase: 'ready' })
  })

  it('and was found damaged is closed, replaced by the backup and opened again', async () => {
    const { host, world } = open()
    await host.start()
    world.fault = errorBody(corrupt)
    expect(await host.restore(backup.path)).toEqual({ phase: 'ready' })
    expect(world.log).toEqual([
      'writer subscribed from 41',
      'writer unsubscribed',
      'writer stopped',
      `restored ${backup.path}`,
      'writer subscribed from 41',
    ])
  })
})

describe('a store that another process took in the meantime', () => {
  it.each([
    ['restored', (host: EngineHost) => host.restore(backup.path)],
    ['set aside', (host: EngineHost) => host.startFresh()],
  ])('is not %s: its owner is named, and it is shown read-only', async (_name, change) => {
    const { host, world } = open(corrupt)
    await host.start()
    world.problem = busy
    world.refusal = busy
    await expect(change(host)).rejects.toMatchObject({ code: 'store.busy', userMessage: busy.userMessage })
    expect(world.log).toEqual(['reader subscribed from 41'])
    expect(host.state()).toEqual({ phase: 'readOnly', owner: { pid: 4711, command: 'threadsmith run' } })
  })
})

describe('a store that another process owns', () => {
  it('is not restored, nor set aside: what is there stays open', async () => {
    const { host, world } = open(busy)
    await host.start()
    await expect(host.restore(backup.path)).rejects.toMatchObject({
      code: 'store.busy',
      userMessage: expect.stringContaining('threadsmith run, process 4711'),
    })
    expect((await host.startFresh()).phase).toBe('readOnly')
    expect(world.log).toEqual(['reader subscribed from 41'])
  })

  it('is shown read-only with its owner', async () => {
    const { host } = open(busy)
    expect(await host.start()).toEqual({ phase: 'readOnly', owner: { pid: 4711, command: 'threadsmith run' } })
    expect(await host.call('thread.list', {})).toBe('thread.list by reader')
  })

  it('is asked to stop when a person says so; a store at work is not', async () => {
    const { host, world } = open(busy)
    const { log } = world
    await host.start()
    await host.stopOwner()
    expect(log).toContain('owner asked to stop')
    world.problem = undefined
    await vi.advanceTimersByTimeAsync(2_000)
    log.length = 0
    await host.stopOwner()
    expect(log).toEqual([])
  })

  it('is taken over within two seconds of being free', async () => {
    const { host, world, phases } = open(busy)
    await host.start()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(host.state().phase).toBe('readOnly')
    world.problem = undefined
    await vi.advanceTimersByTimeAsync(2_000)
    expect(host.state()).toEqual({ phase: 'ready' })
    expect(phases()).toEqual(['starting', 'readOnly', 'ready'])
    expect(world.log).toEqual([
      'reader subscribed from 41',
      'reader unsubscribed',
      'reader stopped',
      'writer subscribed from 41',
    ])
    expect(await host.call('thread.list', {})).toBe('thread.list by writer')
  })

  it('that turns out unreadable is reported, and nothing tries on', async () => {
    const { host, world } = open(busy)
    await host.start()
    world.problem = corrupt
    await vi.advanceTimersByTimeAsync(2_000)
    expect(host.state()).toEqual(failed)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('stopping', () => {
  it('stops the engine and refuses calls from then on', async () => {
    const { host, world } = open()
    await host.start()
    await host.stop()
    expect(world.log).toEqual(['writer subscribed from 41', 'writer unsubscribed', 'writer stopped'])
    await expect(host.call('thread.list', {})).rejects.toMatchObject({ code: 'engine.stopped' })
  })

  it('ends waiting for another owner, and a start after it does nothing', async () => {
    const { host, world } = open(busy)
    await host.start()
    await host.stop()
    world.problem = undefined
    await vi.advanceTimersByTimeAsync(10_000)
    await host.start()
    expect(world.log.at(-1)).toBe('reader stopped')
  })

  it('during a start waits for it and then stops what it opened', async () => {
    let opened = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      opened = resolve
    })
    const { host, world } = open(undefined, gate)
    const starting = host.start()
    await vi.advanceTimersByTimeAsync(0)
    const stopping = host.stop()
    opened()
    await Promise.all([starting, stopping])
    expect(world.log.at(-1)).toBe('writer stopped')
  })
})
