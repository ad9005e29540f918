import { type BigNumber, decimal } from './decimals.ts'
import { callFunction, constantOf, factorial, remainder } from './functions.ts'
import { readTokens, type Token, unreadable } from './tokens.ts'

/** `isPercent`: it was written as 5 %, so that 200 + 5 % adds 5 % of 200. */
interface Value {
  readonly amount: BigNumber
  readonly isPercent: boolean
}

/**
 * The value of an arithmetic expression: + - * / ^ % mod ! brackets, functions, pi and e. There are no variables, no
 * assignments and no other types, so nothing stays behind. Throws action.args.
 */
export function evaluate(expression: string): BigNumber {
  const tokens = readTokens(expression)
  let next = 0
  const end: Token = { kind: 'end', text: '', at: expression.length + 1 }
  const peek = (ahead = 0): Token => tokens[next + ahead] ?? end
  const isSign = (text: string, ahead = 0) => peek(ahead).kind === 'sign' && peek(ahead).text === text
  const accept = (...signs: readonly string[]): string | undefined => {
    const { text } = peek()
    if (!signs.some((sign) => isSign(sign))) return undefined
    next += 1
    return text
  }
  const expectSign = (text: string): void => {
    if (accept(text) === undefined) throw unreadable(expression, peek().at)
  }
  const beginsOperand = (ahead: number) => ['number', 'name'].includes(peek(ahead).kind) || isSign('(', ahead)

  const readSum = (): Value => {
    let left = readProduct()
    for (let sign = accept('+', '-'); sign !== undefined; sign = accept('+', '-')) {
      const right = readProduct()
      const share = right.isPercent && !left.isPercent ? left.amount.times(right.amount) : right.amount
      const amount = sign === '+' ? left.amount.plus(share) : left.amount.minus(share)
      left = { amount, isPercent: left.isPercent && right.isPercent }
    }
    return left
  }
  const readProduct = (): Value => {
    let left = readSigned()
    for (;;) {
      const sign = accept('*', '/', 'x', 'of', 'mod', '%')
      // 2 pi, 3 (4 + 5): a number or bracket followed by a name or bracket.
      if (sign === undefined && !(peek().kind === 'name' || isSign('('))) return left
      const right = readSigned().amount
      left = { amount: applyProduct(sign ?? '*', left.amount, right), isPercent: false }
    }
  }
  const readSigned = (): Value => {
    const sign = accept('+', '-')
    if (sign === undefined) return readPower()
    const { amount, isPercent } = readSigned()
    return { amount: sign === '-' ? amount.negated() : amount, isPercent }
  }
  const readPower = (): Value => {
    const base = readPostfix()
    if (accept('^') === undefined) return base
    return { amount: base.amount.pow(readSigned().amount), isPercent: false }
  }
  const readPostfix = (): Value => {
    let value: Value = { amount: readOperand(), isPercent: false }
    for (;;) {
      if (accept('!') !== undefined) value = { amount: factorial(value.amount), isPercent: false }
      else if (isSign('%') && !beginsOperand(1)) {
        next += 1
        value = { amount: value.amount.dividedBy(100), isPercent: true }
      } else return value
    }
  }
  const readOperand = (): BigNumber => {
    const token = peek()
    next += 1
    if (token.kind === 'number') return decimal(token.text)
    if (token.kind === 'name') return isSign('(') ? callFunction(token.text, readValues()) : readConstant(token.text)
    if (token.text !== '(') throw unreadable(expression, token.at)
    const { amount } = readSum()
    expectSign(')')
    return amount
  }
  const readValues = (): BigNumber[] => {
    expectSign('(')
    if (accept(')') !== undefined) return []
    const values = [readSum().amount]
    while (accept(',') !== undefined) values.push(readSum().amount)
    expectSign(')')
    return values
  }

  const { amount } = readSum()
  if (peek().kind !== 'end') throw unreadable(expression, peek().at)
  return amount
}

function readConstant(name: string): BigNumber {
  return constantOf(name) ?? callFunction(name, [])
}

function applyProduct(sign: string, left: BigNumber, right: BigNumber): BigNumber {
  if (sign === '/') return left.dividedBy(right)
  return sign === '%' || sign === 'mod' ? remainder(left, right) : left.times(right)
}
