import { describe, expect, it } from 'vitest'
import {
  isFrontDropped,
  noCounts,
  type Reading,
  tokenRatio,
  withCount,
  withoutPrefix,
} from '../../../core/orchestrator/prompt-gauge.ts'

/** A first request of 9,000 tokens by our estimate, 6,500 of them its own, to a server that says no window. */
const first: Reading = {
  ...{ sentTokens: 9_000, newTokens: 6_500, sentBytes: 36_000 },
  ...{ askedTokens: null, reportedTokens: 9_000, before: null },
}
/** The tenth request of a thread that was counted right in the beginning. */
const tenth: Reading = {
  ...{ sentTokens: 9_000, newTokens: 400, sentBytes: 36_000 },
  ...{ askedTokens: 8_192, reportedTokens: 9_000, before: { sentTokens: 3_000, reportedTokens: 3_100 } },
}

describe('a server that left out the front', () => {
  it.each<[string, Reading, Partial<Reading>]>([
    ['cut a first prompt down to its window of 4,096', { ...first, newTokens: 500 }, { reportedTokens: 4_096 }],
    ['cut a long first message in itself', first, { reportedTokens: 4_096 }],
    ['kept the system message and the last one', { ...first, newTokens: 500 }, { reportedTokens: 2_700 }],
    ['cut at the window that it was asked for', first, { askedTokens: 4_096, newTokens: 500, reportedTokens: 4_090 }],
    ['counts no more than before, though much was added', tenth, { reportedTokens: 3_200 }],
    ['counts less than before', tenth, { askedTokens: null, reportedTokens: 2_500 }],
    ['counts half of what it must be by what it counted before', tenth, { reportedTokens: 5_000 }],
    [
      'reads Chinese, where our estimate is far too low, and stopped growing',
      tenth,
      {
        ...{ sentTokens: 36_000, newTokens: 2_000, sentBytes: 108_000, askedTokens: null },
        ...{ reportedTokens: 16_384, before: { sentTokens: 14_000, reportedTokens: 14_200 } },
      },
    ],
  ])('%s', (_, reading, change) => {
    expect(isFrontDropped({ ...reading, ...change })).toBe(true)
  })
})

describe('no warning for a server that', () => {
  it.each<[string, Reading, Partial<Reading>]>([
    ['counts what we estimate', first, {}],
    ['counts half of it: white space and tables', first, { reportedTokens: 4_600, newTokens: 500 }],
    ['counts four times as much: Chinese', first, { reportedTokens: 36_000, sentBytes: 108_000 }],
    ['says nothing, like Ollama of a cached prompt', first, { reportedTokens: 0 }],
    ['counts only what it had not cached of a first prompt', first, { newTokens: 60, reportedTokens: 70 }],
    ['counts only what it had not cached of a later one', tenth, { reportedTokens: 410 }],
    ['had all but a part cached, in a window that holds it all', tenth, { askedTokens: 65_536, reportedTokens: 2_000 }],
    ['had everything cached and counts the last token', tenth, { newTokens: 0, reportedTokens: 1 }],
    ['grew by less than we thought', tenth, { reportedTokens: 6_200 }],
    ['frames a short prompt with less than we thought', first, { sentTokens: 400, newTokens: 10, reportedTokens: 180 }],
    [
      'leaves out the thinking of earlier answers, which is little',
      tenth,
      { sentTokens: 3_100, newTokens: 90, reportedTokens: 3_000 },
    ],
  ])('%s', (_, reading, change) => {
    expect(isFrontDropped({ ...reading, ...change })).toBe(false)
  })
})

describe('the measure of a model', () => {
  const count = (countedTokens: number, messageTokens = 1_500) => ({ model: 'local/m', messageTokens, countedTokens })

  it('is what its server counted of the last prompt, to what we had estimated', () => {
    const counts = withCount(withCount(noCounts, count(2_000)), count(6_000))
    expect(tokenRatio(counts, 'local/m', 500)).toBe(3)
  })

  it('survives a shortening of the transcript, the counts that a longer prompt continues do not', () => {
    const counts = withoutPrefix(withCount(noCounts, count(4_000)))
    expect(tokenRatio(counts, 'local/m', 500)).toBe(2)
    expect(counts.first).toBeUndefined()
    expect(counts.last).toBeUndefined()
  })

  it.each([
    ['another model', 'local/other', count(4_000)],
    ['a server that counts only what it had not cached', 'local/m', count(60)],
    ['a figure that no text can have', 'local/m', count(90_000)],
    ['a prompt that is mostly framing', 'local/m', count(400, 10)],
  ])('is our own estimate for %s', (_, model, counted) => {
    expect(tokenRatio(withCount(noCounts, counted), model, counted.messageTokens < 100 ? 100 : 500)).toBe(1)
  })
})
