import { z } from 'zod'
import { isJsonObject } from '../../domain/json.ts'
import type { MemoryHit } from '../../domain/memory.ts'
import { defineAction } from '../action.ts'
import { isoUtc } from './dates.ts'
import { summaryText, wholeNumber } from './parameters.ts'

export const memorySearch = defineAction({
  name: 'memory_search',
  description:
    'Finds what is known of this project (notes, lessons, issues, specs, summaries) by words and by likeness, the best first.',
  parameters: z.strictObject({
    query: z.string().min(1).max(1_000),
    limit: wholeNumber(1, 20).default(5).describe('At most 20. Default 5.'),
  }),
  effects: ['ReadLocal'],
  isIdempotent: true,
  source: ({ query }, ended) =>
    ended.ok && isJsonObject(ended.value) && ended.value.untrusted === true
      ? { kind: 'memory', name: `found by ${query}` }
      : null,
  summarize: ({ query }) => summaryText(query),
  run: async ({ query, limit }, { memory }) => {
    const found = await memory.search(query, limit)
    const hits = found.hits.map((hit) => ({
      id: hit.id,
      type: hit.type,
      title: hit.title,
      snippet: hit.snippet,
      why: whyFound(hit),
      updated: isoUtc(hit.updatedAt),
      ...(hit.untrusted && { untrusted: true }),
    }))
    const isForeign = found.hits.some((hit) => hit.untrusted)
    return { query, hits, total: found.total, ...(isForeign && { untrusted: true }) }
  },
})

/** `words #1, lexical #3`: where it stands by its words, and by the vectors of which embedder. */
function whyFound({ ftsRank, vectorRank, embedder }: MemoryHit): string {
  const words = ftsRank === null ? [] : [`words #${ftsRank}`]
  const vectors = vectorRank === null ? [] : [`${embedder} #${vectorRank}`]
  return [...words, ...vectors].join(', ')
}
