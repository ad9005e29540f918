import type { DocType } from '../domain/memory.ts'

/** Found one way or both; ranks begin at 1. */
export interface Fused {
  readonly id: string
  readonly ftsRank: number | null
  readonly vectorRank: number | null
  readonly score: number
}

/** Dampens the first ranks, so that two good ranks beat one very good one. Source: reference, engine behaviour 10. */
const damping = 60

/** What one way of searching found, best first: equal values are equally good. */
export interface Finding {
  readonly id: string
  readonly value: number
}

/** Reciprocal ranks of both ways added up; best first. */
export function fuse(byWords: readonly Finding[], byVector: readonly Finding[]): readonly Fused[] {
  const [ftsRanks, vectorRanks] = [ranksOf(byWords), ranksOf(byVector)]
  return [...new Set([...ftsRanks.keys(), ...vectorRanks.keys()])]
    .map((id) => {
      const [ftsRank, vectorRank] = [ftsRanks.get(id) ?? null, vectorRanks.get(id) ?? null]
      return { id, ftsRank, vectorRank, score: shareOf(ftsRank) + shareOf(vectorRank) }
    })
    .sort((a, b) => b.score - a.score)
}

// Relative: where a word is in most docs, bm25 itself is near 1e-6.
const rounding = 1e-6

/** Ranks from 1; what is equal up to rounding shares one. */
function ranksOf(findings: readonly Finding[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  let [rank, last] = [0, Number.NaN]
  for (const [at, { id, value }] of findings.entries()) {
    if (!(Math.abs(value - last) <= Math.abs(last) * rounding)) rank = at + 1
    last = value
    ranks.set(id, rank)
  }
  return ranks
}

function shareOf(rank: number | null): number {
  return rank === null ? 0 : 1 / (damping + rank)
}

const typeOrder: Readonly<Record<DocType, number>> = { Lesson: 0, Issue: 0, Spec: 0, Summary: 1, Skill: 2, Note: 2 }

interface Ranked {
  readonly score: number
  readonly type: DocType
  readonly updatedAt: number
}

/** Relevance alone decides; only between equals what was learnt comes before what was noted, then the newer. */
export function byRelevance(a: Ranked, b: Ranked): number {
  return b.score - a.score || typeOrder[a.type] - typeOrder[b.type] || b.updatedAt - a.updatedAt
}
