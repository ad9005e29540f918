// npm run bench: the engine's step beside the AI SDK's generateText loop, in one process, in turns. Ratios, not µs, count.
import { engineSteps } from './engine-steps.ts'
import { generateTextLoop } from './peer.mjs'
import { knowledgeFigures, recallAt5, searchTimes } from './recall/recall.ts'

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

const { questions, words, vectors, fused } = await recallAt5()
say(`\nmemory: recall@5 of ${questions} paraphrased questions, no word, a word in another form or one word in common`)
say('words (FTS5)  lexical  fused  provider')
const share = (found: number) => `${found} of ${questions}`
say(`${share(words).padEnd(12)}  ${share(vectors).padEnd(7)}  ${share(fused).padEnd(5)}  not connected`)

const known = await knowledgeFigures()
say(
  `prior knowledge: the right doc for ${known.right} of ${known.questions}, a wrong one too for ${known.wrong}; any for ${known.foreign} of ${known.goals} goals about other things`,
)

const times = await searchTimes(10_000)
const ms = (value: number) => `${value.toFixed(2)} ms`
say(
  `\nmemory: a search of eight words over ${times.docs} docs: p50 ${ms(times.p50Ms)}, p95 ${ms(times.p95Ms)}, ${ms(times.cpuMs)} of the processor; the first, which loads the vectors, ${ms(times.firstMs)}; a write ${ms(times.writeMs)}; slowest statement ${ms(times.slowestStatementMs)} (goal 8)`,
)
