import type { LoadedSkill } from '../../../core/skills/library.ts'
import { type Signs, termsOf } from '../../../core/skills/points.ts'
import type { SkillIndex } from '../../../core/skills/skill-index.ts'
import { type GoalText, type Occurrence, occurrenceAt } from '../../../core/skills/terms.ts'

/** The same as the index, skill by skill and term by term: what it is judged by. */
export function createNaiveIndex(skills: readonly LoadedSkill[]): SkillIndex {
  return {
    signsIn: (goal) => {
      const found = skills.map((skill, at) => [at, signsOf(skill, goal)] as const)
      return new Map(found.filter(([, signs]) => hasSign(signs)))
    },
  }
}

function hasSign({ whole, parts, tags, patterns, veto }: Signs): boolean {
  return whole + parts + tags + patterns > 0 || veto !== undefined
}

function signsOf(skill: LoadedSkill, goal: GoalText): Signs {
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
