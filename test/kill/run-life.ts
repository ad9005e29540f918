import { spawn } from 'node:child_process'
import fs from 'node:fs'
import type { FaultPoint } from '../../core/domain/fault-point.ts'
import { type Life, messageSchema } from './life.ts'
import { type Plan, pointNamed } from './plan.ts'

/** How one life ended, and what it had said of itself. */
export interface LifeEnd {
  readonly how: 'killed' | 'done' | 'quit' | 'stuck' | 'failed'
  /** Where it killed itself. */
  readonly point: FaultPoint | null
  /** The newest event that it had committed, as far as it could say. */
  readonly mark: number
  /** From the start of the process until its threads ran again, by the clock and of the processor; null: killed before. */
  readonly recovery: { readonly ms: number; readonly cpuMs: number } | null
  /** What it wrote to stderr. */
  readonly problem: string
}

/** A life that is not killed has to come to its end by then. */
const longestLifeMs = 60_000

export function runLife(entry: string, life: Life, plan: Plan): Promise<LifeEnd> {
  fs.writeFileSync(life.report, '')
  const from = Date.now()
  // The cache is what an app that is started twice has too.
  const child = spawn(process.execPath, [entry, JSON.stringify(life)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: `${entry}.cache`, NODE_OPTIONS: '' },
  })
  let end: 'done' | 'quit' | 'stuck' | undefined
  let recovery: LifeEnd['recovery'] = null
  let problem = ''
  child.stderr?.on('data', (text) => {
    problem += String(text)
  })
  const kill = () => child.kill('SIGKILL')
  const timers = [
    setTimeout(() => {
      end = 'stuck'
      kill()
    }, longestLifeMs),
  ]
  if (plan.kind === 'started') timers.push(setTimeout(kill, plan.afterMs))
  child.on('message', (message) => {
    const said = messageSchema.parse(message)
    if (said.kind !== 'running') end = said.kind
    else {
      recovery = { ms: said.at - from, cpuMs: said.cpuMs }
      if (plan.kind === 'running') timers.push(setTimeout(kill, plan.afterMs))
    }
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      for (const timer of timers) clearTimeout(timer)
      const how = end ?? (signal === 'SIGKILL' ? 'killed' : 'failed')
      resolve({ how, recovery, problem, ...reportOf(life.report) })
    })
  })
}

function reportOf(file: string): Pick<LifeEnd, 'point' | 'mark'> {
  let point: FaultPoint | null = null
  let mark = 0
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const [word, value = ''] = line.split(' ')
    if (word === 'mark') mark = Number(value)
    if (word === 'died') point = pointNamed(value)
  }
  return { point, mark }
}
