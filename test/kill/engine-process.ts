// One life of the engine: `node engine-process.js <life as JSON>`. It takes up what the last life left, answers what a person
// is asked, and goes on until every thread has ended; or until it is killed.
import fs from 'node:fs'
import { actions } from '../../core/capabilities/capabilities.ts'
import type { FaultPoint } from '../../core/domain/fault-point.ts'
import { isTerminal, type ThreadHeader } from '../../core/domain/thread.ts'
import { createEngine, type Engine } from '../../core/engine.ts'
import { lifeSchema } from './life.ts'
import { answerTo, isDenied, windowTokens } from './script.ts'
import { worldActions } from './world-actions.ts'

const life = lifeSchema.parse(JSON.parse(process.argv[2] ?? ''))
const report = fs.openSync(life.report, 'a')
const say = (line: string) => fs.writeSync(report, `${line}\n`)
const used = ['echo', 'calculate', 'write_file', 'memory_write']
const counts = new Map<string, number>()
let engine: Engine | undefined
let isRunning = false

/** What is committed is told at once, and then the process may die. */
function at(name: FaultPoint): void {
  if (/^(journal|log)[.]commit.*[.]after$|^transaction[.]committed$/.test(name)) {
    if (engine !== undefined) say(`mark ${engine.store.events.lastSeq()}`)
  }
  if (name === 'loop.began' || name === 'thread.inserted') running()
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  if (life.dieAt[name] !== count) return
  say(`died ${name}`)
  process.kill(process.pid, 'SIGKILL')
}

function running(): void {
  if (isRunning) return
  isRunning = true
  const { user, system } = process.cpuUsage()
  process.send?.({ kind: 'running', at: Date.now(), cpuMs: Math.round((user + system) / 1_000) })
}

const scripted = {
  models: () => [{ providerId: 'scripted', model: 'scripted', title: 'Scripted', contextTokens: windowTokens }],
  complete: async (request: Parameters<typeof answerTo>[0]) => {
    await pause(1)
    return answerTo(request)
  },
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function begin(host: Engine): Promise<void> {
  const scriptedModel = { providerId: 'scripted', model: 'scripted' }
  const tiers = { minuet: scriptedModel, allegro: scriptedModel, forte: scriptedModel }
  await host.api.call('settings.set', { patch: { tiers } })
  const project = await host.api.call('project.open', { folder: life.folder })
  await host.api.call('thread.send', { projectId: project.id, text: 'go', maxSteps: 200 })
}

/** Decides what is asked, one at a time; some answers are only kept, and the engine is closed upon them. Answers whether. */
async function decide(host: Engine): Promise<boolean> {
  const [asked] = (await host.api.call('approval.list', { state: 'pending' })).rows
  if (asked === undefined) return false
  const keepsOnly = asked.summary.length % 5 === 0 && asked.step % 8 === 2
  const { state } = await host.api.call('thread.get', { id: asked.threadId })
  if (keepsOnly && state !== 'Waiting') return false
  const decision = isDenied(asked.summary) ? 'deny' : 'approve'
  const scope = asked.action === 'write_file' ? 'project' : 'once'
  await host.api.call('approval.decide', { id: asked.id, decision, scope, run: !keepsOnly })
  return keepsOnly
}

/** What stands still goes on when the person says so: what a quit or a careful start left, with what was decided meanwhile. */
async function goOn(host: Engine, rows: readonly ThreadHeader[]): Promise<void> {
  const root = rows.find(({ parentId, state }) => parentId === null && !isTerminal(state))
  const isAsked = (await host.api.call('approval.list', { state: 'pending' })).rows.length > 0
  if (root === undefined || (root.state === 'Waiting' && isAsked)) return
  if (root.state === 'Suspended' || life.recover === 'suspend') await host.api.call('thread.resume', { id: root.id })
}

async function live(host: Engine): Promise<'done' | 'quit'> {
  const known = (await host.api.call('thread.list', {})).rows
  if (known.length === 0) await begin(host)
  const root = known.find(({ parentId, state }) => parentId === null && !isTerminal(state))
  if (root !== undefined && life.says !== null)
    await host.api.call('thread.send', { threadId: root.id, text: life.says })
  const quitAt = life.quitAfterMs === null ? Number.POSITIVE_INFINITY : Date.now() + life.quitAfterMs
  for (;;) {
    const { rows } = await host.api.call('thread.list', {})
    if (rows.every(({ state }) => isTerminal(state))) return 'done'
    const isStill = rows.every(({ state }) => state !== 'Running')
    if (isStill) running()
    if (isStill) await goOn(host, rows)
    if (((isStill || !life.isPatient) && (await decide(host))) || Date.now() > quitAt) return 'quit'
    await pause(2)
  }
}

// Whoever wanted this life is gone.
process.on('disconnect', () => process.exit(1))
engine = await createEngine({
  dataDir: life.dataDir,
  contentDir: life.contentDir,
  version: 'kill',
  command: 'kill',
  recover: life.recover,
  timeZone: 'UTC',
  actions: [...actions.filter(({ name }) => used.includes(name)), ...worldActions(life.port)],
  embedded: { scripted },
  onFaultPoint: at,
})
const end = await live(engine)
await engine.stop(end)
process.send?.({ kind: end }, () => process.exit(0))
