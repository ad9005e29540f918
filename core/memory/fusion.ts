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

/** Reciprocal ranks of both lists (ids, best first) added up; best first. */
export function fuse(byWords: readonly string[], byVector: readonly string[]): readonly Fused[] {
  const vectorRanks = new Map(byVector.map((id, at) => [id, at + 1]))
  const ftsRanks = new Map(byWords.map((id, at) => [id, at + 1]))
  return [...new Set([...byWords, ...byVector])]
    .map((id) => {
      const [ftsRank, vectorRank] = [ftsRanks.get(id) ?? null, vectorRanks.get(id) ?? null]
      return { id, ftsRank, vectorRank, score: shareOf(ftsRank) + shareOf(vectorRank) }
    })
    .sort((a, b) => b.score - a.score)
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
