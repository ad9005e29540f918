import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../../core/domain/limits.ts'
import { expectWithin } from '../../../../support/times.ts'
import { useProject } from '../project.ts'
import { jails, run } from './jails.ts'

const project = useProject()

/** Processes on this machine whose command line holds `marker`. */
function carrying(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(marker)
      } catch {
        return false
      }
    })
    .map(Number)
}

let count = 0
/** A number of seconds that no other process sleeps for: it is what the orphans are known by. */
function nextMarker(): string {
  count += 1
  return `3600.${process.pid}${String(count).padStart(3, '0')}`
}

const stubborn = (marker: string) => `
  trap '' TERM
  sleep ${marker} &
  (sleep ${marker} & sleep ${marker}) &
  setsid sleep ${marker} &
  setsid bash -c 'trap "" TERM; sleep ${marker}; sleep ${marker}' &
  nohup setsid bash -c 'setsid sleep ${marker} & disown' > /dev/null 2>&1 &
  sleep 0.2
`

describe.skipIf(process.platform !== 'linux').each(jails)('what a command $name starts', ({ bubblewrap, isHere }) => {
  const of = (asked: string, more: object = {}) => run(asked, { folder: project.folder, bubblewrap, ...more })

  it.skipIf(!isHere)('is gone when its time is over, at the latest after the grace', async () => {
    const marker = nextMarker()
    const running = of(`${stubborn(marker)} sleep ${marker}`, { timeoutMs: 3_000 })
    await expect.poll(() => carrying(marker).length).toBeGreaterThan(3)
    const from = performance.now()
    expect(await running).toMatchObject({ stoppedBy: 'time' })
    expect(carrying(marker)).toEqual([])
    expectWithin(performance.now() - from, 3_000 + limits.shellKillGraceMs + 1_500)
  })

  it.skipIf(!isHere)('may end by itself while the grace lasts', async () => {
    const found = await of(`trap 'echo bye; exit 7' TERM; while true; do sleep 0.1; done`, { timeoutMs: 500 })
    expect(found).toMatchObject({ exitCode: 7, stoppedBy: 'time', stdout: { text: expect.stringContaining('bye\n') } })
    const slow = `trap 'sleep ${limits.shellKillGraceMs / 1_000 + 1}; echo late' TERM; while true; do sleep 0.1; done`
    expect((await of(slow, { timeoutMs: 500 })).stdout.text).toBe('')
  })

  it.skipIf(!isHere)('is gone when the thread is stopped', async () => {
    const marker = nextMarker()
    const stop = new AbortController()
    const running = of(`${stubborn(marker)} sleep ${marker}`, { signal: stop.signal })
    await expect.poll(() => carrying(marker).length).toBeGreaterThan(3)
    stop.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    expect(carrying(marker)).toEqual([])
  })

  it.skipIf(!isHere)('is gone when the command itself has ended, and is not waited for', async () => {
    const marker = nextMarker()
    const from = performance.now()
    expect(await of(`${stubborn(marker)} echo started`)).toMatchObject({ exitCode: 0, stdout: { text: 'started\n' } })
    expectWithin(performance.now() - from, 3_000)
    expect(carrying(marker)).toEqual([])
  })

  it.skipIf(!isHere)('is never run once the thread was stopped', async () => {
    await expect(of('echo x > made', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
    expect(readdirSync(project.folder)).toEqual([])
  })

  it.skipIf(!isHere)('may be many, but not more than the limit', { timeout: 120_000 }, async () => {
    const marker = nextMarker()
    const start = (processes: number) => `for i in $(seq ${processes}); do sleep ${marker} & done; sleep 1.5; true`
    // bash and its last sleep count too.
    expect((await of(start(limits.shellProcesses - 2))).stoppedBy).toBe(null)
    expect((await of(start(limits.shellProcesses - 1))).stoppedBy).toBe('processes')
    expect(carrying(marker)).toEqual([])
  })

  it.skipIf(!isHere)('cannot multiply without end', { timeout: 300_000 }, async () => {
    // Ends by itself at a thousand processes: a broken limit must fail this test, not the machine. None of them ends before
    // the last has started, and the command has time for that also where a start takes long.
    const again = 'bash ./bomb.sh $depth & bash ./bomb.sh $depth'
    await project.write({ 'bomb.sh': `depth=$(($1 + 1)); [ $depth -lt 11 ] || exec sleep 240; ${again}` })
    expect((await of('bash ./bomb.sh 0', { timeoutMs: 240_000 })).stoppedBy).toBe('processes')
    expect(carrying('./bomb.sh')).toEqual([])
  })

  it.skipIf(!isHere)('leaves nothing after fifty runs', { timeout: 300_000 }, async () => {
    const marker = nextMarker()
    for (let at = 0; at < 50; at += 1) await of(`sleep ${marker} & setsid sleep ${marker} &`)
    expect(carrying(marker)).toEqual([])
  })
})
