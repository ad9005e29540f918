import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { Store } from '../../../core/store/store.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { definition, openMissionWorld, utc } from './mission-world.ts'

function open() {
  const world = openMissionWorld(temporaryFolder())
  onTestFinished(() => world.close())
  return world
}

/** Missions that are due at another time, written as rows: nothing here is about how they are saved. */
function addRows(store: Store, count: number, nextFireAt: number): void {
  const facts = { projectId: 'p', status: 'active', statusReason: null, version: 1, source: 'person' } as const
  const times = {
    anchorAt: 1,
    claimedUntil: 1,
    nextFireAt,
    focus: null,
    failures: 0,
    lastFiredAt: null,
    createdAt: 1,
    updatedAt: 1,
  }
  store.transaction(() => {
    for (let n = 0; n < count; n += 1) {
      store.missions.insert({ ...facts, ...times, id: `row_${n}`, name: `row ${n}` })
      store.missions.insertVersion({
        missionId: `row_${n}`,
        version: 1,
        at: 1,
        source: 'person',
        definition: definition({ name: `row ${n}` }),
      })
    }
  })
}

/** How often each statement ran, and how: `SEARCH mission USING INDEX mission_due (nextFireAt<?)`. */
function work(store: Store, before: ReadonlyMap<string, number>) {
  const runs = store.statementTimes().flatMap(({ sql, runs: all }) => {
    const own = all - (before.get(sql) ?? 0)
    return own === 0 ? [] : [{ sql, runs: own, plan: /^(BEGIN|COMMIT|ROLLBACK)/.test(sql) ? [] : store.explain(sql) }]
  })
  return runs.toSorted((a, b) => a.sql.localeCompare(b.sql))
}
const counts = (store: Store) => new Map(store.statementTimes().map(({ sql, runs }) => [sql, runs]))

/** One tick with one mission due among so many that are not. */
async function tickAmong(others: number) {
  const world = open()
  addRows(world.store, others, utc('2027-01-01T00:00:00'))
  world.missions.save({ projectId: 'p', definition: definition(), source: 'person' })
  world.now = utc('2026-02-03T10:00:00')
  const before = counts(world.store)
  const { claimed } = await world.missions.tick(world.now)
  expect(claimed).toHaveLength(1)
  const due = work(world.store, before)
  const idle = counts(world.store)
  await world.missions.tick(world.now)
  return { due, idle: work(world.store, idle), rows: world.store.missions.due(world.now + 1, 1_000) }
}

test('a tick among 100,000 missions runs the statements of one among ten, as often, and none of them reads a row that is not due', {
  timeout: 300_000,
}, async () => {
  const [few, many] = [await tickAmong(10), await tickAmong(100_000)]
  expect(many.due).toEqual(few.due)
  expect(many.idle).toEqual(few.idle)
  const plans = [...many.due, ...many.idle].flatMap(({ plan }) => plan)
  // Each is a search by the bound of its index: what it reads is what it answers.
  expect(plans.filter((line) => /^SCAN mission\b/.test(line))).toEqual([])
  expect(plans).toContainEqual(
    expect.stringMatching(
      /^SEARCH mission USING INDEX mission_due \(nextFireAt>\? AND nextFireAt<\?\)|^SEARCH mission USING INDEX mission_due \(nextFireAt<\?\)/,
    ),
  )
  expect(plans).toContainEqual(expect.stringMatching(/^SEARCH mission USING INDEX mission_ahead \(claimedUntil>\?\)/))
  expect(many.rows).toEqual([])
})

test('a query that reads the missions one by one would be seen', () => {
  const { store } = open()
  expect(store.explain('SELECT * FROM mission WHERE claimedUntil < ?')).toContainEqual(
    expect.stringMatching(/^SCAN mission\b/),
  )
})

test('one tick claims so many rows, and says that there are more', { timeout: 300_000 }, async () => {
  const world = open()
  world.atOnce = 0
  addRows(world.store, limits.tickRows + 1, utc('2026-02-03T10:00:00'))
  const at = utc('2026-02-03T10:00:00')
  world.store.transaction(() => {
    for (const mission of world.store.missions.due(at, 10_000))
      world.store.missions.update({ ...mission, claimedUntil: at - 1 })
  })
  world.now = at
  const first = await world.missions.tick(at)
  expect(first.claimed).toHaveLength(limits.tickRows)
  expect(first.againInMs).not.toBeNull()
  const second = await world.missions.tick(at)
  expect(second.claimed).toHaveLength(1)
  expect(second.againInMs).toBeNull()
})
