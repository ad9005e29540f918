import { z } from 'zod'
import { AppError } from '../../domain/error.ts'
import { defineAction } from '../action.ts'
import type { BigNumber } from './calculate/decimals.ts'
import { summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

const significantDigits = 34

export const calculate = defineAction({
  name: 'calculate',
  description:
    'Exact decimal arithmetic: + - * / ^ % ! ( ), "15% of 80", mod, sqrt, abs, round(x, places), floor, ceil, min, max, mean, median, sum, log, log10, exp, sin, cos, tan, pi, e. One expression, no variables, no units.',
  parameters: z.strictObject({
    expression: z.string().min(1).max(1_000).describe('For example (19.99 * 3) + 7% or round(2/3, 4).'),
  }),
  effects: ['Compute'],
  isIdempotent: true,
  summarize: ({ expression }) => summaryText(expression),
  async run({ expression }) {
    // The decimals are loaded when first needed: they would slow down every start.
    const { evaluate } = await import('./calculate/evaluate.ts')
    const result = orRefuse(() => evaluate(expression.trim().replace(/\s*=$/, '')))
    if (!result.isFinite())
      throw refusal(
        'action.args',
        'The result is no number: a division by zero, a root or a logarithm of a negative number, or too large.',
      )
    const rounded = result.toSignificantDigits(significantDigits)
    const value = rounded.toNumber() || 0
    return { expression, result: resultText(rounded), value: Number.isFinite(value) ? value : null }
  },
})

function resultText(value: BigNumber): string {
  const isShort = value.isZero() || (value.e > -significantDigits && value.e <= significantDigits + 6)
  return value.isZero() ? '0' : isShort ? value.toFixed() : value.toString()
}

/** What the decimals cannot do, or a nesting too deep to follow, is the expression's fault, not ours. */
function orRefuse(work: () => BigNumber): BigNumber {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const reason = cause instanceof Error ? cause.message.replace('[DecimalError] ', '') : String(cause)
    throw refusal('action.args', `The expression cannot be worked out: ${reason}.`)
  }
}
