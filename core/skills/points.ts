import type { SkillFile } from './file/parse.ts'
import { termOf } from './terms.ts'

/** What a goal gives a skill, before gate and confidence. Source: RULES 16. */
export interface Points {
  readonly keyword: number
  readonly substring: number
  readonly tag: number
  readonly pattern: number
  /** The excluded keyword that the goal holds; undefined for none. */
  readonly veto: string | undefined
}

/** How often each kind of sign was found; a term counts once. */
export interface Signs {
  readonly whole: number
  readonly parts: number
  readonly tags: number
  readonly patterns: number
  readonly veto: string | undefined
}

export const noSigns: Signs = { whole: 0, parts: 0, tags: 0, patterns: 0, veto: undefined }

export function pointsOf({ whole, parts, tags, patterns, veto }: Signs): Points {
  const keyword = Math.min(30, whole * 10)
  return {
    keyword,
    substring: Math.min(30 - keyword, parts * 5),
    tag: Math.min(15, tags * 3),
    pattern: Math.min(40, patterns * 20),
    veto,
  }
}

/** What of a skill is looked for, each once. */
export interface SkillTerms {
  readonly keywords: readonly string[]
  readonly excluded: readonly string[]
  readonly tags: readonly string[]
}

export function termsOf({ activation }: Pick<SkillFile, 'activation'>): SkillTerms {
  return {
    keywords: distinct(activation.keywords),
    excluded: distinct(activation.exclude_keywords),
    tags: distinct(activation.tags),
  }
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map(termOf))].filter((term) => term !== '')
}
