import { expect, test } from 'vitest'
import { itemAt, type TranscriptItem } from '../../../../renderer/screens/thread/transcript-items.ts'

const items: readonly TranscriptItem[] = [4, 9, 15].map((seq, id) => ({ kind: 'step', seq, id }))

test('an event is in the last part that began by then; before the first one, and with none loaded, in no part', () => {
  expect(itemAt(items, 9)).toBe(1)
  expect(itemAt(items, 14)).toBe(1)
  expect(itemAt(items, 40)).toBe(2)
  expect(itemAt(items, 3)).toBe(-1)
  expect(itemAt([], 9)).toBe(-1)
})
