import { AppError } from '../../domain/error.ts'
import type { Turn } from './conversation.ts'
import { quoteNames, quoteStems } from './files/name-quoting.ts'
import type { PlanContext } from './intent.ts'
import { understand } from './intents/index.ts'
import { referred } from './intents/reference.ts'
import { type Answer, declined, type Plan } from './plan.ts'
import { refusalText } from './refusal.ts'

const readingsTried = 5

type Asked = Pick<Turn, 'said' | 'earlier' | 'earlierAnswer'>

/** The text that answers a turn: the best reading whose words fit what is in the folder, else a refusal. */
export function* answerPlan(turn: Asked, context: PlanContext): Plan<string> {
  return (yield* toldPlan(turn, context)).text
}

/** The same, and whether it is what was asked for: a refusal is not, and neither is an action that failed. */
export function* toldPlan(
  { said: asked, earlier, earlierAnswer }: Asked,
  context: PlanContext,
): Plan<{ readonly text: string; readonly isAnswer: boolean }> {
  const answer = (text: string) => ({ text, isAnswer: true })
  const refusal = (reason: string) => ({ text: refusalText(reason), isAnswer: false })
  try {
    const meant = yield* referred(asked, earlierAnswer)
    if ('unclear' in meant)
      return refusal(`It is not clear which file "${meant.unclear}" means: name the file in the request.`)
    const { said } = meant
    const named = understand(said, earlier).isRefused ? said : yield* quoteNames(said)
    const first = yield* tryReadings(named, earlier, context)
    if (first.kind === 'answered') return answer(first.text)
    const stemmed = first.isUnderstood ? yield* quoteStems(named) : named
    const second = stemmed === named ? first : yield* tryReadings(stemmed, earlier, context)
    if (second.kind === 'answered') return answer(second.text)
    return first.kind === 'weak' ? answer(first.text) : refusal(first.text)
  } catch (error) {
    // A failed action ends the plan with what failed and why: an answer from half of the figures would be a guess.
    if (!(error instanceof AppError)) throw error
    const text = `This could not be done. The action failed: ${error.message}\n\nNothing was changed.`
    return { text, isAnswer: false }
  }
}

type Tried = Answer & { readonly isUnderstood: boolean }

function* tryReadings(said: string, earlier: readonly string[], context: PlanContext): Plan<Tried> {
  const { candidates, reason } = understand(said, earlier)
  const isUnderstood = candidates.length > 0
  let best: Answer | undefined
  for (const candidate of candidates.slice(0, readingsTried)) {
    const answer = yield* candidate.plan(context)
    if (answer.kind === 'answered') return { ...answer, isUnderstood }
    if (answer.kind === 'weak' && best?.kind !== 'weak') best = answer
    best ??= answer
  }
  return { ...(best ?? declined(reason)), isUnderstood }
}
