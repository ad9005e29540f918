import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { missionFaultPoints } from '../../../core/domain/fault-point.ts'
import { bundle } from '../../support/bundle.ts'
import { contentDir, startEngine, temporaryFolder } from '../../support/engine.ts'
import { utc } from './mission-world.ts'

let life = ''
beforeAll(async () => {
  fs.mkdirSync(path.join(contentDir, 'test-results'), { recursive: true })
  const folder = fs.mkdtempSync(path.join(contentDir, 'test-results/missions-'))
  life = path.join(folder, 'life.js')
  const input = {
    life: 'test/core/missions/killed-engine-process.ts',
    'store-worker': 'core/store/worker.ts',
    'sandbox-child': 'core/sandbox/child.ts',
  }
  await bundle({ folder, input })
}, 120_000)
afterAll(() => fs.rmSync(path.dirname(life), { recursive: true }))

function live(home: string, point: string): Promise<'done' | 'killed'> {
  return new Promise((resolve, reject) => {
    const child = fork(life, [home, contentDir, point, '1'])
    let isDone = false
    child.on('message', () => {
      isDone = true
    })
    child.on('exit', (code, signal) => {
      if (isDone) resolve('done')
      else if (signal === 'SIGKILL') resolve('killed')
      else reject(new Error(`${point}: the process ended with ${code}`))
    })
  })
}

test.each(missionFaultPoints)(
  'an engine that is killed at %s: every instant has its row, every firing one thread, every effect happened once',
  { timeout: 120_000 },
  async (point) => {
    const home = temporaryFolder()
    expect(await live(home, point)).toBe('killed')
    expect(await live(home, 'none')).toBe('done')

    const engine = await startEngine({ dataDir: path.join(home, 'data') })
    const threads: string[] = []
    for (const { id, name } of await engine.api.call('mission.list', {})) {
      const rows = (await engine.api.call('mission.firings', { id })).toReversed()
      const due = ['10:00', '11:00', '12:00', '13:00'].map((time) => utc(`2026-02-03T${time}:00`))
      expect(
        rows.map(({ instant, state }) => [instant, state]),
        name,
      ).toEqual(due.map((instant, at) => [instant, at < 2 ? 'missed' : 'late']))
      threads.push(...rows.flatMap(({ threadId }) => threadId ?? []))
    }
    expect(new Set(threads).size).toBe(4)
    const marks = fs.readFileSync(path.join(home, 'effects.txt'), 'utf8').trim().split('\n')
    expect(marks.toSorted()).toEqual(threads.toSorted())
    const all = await engine.api.call('thread.list', {})
    expect(all.rows.map(({ state, outcome }) => [state, outcome])).toEqual(threads.map(() => ['Done', 'answered']))
  },
)
