import { limits } from '../../domain/limits.ts'

/** How a piece of the goal stands in an argument: as it is, or in lower case, with hyphens for blanks. */
export const goalForms = ['', 'lower', 'slug'] as const
export type GoalForm = (typeof goalForms)[number]

export interface GoalView {
  readonly goal: string
  /** As long as the goal. */
  readonly text: string
  readonly starts: readonly number[]
}

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

export function goalView(whole: string, form: GoalForm): GoalView {
  const goal = whole.slice(0, limits.skillGoalCharacters)
  const lower = goal.toLowerCase()
  const same = lower.length === goal.length ? lower : goal
  const text = form === '' ? goal : form === 'lower' ? same : same.replaceAll(' ', '-')
  const starts: number[] = []
  for (let at = 0; at < goal.length; at += 1) if (isWord(goal[at]) && !isWord(goal[at - 1])) starts.push(at)
  return { goal, text, starts }
}

/** A piece of the goal: what it is there, and how long. */
export interface Span {
  readonly text: string
  readonly length: number
}

export const spanSizes = ['longest', 'one word', 'two words'] as const

/**
 * The pieces of the goal, word by word, that the text goes on with at a place: the longest, one word, two words; undefined where
 * there is none. Source: learning 3.6.
 */
export function spansAt(view: GoalView, text: string, from: number): readonly (Span | undefined)[] {
  if (!isWord(text[from])) return []
  let best: readonly number[] = []
  let bestStart = 0
  for (const start of view.starts) {
    if (view.text[start] !== text[from]) continue
    const ends = endsFrom(view, { text, from, start })
    if ((ends.at(-1) ?? 0) > (best.at(-1) ?? 0)) [best, bestStart] = [ends, start]
  }
  const lengths = [best.at(-1), best[0], best[1]]
  return lengths.map((length) =>
    length === undefined ? undefined : { length, text: view.goal.slice(bestStart, bestStart + length) },
  )
}

/** Lengths at which a word of the goal ends, as far as both agree. */
function endsFrom(
  view: GoalView,
  { text, from, start }: { text: string; from: number; start: number },
): readonly number[] {
  const ends: number[] = []
  for (let length = 1; ; length += 1) {
    const last = start + length - 1
    if (last >= view.text.length || text[from + length - 1] !== view.text[last] || length > 200) return ends
    if (isWord(view.goal[last]) && !isWord(view.goal[last + 1])) ends.push(length)
  }
}
