import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { missionFaultPoints } from '../../../core/domain/fault-point.ts'
import { bundle } from '../../support/bundle.ts'
import { contentDir, temporaryFolder } from '../../support/engine.ts'
import { openMissionWorld, utc } from './mission-world.ts'

let life = ''
beforeAll(async () => {
  fs.mkdirSync(path.join(contentDir, 'test-results'), { recursive: true })
  const folder = fs.mkdtempSync(path.join(contentDir, 'test-results/missions-'))
  life = path.join(folder, 'killed-process.js')
  const input = { 'killed-process': 'test/core/missions/killed-process.ts', worker: 'core/store/worker.ts' }
  await bundle({ folder, input })
}, 120_000)
afterAll(() => fs.rmSync(path.dirname(life), { recursive: true }))

const due = ['10:00', '11:00', '12:00', '13:00'].map((time) => utc(`2026-02-03T${time}:00`))
const now = utc('2026-02-03T13:10:00')

function live(dataDir: string, point: string, nth: number, kind = ''): Promise<'done' | 'killed'> {
  return new Promise((resolve, reject) => {
    const child = fork(life, [dataDir, point, String(nth), String(now), kind])
    let isDone = false
    child.on('message', () => {
      isDone = true
    })
    child.on('exit', (code, signal) => {
      if (isDone) resolve('done')
      else if (signal === 'SIGKILL') resolve('killed')
      else reject(new Error(`${point} ${nth}: the process ended with ${code}`))
    })
  })
}

/** The third time is within the catch-up of the second mission, where the first is under way. */
const kills = missionFaultPoints.flatMap((point) => {
  const times = point === 'mission.recover.after' ? [1] : point.startsWith('mission.claim') ? [1, 2] : [1, 3]
  return times.map((nth) => [point, nth] as const)
})

test.each(kills)(
  'killed at %s (%i): every instant has its one row, every firing its one thread, and all end',
  {
    timeout: 120_000,
  },
  async (point, nth) => {
    const dataDir = temporaryFolder()
    expect(await live(dataDir, point, nth)).toBe('killed')
    expect(await live(dataDir, 'none', 0)).toBe('done')

    const world = openMissionWorld(dataDir, now)
    try {
      for (const { id, name } of world.missions.list()) {
        const rows = world.missions.firings({ id }).toReversed()
        expect(
          rows.map(({ instant }) => instant),
          name,
        ).toEqual(due)
        // Three are caught up, the oldest is one too many.
        expect(
          rows.map(({ state }) => state),
          name,
        ).toEqual(['missed', 'late', 'late', 'late'])
        const threads = rows.flatMap(({ threadId }) => (threadId === null ? [] : [threadId]))
        expect(new Set(threads).size).toBe(3)
        expect(world.store.missions.told(id, Number.MAX_SAFE_INTEGER, 10)).toHaveLength(3)
        expect(world.missions.get(id)).toMatchObject({ failures: 0, nextFireAt: utc('2026-02-03T14:00:00') })
      }
      // No thread that belongs to no firing was left behind.
      expect(world.store.threads.nextNumber()).toBe(7)
      expect(await world.store.check()).toBe('ok')
    } finally {
      await world.close()
    }
  },
)

test('killed between the claim that replaces a firing and its stop: the next start stops it, and the later one begins', {
  timeout: 120_000,
}, async () => {
  const dataDir = temporaryFolder()
  expect(await live(dataDir, 'mission.claim.after', 2, 'replaced')).toBe('killed')
  const world = openMissionWorld(dataDir, now)
  try {
    const [mission] = world.missions.list()
    const [running] = world.store.missions.running(10)
    const threadId = running?.threadId ?? expect.fail('nothing was at work')
    world.missions.recover()
    expect(world.stopped).toEqual([threadId])
    await world.end(threadId, { outcome: 'stopped' })
    const rows = world.missions.firings({ id: mission?.id ?? '' }).toReversed()
    expect(rows.map(({ state }) => state)).toEqual(['cancelled', 'running'])
    expect(rows[0]?.reason).toBe('a later firing took its place')
  } finally {
    await world.close()
  }
})
