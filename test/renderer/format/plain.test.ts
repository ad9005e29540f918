import { expect, test } from 'vitest'
import { plainLine } from '../../../renderer/format/plain.ts'

test.each([
  ['`orders.csv` has **4 rows**. I…', 'orders.csv has 4 rows. I…'],
  ['## Figures of **June** and `cut', 'Figures of June and cut'],
  ['2 * 3 = 6, __init__.py #1', '2 * 3 = 6, __init__.py #1'],
])('%s', (markdown, line) => {
  expect(plainLine(markdown)).toBe(line)
})
