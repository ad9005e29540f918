import { expect, test } from 'vitest'
import { criticalPathOf, selfTimeMs } from '../../../renderer/timeline/critical-path.ts'
import { createTimeline, putCalls, spanAt } from '../../../renderer/timeline/timeline.ts'
import { header, row, startAt } from './course.ts'

test('the path goes through the slowest of parallel actions and leaves the others out', () => {
  const timeline = createTimeline(header())
  putCalls(timeline, [
    row({ step: 0, from: 0, to: 100 }),
    row({ step: 0, path: '1', from: 110, to: 150 }),
    row({ step: 0, path: '2', from: 110, to: 400 }),
    row({ step: 0, path: '3', from: 112, to: 390 }),
    row({ step: 1, from: 420, to: 500 }),
  ])
  const { ids, durationMs } = criticalPathOf(timeline, startAt + 500)
  const paths = [...ids].map((id) => spanAt(timeline, id)).map(({ step, path }) => `${step}/${path}`)
  expect(paths.sort()).toEqual(['0/0', '0/2', '1/0'])
  expect(durationMs).toBe(100 + 290 + 80)
})

test('actions that follow each other are all on the path', () => {
  const timeline = createTimeline(header())
  putCalls(timeline, [
    row({ step: 0, path: '1', from: 0, to: 50 }),
    row({ step: 0, path: '2', from: 50, to: 90 }),
    row({ step: 0, path: '3', from: 95, to: null }),
  ])
  expect(criticalPathOf(timeline, startAt + 100)).toMatchObject({ ids: { size: 3 }, durationMs: 95 })
})

test('self time is what no child ran in, with overlaps counted once', () => {
  const timeline = createTimeline(header({ endedAt: startAt + 1_000 }))
  putCalls(timeline, [
    row({ step: 0, from: 100, to: 300 }),
    row({ step: 0, path: '1', from: 320, to: 500 }),
    row({ step: 0, path: '2', from: 400, to: 600 }),
  ])
  expect(selfTimeMs(timeline, 1, startAt + 1_000)).toBe(20)
  expect(selfTimeMs(timeline, 0, startAt + 1_000)).toBe(500)
})
