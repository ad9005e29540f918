import { engineSteps, type StepCost, type Steps } from './engine-steps.ts'
import { median, ratios, say, sayTable, spreadText } from './figures.ts'
import { generateTextLoop } from './generate-text.mjs'
import { langGraphLoop } from './langgraph.mjs'
import type { Timed } from './timed.mjs'

const kinds = ['reads', 'writes'] as const
const sizes = [100, 2_000]
const lengths = [200, 800]

/** Everything of ours is committed to a store on disk; `generateText` stores nothing. In turns. */
export async function besideGenerateText(rounds: number): Promise<void> {
  say(`engine beside generateText, which stores nothing: medians of ${rounds} rounds (spread), goal 0.60`)
  say('cpu: of the processor in the main thread, on which other programs hardly weigh\n')
  const head = ['step', 'texts', 'steps', 'engine µs', 'cpu µs', 'generateText µs', 'cpu µs', 'ratio', 'ratio of cpu']
  const rows = [[...head, 'slowest statement ms']]
  const growth: string[] = []
  for (const textBytes of sizes) {
    for (const kind of kinds) {
      const perStep: number[][] = []
      for (const steps of kind === 'reads' ? lengths : lengths.slice(0, 1)) {
        const { ours, theirs } = await inTurns({ steps, textBytes, kind }, rounds)
        perStep.push(clockOf(ours))
        rows.push([kind, sizeText(textBytes), String(steps), ...figuresOf(ours, theirs)])
      }
      const [short, long] = perStep
      if (short && long) growth.push(`${sizeText(textBytes)}: ${spreadText(ratios(long, short))}`)
    }
  }
  sayTable(rows)
  say(`\n800 steps cost per step, of what 200 cost (goal 1.15): ${growth.join(', ')}`)
}

async function inTurns(work: Steps, rounds: number) {
  const ours: StepCost[] = []
  const theirs: Timed[] = []
  for (let round = -1; round < rounds; round += 1) {
    const [our, their] = [await engineSteps(work), await generateTextLoop(work.steps, work.textBytes)]
    // The first round warms both up.
    if (round < 0) continue
    ours.push(our)
    theirs.push(their)
  }
  return { ours, theirs }
}

const clockOf = (costs: readonly Timed[]) => costs.map((cost) => cost.usPerStep)
const cpuOf = (costs: readonly Timed[]) => costs.map((cost) => cost.cpuUsPerStep)
const sizeText = (bytes: number) => `${bytes / 1_000} kB`

function figuresOf(ours: readonly StepCost[], theirs: readonly Timed[]): readonly string[] {
  const medians = [clockOf(ours), cpuOf(ours), clockOf(theirs), cpuOf(theirs)].map((each) => median(each).toFixed(0))
  const clock = spreadText(ratios(clockOf(ours), clockOf(theirs)))
  const cpu = spreadText(ratios(cpuOf(ours), cpuOf(theirs)))
  return [...medians, clock, cpu, Math.max(...ours.map((cost) => cost.slowestStatementMs)).toFixed(1)]
}

/** The peer that stores every step too, with the whole state each time. 200 steps, in turns. */
export async function besideLangGraph(rounds: number): Promise<void> {
  say(
    `\nengine beside LangGraph with SqliteSaver: 200 steps, medians of ${rounds} rounds (spread), goal 100 times less`,
  )
  const head = ['texts', 'durability', 'engine µs', 'LangGraph µs', 'times', 'times of cpu', 'disk bytes/step', 'times']
  const rows = [head]
  for (const textBytes of sizes) {
    for (const durability of ['sync', undefined] as const) {
      const ours: StepCost[] = []
      const theirs: (Timed & { readonly diskBytesPerStep: number })[] = []
      for (let round = -1; round < rounds; round += 1) {
        const our = await engineSteps({ steps: 200, textBytes, kind: 'reads' })
        const their = await langGraphLoop({ steps: 200, textBytes, ...(durability && { durability }) })
        if (round < 0) continue
        ours.push(our)
        theirs.push(their)
      }
      const times = [clockOf, cpuOf].map((of) => spreadText(ratios(of(theirs), of(ours))))
      const [our, their] = [clockOf(ours), clockOf(theirs)].map((each) => median(each).toFixed(0))
      const disk = [ours, theirs].map((costs) => median(costs.map((cost) => cost.diskBytesPerStep)))
      const diskTimes = ((disk[1] ?? Number.NaN) / (disk[0] ?? Number.NaN)).toFixed(0)
      const bytes = disk.map((each) => each.toFixed(0)).join(' / ')
      rows.push([sizeText(textBytes), durability ?? 'default', `${our}`, `${their}`, ...times, bytes, diskTimes])
    }
  }
  sayTable(rows)
}

/** What a step adds to the file, beside what must be stored of it: the answer with its arguments, and the result. */
export async function diskPerStep(): Promise<void> {
  say('\ndisk per step, 800 steps (goal at 2 kB of arguments and 2 kB of result: 1.3 times the payload)')
  const rows = [['step', 'texts', 'bytes', 'payload', 'times']]
  for (const textBytes of sizes) {
    for (const kind of kinds) {
      const { diskBytesPerStep, payloadBytesPerStep } = await engineSteps({ steps: 800, textBytes, kind })
      const times = (diskBytesPerStep / payloadBytesPerStep).toFixed(2)
      const figures = [diskBytesPerStep, payloadBytesPerStep].map((each) => each.toFixed(0))
      rows.push([kind, sizeText(textBytes), ...figures, times])
    }
  }
  sayTable(rows)
}
