// npm run test:faults -- --runs 300 --seed 7: threads against a model server that fails, and what came of each.
import { parseArgs } from 'node:util'
import { reportOf, runCampaign } from './campaign.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 10_000) },
    lanes: { type: 'string', default: '4' },
    /** Percent of the requests that meet a fault. */
    share: { type: 'string', default: '30' },
    /** The negative control: it must find an effect that happened twice. */
    broken: { type: 'boolean', default: false },
  },
})
const options = {
  runs: Number(values.runs),
  seed: Number(values.seed),
  lanes: Number(values.lanes),
  share: Number(values.share) / 100,
  isBroken: values.broken,
}
const say = (text: string) => process.stdout.write(`${text}\n`)
say(`seed ${options.seed}: ${options.runs} runs in ${options.lanes} lanes, ${values.share} % of the requests hit`)
const from = performance.now()
const result = await runCampaign({ ...options, onRun: (runs) => runs % 50 === 0 && say(`${runs} runs`) })
say(`${reportOf(result)}\nin ${Math.round((performance.now() - from) / 1_000)} s, seed ${options.seed}`)
process.exitCode = (result.violations.length === 0) === !options.isBroken ? 0 : 1
