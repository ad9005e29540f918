// npm run bench: the engine's step beside the AI SDK's generateText loop, in one process, in turns. Ratios, not µs, count.
import { engineSteps } from './engine-steps.ts'
import { generateTextLoop } from './peer.mjs'

const rounds = Number(process.argv[2] ?? 9)
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const spread = (values: readonly number[]) => `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`
const say = (text: string) => process.stdout.write(`${text}\n`)

say(`engine µs per step, everything committed, beside generateText (stores nothing); medians of ${rounds} rounds\n`)
say('result   steps  engine µs  generateText µs  ratio (spread)      disk bytes/step  slowest statement ms')
const growth: string[] = []
for (const resultBytes of [100, 2_000]) {
  const perStep = new Map<number, number[]>()
  for (const steps of [200, 800]) {
    await engineSteps(steps, resultBytes)
    await generateTextLoop(steps, resultBytes)
    const ours = []
    const theirs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await engineSteps(steps, resultBytes))
      theirs.push(await generateTextLoop(steps, resultBytes))
    }
    const us = ours.map((cost) => cost.usPerStep)
    const ratios = us.map((value, at) => value / (theirs[at] ?? Number.NaN))
    perStep.set(steps, us)
    const [size, count] = [`${resultBytes / 1_000} kB`.padEnd(8), String(steps).padStart(5)]
    const figures = [median(us).toFixed(1).padStart(9), median(theirs).toFixed(1).padStart(15)]
    const ratio = `${median(ratios).toFixed(2)} (${spread(ratios)})`.padEnd(18)
    const disk = median(ours.map((cost) => cost.diskBytesPerStep))
      .toFixed(0)
      .padStart(15)
    say(
      `${size} ${count}  ${figures.join('  ')}  ${ratio}  ${disk}  ${Math.max(...ours.map((cost) => cost.slowestStatementMs)).toFixed(1)}`,
    )
  }
  const byRound = (perStep.get(800) ?? []).map((value, at) => value / (perStep.get(200)?.[at] ?? Number.NaN))
  growth.push(
    `${resultBytes / 1_000} kB: 800 steps cost ${median(byRound).toFixed(2)} of 200 per step (${spread(byRound)})`,
  )
}
say(`\ngoals: ratio at most 0.60; growth at most 1.15\n${growth.join('\n')}`)
