import { expect, test, vi } from 'vitest'
import type { MissionDays, MissionSummary } from '../../../core/domain/mission.ts'
import { gather } from '../../../renderer/state/gather.ts'
import { isOld, withRows } from '../../../renderer/state/missions.ts'
import { noon } from '../support.ts'

const hour = 3_600_000

function mission(id: string, name: string, version = 1): MissionSummary {
  return {
    ...{ id, name, version, projectId: 'p1', status: 'active', statusReason: null, source: 'person' },
    ...{ anchorAt: noon, claimedUntil: noon, nextFireAt: null, focus: null, failures: 0, lastFiredAt: null },
    ...{ createdAt: noon, updatedAt: noon, description: '', cadence: 'By hand', cadenceKind: 'manual' },
    ...{ zone: 'UTC', isOverdue: false, streak: 0 },
  }
}

test('ids that are wanted within a moment are asked for together, so many at a time, one question after the other', async () => {
  const asked: (readonly string[])[] = []
  let [underWay, mostUnderWay] = [0, 0]
  const gatherer = gather(
    async (ids) => {
      underWay += 1
      mostUnderWay = Math.max(mostUnderWay, underWay)
      asked.push(ids)
      await Promise.resolve()
      underWay -= 1
    },
    { max: 2, delayMs: 0, restMs: 0 },
  )
  gatherer.want(['a', 'b', 'a'])
  gatherer.want(['c', 'd', 'e'])
  gatherer.drop('d')
  await vi.waitFor(() =>
    expect(asked).toEqual([
      ['a', 'b'],
      ['c', 'e'],
    ]),
  )
  gatherer.want(['a'])
  await vi.waitFor(() => expect(asked).toHaveLength(3))
  expect(mostUnderWay).toBe(1)
})

test('what is wanted again while it is asked for waits for the next round, after all others', async () => {
  const asked: string[] = []
  const gatherer = gather(
    async ([id = '']) => {
      asked.push(id)
      if (asked.length === 1) gatherer.want(['a'])
    },
    { max: 1, delayMs: 0, restMs: 0 },
  )
  gatherer.want(['a', 'b', 'c'])
  await vi.waitFor(() => expect(asked).toEqual(['a', 'b', 'c', 'a']))
})

test('a question that failed is not asked again by itself, and keeps no later one from being asked', async () => {
  const asked: string[] = []
  const gatherer = gather(
    async ([id = '']) => {
      asked.push(id)
      if (id === 'a') throw new Error('the store is gone')
    },
    { max: 1, delayMs: 0, restMs: 0 },
  )
  gatherer.want(['a'])
  await vi.waitFor(() => expect(asked).toEqual(['a']))
  gatherer.want(['b'])
  await vi.waitFor(() => expect(asked).toEqual(['a', 'b']))
})

test('rows that were read again stand where their name is; one that was not found is gone; others stay as they were', () => {
  const [a, b, c] = [mission('1', 'a'), mission('2', 'b'), mission('3', 'c')]
  const renamed = mission('1', 'd', 2)
  const fresh = mission('4', 'B')
  expect(withRows([a, b, c], ['1', '3', '4'], [renamed, fresh])).toEqual([fresh, b, renamed])
})

test('days are read again when an event named their mission, and when their today is over', () => {
  const midnights = Array.from({ length: 8 }, (_each, index) => noon + (index - 4) * 24 * hour)
  const facts = { missionId: '1', zone: 'UTC', firings: [], planned: [] } as const
  const days: MissionDays = { ...facts, midnights, firingsFrom: 0, plannedUntil: 0 }
  expect(isOld(undefined, 0, noon)).toBe(true)
  expect(isOld({ seq: 3, days }, 3, noon + 23 * hour)).toBe(false)
  expect(isOld({ seq: 3, days }, 4, noon + 23 * hour)).toBe(true)
  expect(isOld({ seq: 3, days }, 3, noon + 24 * hour)).toBe(true)
})
