import type { WouldChange } from '../../domain/candidate.ts'
import type { ThreadHeader } from '../../domain/thread.ts'
import type { LoadedSkill, SkillLibrary } from '../library.ts'
import { createSkillSelector, type SkillQuestion } from '../select.ts'

type Goal = Pick<ThreadHeader, 'id' | 'number' | 'goal' | 'outcome'>

/**
 * What would have been chosen for past goals with the candidate in the place of what is live, beside what is. Goals are judged as
 * if they were said in a new chat. Source: RULES 22.
 */
export function wouldChange(
  candidate: LoadedSkill,
  {
    goals,
    library,
    judged,
  }: {
    readonly goals: readonly Goal[]
    readonly library: SkillLibrary
    readonly judged: Pick<SkillQuestion, 'missing' | 'confidence'>
  },
): WouldChange {
  const { name } = candidate
  const others = library.skills.filter((skill) => skill.name !== name)
  const before = createSkillSelector(library.skills)
  const after = createSkillSelector([...others, candidate])
  const pairs = goals.map((goal) => {
    const question = { text: goal.goal, isPersons: true, active: [], inherited: [], carried: [], ...judged }
    const picked = [before, after].map((selector) =>
      selector.select(question, 0).joining.map(({ skill }) => skill.name),
    )
    return { goal, was: picked[0] ?? [], is: picked[1] ?? [] }
  })
  const changed = pairs.filter(({ was, is }) => was.includes(name) !== is.includes(name))
  return {
    n: goals.length,
    picksBefore: pairs.filter(({ was }) => was.includes(name)).length,
    picksAfter: pairs.filter(({ is }) => is.includes(name)).length,
    changes: changed.map(({ goal, was, is }) => ({
      ...{ threadId: goal.id, threadNumber: goal.number, goal: goal.goal, outcome: goal.outcome },
      change: is.includes(name) ? 'added' : 'dropped',
      displaces: was.filter((each) => each !== name && !is.includes(each)),
    })),
  }
}
