import { RE2JS } from 're2js'
import { limits } from '../../domain/limits.ts'

/**
 * A pattern that was learnt, over goals that it was not learnt from: in the engine that later chooses skills, whose time grows
 * with the goal alone. One that this engine does not take finds nothing.
 */
export interface GoalPattern {
  isIn(goal: string): boolean
  /** Its first group; undefined where it is not in the goal. */
  valueIn(goal: string): string | undefined
}

const nowhere: GoalPattern = { isIn: () => false, valueIn: () => undefined }

const known = new Map<string, GoalPattern>()
const mostKnown = 500

/** Of a goal the first `limits.skillGoalCharacters` are looked at, without regard to case. */
export function goalPattern(text: string): GoalPattern {
  const before = known.get(text)
  if (before !== undefined) return before
  const made = patternOf(text)
  if (known.size >= mostKnown) known.clear()
  known.set(text, made)
  return made
}

function patternOf(text: string): GoalPattern {
  try {
    const compiled = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE)
    return {
      isIn: (goal) => compiled.test(lookedAt(goal)),
      valueIn(goal) {
        const matcher = compiled.matcher(lookedAt(goal))
        return matcher.find() && matcher.groupCount() > 0 ? (matcher.group(1) ?? undefined) : undefined
      },
    }
  } catch {
    // Too many repeats of one figure, or signs of another engine: it could choose no skill either.
    return nowhere
  }
}

function lookedAt(goal: string): string {
  return goal.slice(0, limits.skillGoalCharacters)
}
