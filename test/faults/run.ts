import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredEvent } from '../../core/domain/event.ts'
import type { Outcome, ThreadHeader } from '../../core/domain/thread.ts'
import { createEngine, type Engine } from '../../core/engine.ts'
import { type Chance, chanceOf } from '../kill/plan.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startModelServer } from '../support/model-server.ts'
import { faultsOf } from './plan.ts'
import { answerTo, ledgerIn, worldActions } from './script.ts'

/** The shortest that a person can set, and three of them for a whole answer. */
export const waits = { firstTokenMs: 1_000, idleMs: 1_000, totalMs: 3_000 }
/** Of one thread: its time budget. */
export const runMs = 20_000
/** Retries while faults go on; then they stop. */
const retriesUnderFaults = 3
/** In place of the 2 s and 4 s, and of what a server asks for: what they are is tested elsewhere. */
const shortestWaitMs = 30

/** One thread until it rested, with its record. */
export interface Turn {
  readonly thread: ThreadHeader
  readonly outcome: Outcome | null
  readonly tookMs: number
  readonly isHealed: boolean
}

/** What one run came to; the engine is closed. */
export interface RunRecord {
  readonly folder: string
  readonly turns: readonly Turn[]
  readonly events: readonly StoredEvent[]
  /** Live text of each step as a window saw it. */
  readonly shown: ReadonlyMap<string, string>
  readonly met: FaultProxy['met']
  readonly first: 'plain' | 'garbage' | 'self-signed'
  readonly quits: number
}

export interface RunOptions {
  readonly seed: number
  /** Of the requests that meet a fault. */
  readonly share: number
  /** The negative control: says it again in a new chat, where it should be retried. */
  readonly isBroken: boolean
}

interface Running {
  readonly options: RunOptions
  readonly chance: Chance
  readonly folder: string
  readonly proxy: FaultProxy
  readonly shown: Map<string, string>
  readonly turns: Turn[]
  engine: Engine
  quits: number
}

/** One goal against a server that fails, retried by a person until it is answered. */
export async function runOnce(options: RunOptions): Promise<RunRecord> {
  const chance = chanceOf(options.seed)
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-faults-')))
  for (const name of ['data', 'project']) fs.mkdirSync(path.join(folder, name))
  const server = await startModelServer(({ body }) => answerTo(body))
  const proxy = await startFaultProxy(Number(new URL(server.origin).port), faultsOf(chance, options.share))
  const shown = new Map<string, string>()
  const running: Running = {
    ...{ options, chance, folder, proxy, shown, turns: [], quits: 0 },
    engine: await open(folder, shown),
  }
  try {
    const first = chance.next() < 0.1 ? (chance.next() < 0.5 ? 'garbage' : 'self-signed') : 'plain'
    await converse(running, first)
    const { turns, quits } = running
    const ids = new Set(turns.map(({ thread }) => thread.id))
    const events = [...ids].flatMap((id) => running.engine.store.events.ofThread(id, 0, 100_000))
    return { folder, turns, events, shown, met: proxy.met, first, quits }
  } finally {
    await running.engine.stop('the run is over')
    await proxy.close()
    await server.close()
  }
}

async function open(folder: string, shown: Map<string, string>): Promise<Engine> {
  const engine = await createEngine({
    dataDir: path.join(folder, 'data'),
    contentDir: path.resolve(import.meta.dirname, '../..'),
    ...{ version: '0.0.0-test', command: 'test', timeZone: 'UTC', recover: 'suspend' },
    actions: worldActions(ledgerIn(folder)),
    wait: async (ms, signal) => sleep(Math.min(ms, shortestWaitMs), undefined, { signal }),
  })
  engine.subscribe(engine.store.events.lastSeq(), ({ deltas }) => {
    for (const { threadId, step, kind, text } of deltas) {
      const key = `${threadId} ${step}`
      if (kind === 'text') shown.set(key, (shown.get(key) ?? '') + text)
    }
  })
  return engine
}

const address = ({ proxy }: Running, first: RunRecord['first']) =>
  ({
    plain: `http://127.0.0.1:${proxy.port}/v1`,
    garbage: `https://127.0.0.1:${proxy.port}/v1`,
    'self-signed': `https://127.0.0.1:${proxy.selfSignedPort}/v1`,
  })[first]

async function converse(running: Running, first: RunRecord['first']): Promise<void> {
  const provider = { kind: 'openai-compatible', title: 'Faulty' } as const
  const { call } = running.engine.api
  const { id } = await call('provider.save', { provider: { ...provider, baseUrl: address(running, first) } })
  const model = `${id}/test-model`
  await call('settings.set', { patch: { modelLimits: { [model]: { ...waits, contextTokens: 64_000 } } } })
  const project = await call('project.open', { folder: path.join(running.folder, 'project') })
  const budget = { tokens: null, usd: null, ms: runMs }
  const send = () => running.engine.api.call('thread.send', { projectId: project.id, text: 'go', model, budget })
  let { threadId } = await send()
  for (let retry = 0; ; retry += 1) {
    const turn = await untilRest(running, threadId, retry > retriesUnderFaults)
    running.turns.push(turn)
    if (turn.outcome === 'answered' || turn.outcome === null || turn.isHealed) return
    if (retry === retriesUnderFaults) running.proxy.heal()
    // What a person does who was told that the address is wrong.
    if (first !== 'plain' && retry === 0) {
      await running.engine.api.call('provider.save', {
        provider: { ...provider, id, baseUrl: address(running, 'plain') },
      })
    }
    const again = running.options.isBroken ? send() : running.engine.api.call('thread.retry', { id: threadId })
    threadId = (await again).threadId
  }
}

/** Until it has ended; some threads are cut off by a quit first, and resumed. A thread that never rests has no outcome. */
async function untilRest(running: Running, id: string, isHealed: boolean): Promise<Turn> {
  const from = performance.now()
  const quitAfterMs = running.chance.next() < 0.12 ? running.chance.next() * 800 : null
  if (quitAfterMs !== null) {
    await sleep(quitAfterMs)
    await running.engine.stop('quit')
    running.engine = await open(running.folder, running.shown)
    running.quits += 1
    const { state } = await running.engine.api.call('thread.get', { id })
    if (state === 'Suspended') {
      // The step's call is made again, and shown again.
      for (const key of running.shown.keys()) if (key.startsWith(id)) running.shown.delete(key)
      await running.engine.api.call('thread.resume', { id })
    }
  }
  const [outcome = null] = await running.engine.threads.join([id], AbortSignal.timeout(3 * runMs)).catch(() => [null])
  const thread = await running.engine.api.call('thread.get', { id })
  return { thread, outcome, tookMs: performance.now() - from, isHealed }
}
