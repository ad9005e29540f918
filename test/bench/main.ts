// npm run bench [rounds]: the engine's step beside two peers, in one process, in turns. Ratios, not µs, count.
// npm run bench skills: choosing skills by the index beside looking at each.
// npm run bench slow-headers [seconds]: that nothing below the engine cuts a silent server (RULES 5); takes as long as that.
import os from 'node:os'
import { say } from './figures.ts'
import { knowledgeFigures, recallAt5, searchTimes } from './recall/recall.ts'
import { skillSelection } from './skills.ts'
import { slowHeaders } from './slow-headers.ts'
import { besideGenerateText, besideLangGraph, diskPerStep } from './step-table.ts'

if (process.argv[2] === 'slow-headers')
  process.exit((await slowHeaders(Number(process.argv[3] ?? 310) * 1_000)) ? 0 : 1)

if (process.argv[2] === 'skills') {
  skillSelection()
  process.exit(0)
}

const rounds = Number(process.argv[2] ?? 9)
const load = () =>
  `load ${os
    .loadavg()
    .map((each) => each.toFixed(1))
    .join(', ')} on ${os.cpus().length} cores`

say(`${load()} before the run\n`)
await besideGenerateText(rounds)
await besideLangGraph(Math.min(rounds, 3))
await diskPerStep()
say(`\n${load()} after the steps`)

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

say()
skillSelection()
