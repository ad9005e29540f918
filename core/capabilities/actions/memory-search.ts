import { z } from 'zod'
import { defineAction } from '../action.ts'
import { isoUtc } from './dates.ts'
import { summaryText, wholeNumber } from './parameters.ts'

/** `total` counts up to here. */
const countedHits = 100

export const memorySearch = defineAction({
  name: 'memory_search',
  description: 'Finds notes of this project by their words, the best first.',
  parameters: z.strictObject({
    query: z.string().min(1).max(1_000),
    limit: wholeNumber(1, 20).default(5).describe('At most 20. Default 5.'),
  }),
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ query }) => summaryText(query),
  run: ({ query, limit }, { memory }) => {
    const found = memory.search(query, countedHits)
    const hits = found.slice(0, limit).map(({ id, title, snippet, updatedAt }) => ({
      id,
      title,
      snippet,
      updated: isoUtc(updatedAt),
    }))
    return { query, hits, total: found.length }
  },
})
