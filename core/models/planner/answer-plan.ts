import { AppError } from '../../domain/error.ts'
import type { Turn } from './conversation.ts'
import { quoteNames, quoteStems } from './files/name-quoting.ts'
import type { PlanContext } from './intent.ts'
import { understand } from './intents/index.ts'
import { referred } from './intents/reference.ts'
import { type Answer, declined, type Plan } from './plan.ts'
import { refusalText } from './refusal.ts'

const readingsTried = 5

/** The text that answers a turn: the best reading whose words fit what is in the folder, else a refusal. */
export function* answerPlan({ said: asked, earlier, earlierAnswer }: Turn, context: PlanContext): Plan<string> {
  try {
    const meant = yield* referred(asked, earlierAnswer)
    if ('unclear' in meant)
      return refusalText(`It is not clear which file "${meant.unclear}" means: name the file in the request.`)
    const { said } = meant
    const named = understand(said, earlier).isRefused ? said : yield* quoteNames(said)
    const first = yield* tryReadings(named, earlier, context)
    if (first.kind === 'answered') return first.text
    const stemmed = first.isUnderstood ? yield* quoteStems(named) : named
    const second = stemmed === named ? first : yield* tryReadings(stemmed, earlier, context)
    if (second.kind === 'answered') return second.text
    return first.kind === 'weak' ? first.text : refusalText(first.text)
  } catch (error) {
    // A failed action ends the plan with what failed and why: an answer from half of the figures would be a guess.
    if (!(error instanceof AppError)) throw error
    return `This could not be done. The action failed: ${error.message}\n\nNothing was changed.`
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
