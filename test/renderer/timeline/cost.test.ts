import { expect, test } from 'vitest'
import { costOf, costText } from '../../../renderer/timeline/cost.ts'
import { createTimeline, putCalls } from '../../../renderer/timeline/timeline.ts'
import { header, row } from './course.ts'

function costOfCalls(...usd: readonly (number | null)[]): string {
  const timeline = createTimeline(header())
  putCalls(
    timeline,
    usd.map((each, step) => row({ step, from: step * 10_000, to: step * 10_000 + 4_200, usd: each })),
  )
  return costText(costOf(timeline))
}

test('a model with a price costs money, one that costs nothing takes time', () => {
  expect(costOfCalls(0.05, 0.033)).toBe('$0.083')
  expect(costOfCalls(0, 0)).toBe('8.4 s of model time')
  expect(costOfCalls(0.05, 0)).toBe('$0.050, 4.2 s of model time')
})

test('without a price nothing is said, and a sum that leaves calls out says so', () => {
  expect(costOfCalls(null, null)).toBe('')
  expect(costOfCalls(0.05, null)).toBe('$0.050 and calls without a price')
})

test('time of actions is no model time', () => {
  const timeline = createTimeline(header())
  putCalls(timeline, [
    row({ step: 0, from: 0, to: 1_000, usd: 0 }),
    row({ step: 0, path: '1', from: 1_000, to: 9_000 }),
  ])
  expect(costText(costOf(timeline))).toBe('1.0 s of model time')
})
