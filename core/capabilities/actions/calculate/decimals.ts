import { type BigNumber, bignumberDependencies, create } from 'mathjs'

// Only its decimal numbers: nothing of what is asked reaches an evaluator that can do more than arithmetic. Twice the digits
// that are shown, so that 1/3*3 and sqrt(2)^2 come out whole.
const workingDigits = 68
const math = create(bignumberDependencies ?? {}, { number: 'BigNumber', precision: workingDigits })

export type { BigNumber }

/** Rounded to what is worked with: the time of every operation stays bounded, however many digits were written. */
export function decimal(text: string): BigNumber {
  return math.bignumber(text).toSignificantDigits(workingDigits)
}
