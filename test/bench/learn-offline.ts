import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { EffectType } from '../../core/domain/action.ts'
import type { Json, JsonObject } from '../../core/domain/json.ts'
import type { EpisodeStep } from '../../core/learning/miner/episode.ts'
import { createMiner, type Episode, type KnownProgram } from '../../core/learning/miner/miner.ts'
import { createSandbox, spawnNode } from '../../core/sandbox/sandbox.ts'

// Plays the reference scripts of a bench folder, one order after the other, and prints what the miner says after each thread.
// It reads goals, scripts and worlds; of what kind an instance is stands in none of what the miner is given.
const { values: options } = parseArgs({
  options: {
    bench: { type: 'string' },
    order: { type: 'string', default: 'open-mixed-1' },
    code: { type: 'boolean', default: false },
    noise: { type: 'string', default: '0' },
  },
})
if (options.bench === undefined) throw new Error('give --bench DIR')
const bench = path.resolve(options.bench)

const json: z.ZodType<Json> = z.json()
const callShape = z.object({ action: z.string(), args: z.record(z.string(), json) })
const instanceShape = z.looseObject({ id: z.string(), goal: z.string() })
const manifest = z
  .object({ families: z.array(z.object({ name: z.string() })), sequences: z.record(z.string(), z.array(z.string())) })
  .parse(JSON.parse(readFileSync(path.join(bench, 'open/bench.json'), 'utf8')))
const instances = manifest.families.flatMap(
  ({ name }) =>
    z
      .object({ instances: z.array(instanceShape) })
      .parse(JSON.parse(readFileSync(path.join(bench, `open/${name}.json`), 'utf8'))).instances,
)
const { startWorld } = await import(path.join(bench, 'src/world.mjs'))
const { makeActions } = await import(path.join(bench, 'src/actions.mjs'))
const { nextMove } = await import(path.join(bench, 'src/player.mjs'))

const reads: Readonly<Record<string, readonly EffectType[]>> = {
  calculate: ['Compute'],
  write_file: ['WriteLocal'],
  move: ['WriteLocal'],
  delete: ['WriteLocal'],
}

function effectsOf(action: string, args: JsonObject): readonly EffectType[] {
  if (action !== 'http') return reads[action] ?? ['ReadLocal']
  return ['GET', 'HEAD'].includes(String(args.method ?? 'GET')) ? ['ReadExternal'] : ['WriteExternal']
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'learn-offline-'))
const world = await startWorld({ port: 0 })
const childFile = path.resolve(import.meta.dirname, '../../core/sandbox/child.ts')
const sandbox = createSandbox({ spawn: spawnNode(childFile), warm: 1, monotonicMs: () => performance.now() })
const miner = createMiner({ sandbox, monotonicMs: () => performance.now(), actions: () => [] })

async function play(instance: z.output<typeof instanceShape>, at: number): Promise<Episode> {
  world.load(instance, folder)
  const actions = makeActions({ dir: folder, base: world.base })
  const history: JsonObject[] = []
  const steps: EpisodeStep[] = []
  for (;;) {
    const move = nextMove(instance, { base: world.base, history, noise: Number(options.noise) })
    const goal = instance.goal.replaceAll('{{BASE}}', world.base)
    if (move.type === 'final') {
      return {
        threadId: instance.id,
        goal,
        outcome: 'success',
        endedAt: at * 3_600_000,
        steps,
        answer: String(move.text),
      }
    }
    const calls: EpisodeStep['calls'][number][] = []
    for (const { action, args } of z.array(callShape).parse(move.calls)) {
      const callId = `${steps.length + 1}.${calls.length + 1}`
      const asked = { callId, action, args, effects: effectsOf(action, args), viaSkill: null }
      try {
        calls.push({ ...asked, ok: true, result: json.parse(await actions[action](args)) })
      } catch (error) {
        calls.push({ ...asked, ok: false, result: { error: String(error) } })
      }
      history.push({ action, args, ok: calls.at(-1)?.ok ?? false })
    }
    steps.push({ stepId: String(steps.length + 1), calls })
  }
}

const order = manifest.sequences[options.order] ?? []
const kept: Episode[] = []
const known: KnownProgram[] = []
const took: number[] = []
for (const [at, id] of order.entries()) {
  const instance = instances.find((each) => each.id === id)
  if (instance === undefined) continue
  const thread = await play(instance, at)
  const startedAt = performance.now()
  const found = await miner.startRun(new AbortController().signal).mine({ thread, kept, known })
  took.push(performance.now() - startedAt)
  kept.push(thread)
  const ms = Math.round(took.at(-1) ?? 0)
  if (found.kind === 'skip') {
    console.log(`${id.padEnd(22)} ${String(ms).padStart(5)} ms  skip ${found.reason}: ${found.detail.slice(0, 110)}`)
    continue
  }
  const { name, fingerprint, sequence, support, recall, isComplete, endsBefore, trials, parameters, updates } = found
  const how = `${updates === null ? 'new' : 'update'} ${name} of ${support.length}, recall ${recall.toFixed(2)}, complete ${isComplete}, ends before ${endsBefore}`
  console.log(`${id.padEnd(22)} ${String(ms).padStart(5)} ms  ${how}`)
  console.log(
    `    parameters ${JSON.stringify(parameters.map(({ name: key, pattern, isFree }) => [key, pattern, isFree]))}`,
  )
  console.log(
    `    offered by ${JSON.stringify(found.activation)} left out ${JSON.stringify(trials.leftOut)} others ${JSON.stringify(trials.others)}`,
  )
  if (options.code) console.log(found.snippet.code.replace(/^/gm, '      | '))
  const mine: KnownProgram = {
    skill: name,
    fingerprint,
    sequence,
    state: 'live',
    support,
    activation: found.activation,
  }
  if (updates !== null)
    known.splice(
      known.findIndex(({ skill }) => skill === updates),
      1,
      mine,
    )
  else known.push(mine)
}
const sorted = took.sort((a, b) => a - b)
console.log(
  `${order.length} threads; mining ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms median, ${Math.round(sorted.at(-1) ?? 0)} ms most; ${known.length} skills`,
)
await sandbox.close()
await world.stop()
rmSync(folder, { recursive: true, force: true })
