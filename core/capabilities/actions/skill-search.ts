import { z } from 'zod'
import { isJsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { SkillTrust } from '../../domain/skill.ts'
import { type Action, defineAction } from '../action.ts'
import { summaryText, wholeNumber } from './parameters.ts'

/** A skill that was found, the best first. `reason`: why it cannot be loaded; null where it can. */
export interface SkillHit {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly version: number
  readonly trust: SkillTrust
  readonly isActive: boolean
  readonly reason: string | null
}

/** Given at wiring. `total`: all that have a word of the query, or all there are for an empty one. */
export type SearchSkills = (asked: { readonly threadId: string; readonly query: string; readonly limit: number }) => {
  readonly hits: readonly SkillHit[]
  readonly total: number
}

/** What the catalogue has no room for. Source: RULES 17. */
export function createSkillSearchAction(search: SearchSkills): Action {
  return defineAction({
    name: 'skill_search',
    description: 'Finds skills by name, description and tags, the best first, and says which load_skill can read.',
    parameters: z.strictObject({
      query: z.string().max(limits.skillGoalCharacters).default('').describe('Empty: all.'),
      limit: wholeNumber(1, limits.skillsFound).default(8).describe('Default 8.'),
    }),
    effects: ['ReadLocal'],
    isIdempotent: true,
    source: ({ query }, ended) =>
      ended.ok && isJsonObject(ended.value) && ended.value.untrusted === true
        ? { kind: 'skill', name: `found by ${query}` }
        : null,
    summarize: ({ query }) => summaryText(query),
    run({ query, limit }, { threadId }) {
      const { hits, total } = search({ threadId, query, limit })
      const skills = hits.map(({ name, description, tags, version, isActive, reason }) => ({
        ...{ name, description, version, ...(tags.length > 0 && { tags }) },
        ...(isActive ? { active: true } : { can_load: reason === null }),
        ...(reason !== null && { why_not: reason }),
      }))
      // A stranger's description is a stranger's text.
      const isForeign = hits.some(({ trust }) => trust === 'installed')
      return { query, skills, total, ...(isForeign && { untrusted: true }) }
    },
  })
}
