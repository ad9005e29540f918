import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Json, JsonObject } from '../../../core/domain/json.ts'

// A folder of the bench's format: its own world, scripted model, checker and figures, as its README describes them.

const json: z.ZodType<Json> = z.json()
const args = z.record(z.string(), json)
export const benchCall = z.object({ action: z.string(), args })
export type BenchCall = z.output<typeof benchCall>

const instance = z.looseObject({
  id: z.string(),
  family: z.string(),
  position: z.number(),
  goal: z.string(),
  reference: z.looseObject({ steps: z.array(z.object({ calls: z.array(benchCall) })) }),
})
export type Instance = z.output<typeof instance>

const move = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snippet'), skill: z.string(), version: z.number(), snippet: z.string(), args }),
  z.object({ type: z.literal('calls'), calls: z.array(benchCall) }),
  z.object({ type: z.literal('final'), text: z.string() }),
])
export type Move = z.output<typeof move>

const figures = z.looseObject({
  success: z.looseObject({ on: z.number(), off: z.number() }),
  stepsDropAfter3: z.looseObject({ learnable: z.number().nullable() }),
  promptTokensDropAfter3: z.looseObject({ learnable: z.number().nullable() }),
  selection: z.looseObject({
    precision: z.number().nullable(),
    recall: z.number().nullable(),
    onDistractors: z.number(),
  }),
  use: z.looseObject({ uses: z.number(), guards: z.number(), errors: z.number(), wrongWrites: z.number() }),
  lookalike: z.looseObject({ threads: z.number(), success: z.number().nullable() }),
  rollback: z.record(
    z.string(),
    z.object({ harmfulUses: z.number(), guardTrips: z.number(), usesUntilRollback: z.number().nullable() }),
  ),
  approvalsAsked: z.number(),
})
export type Figures = z.output<typeof figures>

/** What the scripted model was offered. */
export interface Offer {
  readonly skill: string
  readonly version: number
  readonly snippet: string
  readonly params: readonly { readonly name: string; readonly pattern?: string; readonly examples: readonly string[] }[]
  readonly complete: boolean
}

/** What a move rests on. */
export interface Situation {
  readonly history: readonly (BenchCall & { readonly ok: boolean })[]
  readonly offered: readonly Offer[]
  readonly tried: readonly { readonly skill: string; readonly ok: boolean; readonly value: Json }[]
  readonly mode: Mode
  readonly noise: number
}
export type Mode = 'careful' | 'trusting'

export interface BenchFolder {
  readonly base: string
  /** By id. */
  readonly instances: ReadonlyMap<string, Instance>
  /** Interleaved orders, by name. */
  readonly orders: readonly { readonly name: string; readonly ids: readonly string[] }[]
  readonly families: number
  readonly distractors: readonly string[]
  /** Fresh data on the server and in the folder. */
  load(of: Instance, folder: string): JsonObject
  goalOf(of: Instance): string
  referenceCalls(of: Instance): readonly BenchCall[]
  isWrite(call: BenchCall): boolean
  next(of: Instance, situation: Situation): Move
  check(
    of: Instance,
    state: { readonly folder: string; readonly before: JsonObject; readonly answer: string },
  ): {
    readonly ok: boolean
    readonly problems: readonly string[]
  }
  figures(lines: readonly JsonObject[]): Figures
  close(): Promise<void>
}

const world = z.object({
  base: z.string(),
  load: z.function({ input: [z.unknown(), z.string()], output: args }),
  state: z.function({ input: [], output: z.unknown() }),
  stop: z.function({ input: [], output: z.promise(z.unknown()) }),
})

/** `folder` holds `src/` and the parts; a part alone is read by the `src/` beside it. */
export async function openBench(given: string): Promise<BenchFolder> {
  const root = fs.existsSync(path.join(given, 'src')) ? given : path.dirname(given)
  const source = async (name: string) => import(pathToFileURL(path.resolve(root, 'src', name)).href)
  const [worlds, data, player, checker, metrics, actions] = await Promise.all(
    ['world.mjs', 'data.mjs', 'player.mjs', 'check.mjs', 'metrics.mjs', 'actions.mjs'].map(source),
  )
  const loaded = z.array(instance).parse(data.loadInstances())
  const manifest = z
    .looseObject({ families: z.array(z.unknown()), sequences: z.record(z.string(), z.array(z.string())) })
    .parse(data.manifest())
  const names = Object.keys(manifest.sequences).filter((name) => name.includes('mixed'))
  const whole = names.filter((name) => name.startsWith('all-'))
  const started = world.parse(await worlds.startWorld({ port: 0 }))
  const { base } = started
  return {
    base,
    instances: new Map(loaded.map((each) => [each.id, each])),
    orders: (whole.length > 0 ? whole : names).map((name) => ({ name, ids: manifest.sequences[name] ?? [] })),
    families: manifest.families.length,
    distractors: z
      .array(z.union([z.string(), z.looseObject({ goal: z.string() })]))
      .parse(data.loadDistractors())
      .map((each) => worlds.substitute(typeof each === 'string' ? each : each.goal, base)),
    load: (of, folder) => started.load(of, folder),
    goalOf: ({ goal }) => worlds.substitute(goal, base),
    referenceCalls: ({ reference }) =>
      z.array(benchCall).parse(
        worlds.substitute(
          reference.steps.flatMap(({ calls }) => calls),
          base,
        ),
      ),
    isWrite: (call) => Boolean(actions.WRITES(call)),
    next: (of, situation) => move.parse(player.nextMove(of, { base, ...situation })),
    check: (of, { folder, before, answer }) =>
      checker.check(of, { base, before, after: worlds.readTree(folder), state: started.state(), answer }),
    figures: (lines) => figures.parse(metrics.metrics(lines)),
    close: async () => void (await started.stop()),
  }
}
