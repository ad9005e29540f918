import { refusal } from '../refusal.ts'
import { type BigNumber, decimal } from './decimals.ts'

interface MathFunction {
  readonly least: number
  readonly most: number
  readonly apply: (first: BigNumber, rest: readonly BigNumber[]) => BigNumber
}

const one = (apply: (value: BigNumber) => BigNumber): MathFunction => ({ least: 1, most: 1, apply })
// An angle of many turns needs pi to as many digits; past its table the library throws and keeps a changed precision.
const angle = (apply: (value: BigNumber) => BigNumber): MathFunction =>
  one((value) => {
    if (value.abs().greaterThan('1e30')) throw refusal('action.args', 'An angle is at most 10^30.')
    return apply(value)
  })
const many = (apply: MathFunction['apply']): MathFunction => ({ least: 1, most: 500, apply })

const sum = (first: BigNumber, rest: readonly BigNumber[]) => rest.reduce((total, value) => total.plus(value), first)
const mean = (first: BigNumber, rest: readonly BigNumber[]) => sum(first, rest).dividedBy(rest.length + 1)
const average = many(mean)

const functions = new Map<string, MathFunction>([
  ['abs', one((value) => value.abs())],
  ['sqrt', one((value) => value.sqrt())],
  ['cbrt', one((value) => value.cbrt())],
  ['floor', one((value) => value.floor())],
  ['ceil', one((value) => value.ceil())],
  ['exp', one((value) => value.exp())],
  ['ln', one((value) => value.ln())],
  ['log10', one((value) => value.log(10))],
  ['log2', one((value) => value.log(2))],
  ['sin', angle((value) => value.sin())],
  ['cos', angle((value) => value.cos())],
  ['tan', angle((value) => value.tan())],
  ['asin', one((value) => value.asin())],
  ['acos', one((value) => value.acos())],
  ['atan', one((value) => value.atan())],
  ['log', { least: 1, most: 2, apply: (value, [base]) => (base ? value.log(base) : value.ln()) }],
  ['round', { least: 1, most: 2, apply: (value, [places]) => roundTo(value, places) }],
  ['pow', { least: 2, most: 2, apply: (value, [exponent]) => value.pow(exponent ?? value) }],
  ['mod', { least: 2, most: 2, apply: (value, [divisor]) => remainder(value, divisor ?? value) }],
  ['sum', many(sum)],
  ['mean', average],
  ['avg', average],
  ['min', many((first, rest) => rest.reduce((least, value) => (value.lessThan(least) ? value : least), first))],
  ['max', many((first, rest) => rest.reduce((most, value) => (value.greaterThan(most) ? value : most), first))],
  ['median', many(median)],
])

const constants = new Map([
  ['pi', () => decimal('-1').acos()],
  ['π', () => decimal('-1').acos()],
  ['e', () => decimal('1').exp()],
])

export function constantOf(name: string): BigNumber | undefined {
  return constants.get(name.toLowerCase())?.()
}

/** Throws action.args for a function that is not there, or with the wrong number of values. */
export function callFunction(name: string, values: readonly BigNumber[]): BigNumber {
  const called = functions.get(name.toLowerCase())
  if (!called) {
    throw refusal(
      'action.args',
      `There is no function or name "${name}". There are: ${[...functions.keys()].join(', ')}, pi, e.`,
    )
  }
  const [first, ...rest] = values
  if (first === undefined || values.length < called.least || values.length > called.most) {
    throw refusal('action.args', `${name} takes ${called.least} to ${called.most} values, not ${values.length}.`)
  }
  return called.apply(first, rest)
}

/** With the sign of the divisor, as people expect of a remainder: -7 mod 3 is 2. */
export function remainder(value: BigNumber, divisor: BigNumber): BigNumber {
  if (divisor.isZero()) throw refusal('action.args', 'A remainder of a division by zero does not exist.')
  return value.minus(divisor.times(value.dividedBy(divisor).floor()))
}

export function factorial(value: BigNumber): BigNumber {
  if (!value.isInteger() || value.isNegative() || value.greaterThan(1_000)) {
    throw refusal('action.args', 'A factorial takes a whole number from 0 to 1000.')
  }
  let product = decimal('1')
  for (let factor = 2; value.greaterThanOrEqualTo(factor); factor += 1) product = product.times(factor)
  return product
}

function roundTo(value: BigNumber, places: BigNumber | undefined): BigNumber {
  const wanted = places?.toNumber() ?? 0
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 34) {
    throw refusal('action.args', 'round takes 0 to 34 places.')
  }
  return value.toDecimalPlaces(wanted, 4)
}

function median(first: BigNumber, rest: readonly BigNumber[]): BigNumber {
  const sorted = [first, ...rest].sort((a, b) => a.comparedTo(b))
  const upper = sorted[sorted.length >> 1] ?? first
  const lower = sorted[(sorted.length - 1) >> 1] ?? first
  return lower.plus(upper).dividedBy(2)
}
