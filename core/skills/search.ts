import { limits } from '../domain/limits.ts'
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
 * Of a long query the first `limits.skillSearchWords` are looked up. The same list is read once.
 */
export function searchSkills(
  skills: readonly LoadedSkill[],
  query: string,
  limit: number,
): { readonly found: readonly LoadedSkill[]; readonly total: number } {
  const { offered, places } = indexOf(skills)
  const asked = [...new Set(stemsIn(query))].slice(0, limits.skillSearchWords)
  if (asked.length === 0) return { found: offered.slice(0, limit), total: offered.length }
  const scores = new Float64Array(offered.length)
  for (const word of asked) {
    const having = places.get(word) ?? []
    const rarity = Math.log(1 + (offered.length + 1) / (having.length + 1))
    for (const { skill, weight } of having) scores[skill] = (scores[skill] ?? 0) + weight * rarity
  }
  return { found: bestOf(scores, limit).flatMap((skill) => offered[skill] ?? []), total: countOf(scores) }
}

/** The places of the highest, at most `limit`; of equal ones the first. To put all in order would take longer than to find them. */
function bestOf(scores: Float64Array, limit: number): readonly number[] {
  const best: number[] = []
  for (const [place, score] of scores.entries()) {
    const last = best.length < limit ? 0 : (scores[best.at(-1) ?? 0] ?? 0)
    if (score <= last) continue
    const before = best.findIndex((each) => (scores[each] ?? 0) < score)
    best.splice(before === -1 ? best.length : before, 0, place)
    if (best.length > limit) best.pop()
  }
  return best
}

function countOf(scores: Float64Array): number {
  return scores.reduce((count, score) => (score > 0 ? count + 1 : count), 0)
}

interface SearchIndex {
  /** By name. */
  readonly offered: readonly LoadedSkill[]
  /** Which of them have a word. */
  readonly places: ReadonlyMap<string, readonly { readonly skill: number; readonly weight: number }[]>
}

/** A library's list is another one when its skills are. */
const made = new WeakMap<readonly LoadedSkill[], SearchIndex>()

function indexOf(skills: readonly LoadedSkill[]): SearchIndex {
  const known = made.get(skills)
  if (known !== undefined) return known
  const offered = skills.filter(({ isOnlyByName }) => !isOnlyByName).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const places = new Map<string, { skill: number; weight: number }[]>()
  for (const [skill, each] of offered.entries()) {
    for (const [word, weight] of wordsOf(each)) {
      const others = places.get(word)
      if (others === undefined) places.set(word, [{ skill, weight }])
      else others.push({ skill, weight })
    }
  }
  const fresh = { offered, places }
  made.set(skills, fresh)
  return fresh
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
  const term = termOf(text)
  const words = term.match(/[^\x20-\x7e]/.test(term) ? /[\p{L}\p{M}\p{N}]+/gu : /[a-z0-9]+/g) ?? []
  return words.map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word))
}
