import type { IntentFamily } from '../intent.ts'
import { expressionIn } from '../language/expression.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { calculate } from '../results.ts'

/** "What is 17 % of 349.90?", "12 * (3 + 4)", "the average of 3, 4 and 8". */
export const arithmetic: IntentFamily = {
  name: 'arithmetic',
  read(reading) {
    const expression = expressionIn(reading.text)
    if (expression === undefined) return []
    return [{ intent: 'calculate', score: 0.97, slots: { expression }, plan: () => plan(expression) }]
  },
}

function* plan(expression: string): Plan<Answer> {
  const [attempt] = yield* calculate.all([{ expression }])
  if (!attempt?.ok) return declined(`It cannot work out ${expression}: ${attempt?.message ?? 'there is no result'}`)
  return answered(`${expression} = **${attempt.value.result}**`)
}
