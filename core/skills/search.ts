import type { SkillTrust } from '../domain/skill.ts'
import type { LoadedSkill } from './library.ts'
import { termOf } from './terms.ts'

/** What a model is told of a skill that was found. `reason`: why it cannot be loaded; null where it can. */
export interface FoundSkills {
  readonly hits: readonly {
    readonly name: string
    readonly description: string
    readonly tags: readonly string[]
    readonly version: number
    readonly trust: SkillTrust
    readonly isActive: boolean
    readonly reason: string | null
  }[]
  /** All that have a word of the query. */
  readonly total: number
}

/**
 * Words of the query in name (3), tags (2) and description (1), each weighed by how few skills have it; of equal ones by name.
 * An empty query finds all, by name. What only a person may name is not found: a model could do nothing with it.
 */
export function searchSkills(
  skills: readonly LoadedSkill[],
  query: string,
  limit: number,
): { readonly found: readonly LoadedSkill[]; readonly total: number } {
  const offered = skills.filter(({ isOnlyByName }) => !isOnlyByName).map((skill) => ({ skill, words: wordsOf(skill) }))
  const asked = [...new Set(stemsIn(query))]
  const weights = new Map(asked.map((word) => [word, weightOf(word, offered)]))
  const scored = offered.map(({ skill, words }) => {
    const score = asked.reduce((sum, word) => sum + (words.get(word) ?? 0) * (weights.get(word) ?? 0), 0)
    return { skill, score }
  })
  const hits = asked.length === 0 ? scored : scored.filter(({ score }) => score > 0)
  const best = hits.toSorted((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1))
  return { found: best.slice(0, limit).map(({ skill }) => skill), total: best.length }
}

interface Offered {
  readonly words: ReadonlyMap<string, number>
}

function weightOf(word: string, offered: readonly Offered[]): number {
  const having = offered.filter(({ words }) => words.has(word)).length
  return Math.log(1 + (offered.length + 1) / (having + 1))
}

/** Each word with the weight of the best place that it stands in. */
function wordsOf({ name, description, activation }: LoadedSkill): ReadonlyMap<string, number> {
  const words = new Map<string, number>()
  const places = [
    [description, 1],
    [activation.tags.join(' '), 2],
    [name, 3],
  ] as const
  for (const [text, weight] of places) for (const word of stemsIn(text)) words.set(word, weight)
  return words
}

/** `issues` and `issue` are one. */
function stemsIn(text: string): readonly string[] {
  const words = termOf(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word))
}
