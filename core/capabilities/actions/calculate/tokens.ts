import { refusal } from '../refusal.ts'

export interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end'
  readonly text: string
  /** Where it stands in the expression, from 1. */
  readonly at: number
}

const number = /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy
const grouped = /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?/y
const name = /[\p{L}_][\p{L}\p{N}_]*/uy
const sign = /\*\*|[-+*/^%!(),×÷·−–]/uy
const spellings = new Map([
  ['**', '^'],
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['–', '-'],
])

/** Throws action.args at the first character that belongs to no number, name or sign. */
export function readTokens(expression: string): readonly Token[] {
  const tokens: Token[] = []
  // A comma parts the values of a function; everywhere else it can only group digits: 1,234.
  const brackets: boolean[] = []
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(expression)?.[0]
  }
  while (at < expression.length) {
    const blank = /\s/.test(expression[at] ?? '')
    if (blank) {
      at += 1
      continue
    }
    const token = nextToken(match, brackets.includes(true), at + 1)
    if (!token) throw unreadable(expression, at + 1)
    if (token.text === '(') brackets.push(tokens.at(-1)?.kind === 'name' && !isOperatorName(tokens.at(-1)?.text ?? ''))
    if (token.text === ')') brackets.pop()
    tokens.push({ ...token, text: token.kind === 'number' ? token.text.replaceAll(',', '') : token.text })
    at += token.text.length
  }
  return tokens.map(({ text, ...token }) => ({ ...token, text: spellings.get(text) ?? text }))
}

function nextToken(match: (pattern: RegExp) => string | undefined, isInCall: boolean, at: number): Token | undefined {
  const figure = (isInCall ? undefined : match(grouped)) ?? match(number)
  if (figure !== undefined) return { kind: 'number', text: figure, at }
  const word = match(name)
  if (word !== undefined) return { kind: isOperatorName(word) ? 'sign' : 'name', text: word, at }
  const mark = match(sign)
  return mark === undefined ? undefined : { kind: 'sign', text: mark, at }
}

function isOperatorName(word: string): boolean {
  return word === 'x' || word === 'of' || word === 'mod'
}

export function unreadable(expression: string, at: number): Error {
  const rest = expression.slice(at - 1, at + 19)
  const where = rest === '' ? 'at its end' : `at character ${at}, before "${rest}"`
  return refusal(
    'action.args',
    `The expression cannot be read ${where}. It takes numbers, + - * / ^ % ! ( ) and functions.`,
  )
}
