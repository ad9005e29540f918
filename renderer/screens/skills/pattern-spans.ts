import type { GoalSpan } from './goal-marks.ts'

/**
 * Where each pattern is found first in a goal. In the engine that chooses, whose time does not grow with what a pattern nests:
 * the patterns of a skill may be anybody's. One that does not compile there is found nowhere.
 */
export async function patternSpans(goal: string, patterns: readonly string[]): Promise<readonly GoalSpan[]> {
  if (patterns.length === 0) return []
  const { RE2JS, RE2JSException } = await import('re2js')
  return patterns.flatMap((pattern): readonly GoalSpan[] => {
    try {
      const found = RE2JS.compile(pattern).matcher(goal)
      return found.find() ? [[found.start(), found.end()]] : []
    } catch (error) {
      if (error instanceof RE2JSException) return []
      throw error
    }
  })
}
