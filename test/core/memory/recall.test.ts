import { expect, test } from 'vitest'
import { pairs } from '../../bench/recall/pairs.ts'
import { knowledgeFigures, recallAt5, searchTimes } from '../../bench/recall/recall.ts'
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

test('prior knowledge would rather leave a doc out than bring a wrong one', async () => {
  const { right, wrong, foreign } = await knowledgeFigures()
  expect({ right, wrong, foreign }).toMatchInlineSnapshot(`
    {
      "foreign": 6,
      "right": 11,
      "wrong": 7,
    }
  `)
  expect(wrong).toBeLessThanOrEqual(right)
})

test('what the bench measures of searches still runs', async () => {
  const { p95Ms, slowestStatementMs } = await searchTimes(50, 5)
  expect(p95Ms).toBeGreaterThan(0)
  expect(slowestStatementMs).toBeGreaterThan(0)
})
