import type { SkillFile } from './file/parse.ts'
import { type GoalText, type Occurrence, occurrenceAt, termOf } from './terms.ts'

/** What a goal gives a skill, before gate and confidence. Source: RULES 16. */
export interface Points {
  readonly keyword: number
  readonly substring: number
  readonly tag: number
  readonly pattern: number
  /** The excluded keyword that the goal holds; undefined for none. */
  readonly veto: string | undefined
}

/** How often each kind of sign was found. */
export interface Signs {
  readonly whole: number
  readonly parts: number
  readonly tags: number
  readonly patterns: number
  readonly veto: string | undefined
}

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

function termsOf({ activation }: Pick<SkillFile, 'activation'>): SkillTerms {
  return {
    keywords: distinct(activation.keywords),
    excluded: distinct(activation.exclude_keywords),
    tags: distinct(activation.tags),
  }
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map(termOf))].filter((term) => term !== '')
}

/** The signs of one skill in a goal. */
export function signsOf(skill: Pick<SkillFile, 'activation' | 'patterns'>, goal: GoalText): Signs {
  const { keywords, excluded, tags } = termsOf(skill)
  const found = keywords.map((term) => ({ term, how: occurrenceIn(goal.words, term) }))
  const whole = found.filter(({ term, how }) => how === 'whole' && !term.includes(' ')).length
  return {
    whole,
    parts: found.filter(({ how }) => how !== null).length - whole,
    tags: tags.filter((term) => occurrenceIn(goal.words, term) === 'whole').length,
    patterns: skill.patterns.filter((pattern) => pattern.test(goal.raw)).length,
    veto: excluded.find((term) => occurrenceIn(goal.words, term) !== null),
  }
}

function occurrenceIn(text: string, term: string): Occurrence {
  let best: Occurrence = null
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const how = occurrenceAt(text, term, at + term.length)
    if (how === 'whole') return how
    best ??= how
  }
  return best
}
