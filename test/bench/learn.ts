import path from 'node:path'
import { parseArgs } from 'node:util'
import type { JsonObject } from '../../core/domain/json.ts'
import { openBench } from './learn/bench-folder.ts'
import { type RunOfOrder, runOrder } from './learn/run.ts'
import { type GoalRow, goalRows, tableText } from './learn/table.ts'

// npm run bench:learn [-- --bench DIR --orders 1 --only careful --noise 0.2 --notes --json]: every interleaved order of a bench
// folder from an empty store, with learning off and on, candidates approved by a script. Prints what was measured beside each goal.
const { values: options } = parseArgs({
  options: {
    bench: { type: 'string', default: path.resolve(import.meta.dirname, '../../../shared/learnbench') },
    orders: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    notes: { type: 'boolean', default: false },
  },
})

const noiseShare = 0.2
const variants = [
  { name: 'careful', mode: 'careful', noise: 0 },
  { name: 'trusting', mode: 'trusting', noise: 0 },
  { name: 'detours', mode: 'trusting', noise: noiseShare },
] as const

const bench = await openBench(path.resolve(options.bench))
const orders = bench.orders.slice(0, Number(options.orders ?? bench.orders.length))
const rows: GoalRow[] = []
const results: JsonObject[] = []
try {
  for (const { name, ids } of orders) {
    const offs = new Map<number, RunOfOrder>()
    for (const { name: variant, mode, noise } of variants) {
      if (options.only !== undefined && options.only !== variant) continue
      const off = offs.get(noise) ?? (await runOrder(bench, ids, { isLearning: false, mode, noise }))
      offs.set(noise, off)
      const on = await runOrder(bench, ids, { isLearning: true, mode, noise })
      const figures = bench.figures([...off.lines, ...on.lines])
      rows.push(...goalRows({ order: name, variant, figures, on, families: bench.families }))
      results.push({ order: name, variant, figures: JSON.parse(JSON.stringify(figures)) })
      if (options.notes)
        for (const note of [...off.notes.map((each) => `off ${each}`), ...on.notes])
          console.error(`${name} ${variant}: ${note}`)
      if (!options.json) console.error(`${name}, ${variant}: done`)
    }
  }
  console.log(options.json ? JSON.stringify({ goals: [...rows], runs: results }, null, 1) : tableText(rows))
} finally {
  await bench.close()
}
