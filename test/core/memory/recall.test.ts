import { expect, test } from 'vitest'
import { pairs } from '../../bench/recall/pairs.ts'
import { recallAt5, searchTimes } from '../../bench/recall/recall.ts'
import { meaningEmbedder } from './support.ts'

test('words and vectors together find more paraphrases than either alone, and no fewer than they did', async () => {
  const { questions, words, vectors, fused } = await recallAt5()
  expect(questions).toBe(60)
  expect(fused).toBeGreaterThanOrEqual(Math.max(words, vectors))
  expect([words, vectors, fused]).toMatchInlineSnapshot(`
    [
      39,
      19,
      40,
    ]
  `)
})

test('an embedder that knows what words mean finds what the lexical one cannot', async () => {
  const meanings = pairs.slice(0, 5).map(([title, , question]) => [title, question])
  const { vectors } = await recallAt5(meaningEmbedder(meanings).embedder)
  expect(vectors).toBeGreaterThanOrEqual(5)
})

test('what the bench measures of searches still runs', async () => {
  const { p95Ms, slowestStatementMs } = await searchTimes(50, 5)
  expect(p95Ms).toBeGreaterThan(0)
  expect(slowestStatementMs).toBeGreaterThan(0)
})
