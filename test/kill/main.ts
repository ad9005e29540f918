// npm run test:kill -- --kills 1000 --seed 7: kills the engine as often as that, and says what came of it.
import { parseArgs } from 'node:util'
import { faultPoints } from '../../core/domain/fault-point.ts'
import { runCampaign } from './campaign.ts'
import { reportOf } from './report.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    lanes: { type: 'string', default: '2' },
    /** The negative control: intents after effects; it must find an effect that happened twice. */
    broken: { type: 'boolean', default: false },
  },
})
const options = {
  kills: Number(values.kills),
  seed: Number(values.seed),
  lanes: Number(values.lanes),
  isBroken: values.broken,
}
const say = (text: string) => process.stdout.write(`${text}\n`)
say(`seed ${options.seed}: ${options.kills} kills in ${options.lanes} lanes, ${faultPoints.length} fault points`)
const from = performance.now()
const result = await runCampaign({ ...options, onKill: (kills) => kills % 100 === 0 && say(`${kills} kills`) })
const { text, isWell } = reportOf(result, options)
say(`${text}\nin ${Math.round((performance.now() - from) / 1_000)} s, seed ${options.seed}`)
process.exitCode = isWell === !options.isBroken ? 0 : 1
