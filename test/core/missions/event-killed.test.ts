import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../support/bundle.ts'
import { contentDir, temporaryFolder } from '../../support/engine.ts'
import { openMissionWorld, utc } from './mission-world.ts'

let life = ''
beforeAll(async () => {
  fs.mkdirSync(path.join(contentDir, 'test-results'), { recursive: true })
  const folder = fs.mkdtempSync(path.join(contentDir, 'test-results/events-'))
  life = path.join(folder, 'event-life-process.js')
  const input = { 'event-life-process': 'test/core/missions/event-life-process.ts', worker: 'core/store/worker.ts' }
  await bundle({ folder, input })
}, 120_000)
afterAll(() => fs.rmSync(path.dirname(life), { recursive: true }))

function live(dataDir: string, point: string, nth: number): Promise<'done' | 'killed'> {
  return new Promise((resolve, reject) => {
    const child = fork(life, [dataDir, point, String(nth)])
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

test.each([
  ['mission.claim.before', 1],
  ['mission.claim.before', 2],
  ['mission.claim.staged', 1],
  ['mission.claim.staged', 2],
  ['mission.claim.after', 1],
  ['mission.claim.after', 2],
  ['mission.start.staged', 1],
  ['mission.settle.staged', 2],
] as const)('killed at %s (%i): no event is lost and none is heard twice', { timeout: 120_000 }, async (point, nth) => {
  const dataDir = temporaryFolder()
  expect(await live(dataDir, point, nth)).toBe('killed')
  expect(await live(dataDir, 'none', 0)).toBe('done')

  const world = openMissionWorld(dataDir, utc('2026-02-03T12:00:00'))
  try {
    for (const { id, name } of world.missions.list()) {
      const rows = world.missions.firings({ id }).toReversed()
      // One worked, one waited, the third came too many at once.
      expect(
        rows.map(({ state }) => state),
        name,
      ).toEqual(['ran', 'ran', 'skipped'])
      const goals = rows.map((row) => JSON.parse(world.store.missions.payloadOf(row.id) ?? '{}').goal)
      expect(goals, name).toEqual(['a', 'b', 'c'])
    }
    // Three of a person, two of each mission.
    expect(world.store.threads.nextNumber()).toBe(8)
  } finally {
    await world.close()
  }
})
