import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runAction } from './project.ts'

const calculate = (expression: string) => runAction('calculate', { expression })

it.each([
  ['0.1 + 0.2', '0.3'],
  ['2 + 3 * 4', '14'],
  ['(2 + 3) * 4', '20'],
  ['-2^2', '-4'],
  ['2^-1', '0.5'],
  ['2^3^2', '512'],
  ['2**10', '1024'],
  ['10 / 4', '2.5'],
  ['1/3', '0.3333333333333333333333333333333333'],
  ['1/3*3', '1'],
  ['7 % 3', '1'],
  ['-7 mod 3', '2'],
  ['7.5 % 2', '1.5'],
  ['5!', '120'],
  ['0!', '1'],
  ['15% of 80', '12'],
  ['15 % of 80 + 1', '13'],
  ['200 + 5%', '210'],
  ['200 - 5%', '190'],
  ['100 + 5% + 1', '106'],
  ['200 * 5%', '10'],
  ['5%', '0.05'],
  ['5% + 10%', '0.15'],
  ['(19.99 * 3) + 7%', '64.1679'],
  ['1,234.50 * 2', '2469'],
  ['sum(1,234)', '235'],
  ['3 × 4 ÷ 2 − 1', '5'],
  ['3 x 4', '12'],
  ['2 pi', '6.283185307179586476925286766559006'],
  ['2(3 + 4)', '14'],
  ['e', '2.718281828459045235360287471352662'],
  ['sqrt(2)^2', '2'],
  ['SQRT(16)', '4'],
  ['cbrt(27)', '3'],
  ['abs(-3) + floor(2.7) + ceil(2.1)', '8'],
  ['round(2.5)', '3'],
  ['round(-2.5)', '-3'],
  ['round(2/3, 4)', '0.6667'],
  ['min(3, 1, 2) + max(3, 1, 2)', '4'],
  ['mean(1, 2, 4)', '2.333333333333333333333333333333333'],
  ['median(5, 1, 3, 100)', '4'],
  ['log(e)', '1'],
  ['log(8, 2)', '3'],
  ['log10(1000)', '3'],
  ['exp(0)', '1'],
  ['sin(0) + cos(0)', '1'],
  ['round(sin(pi / 6), 20)', '0.5'],
  ['12345678901234567890 * 10', '123456789012345678900'],
  ['1e3 + 1e-3', '1000.001'],
  ['0 * -1', '0'],
  ['2 + 2 =', '4'],
  ['10^50', '1e+50'],
  ['1 / 10^50', '1e-50'],
])('%s is %s', async (expression, result) => {
  expect(await calculate(expression)).toEqual({ expression, result, value: Number(result) })
})

it('a result that no number can hold is text only', async () => {
  expect(await calculate('1000!')).toMatchObject({ result: expect.stringMatching(/^4\.02.*e\+2567$/), value: null })
})

it('sums and products of whole numbers are exact', async () => {
  const number = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
  await fc.assert(
    fc.asyncProperty(number, number, number, async (a, b, c) => {
      expect(await calculate(`(${a}) * (${b}) + (${c})`)).toMatchObject({ result: String(a * b + c) })
    }),
  )
})

it('whatever is asked gives a number or a refusal', async () => {
  const piece = fc.constantFrom(
    '1',
    '2.5',
    '0',
    '+',
    '-',
    '*',
    '/',
    '^',
    '%',
    '!',
    '(',
    ')',
    ',',
    'sqrt(',
    'pi',
    'max(',
    ' ',
    'of',
    'x',
    '1,000',
    'e',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
      const outcome = await calculate(pieces.join('')).catch((error) => error)
      expect(outcome.code ?? outcome.result).toMatch(/^action\.args$|^-?\d/)
    }),
    { numRuns: 500 },
  )
})

describe('what is no arithmetic is refused', () => {
  it.each([
    ['', ''],
    [' ', 'cannot be read at its end'],
    ['2 +', 'at its end'],
    ['2 3', 'at character 3'],
    ['(2', 'at its end'],
    ['2)', 'at character 2'],
    ['1/0', 'no number'],
    ['0/0', 'no number'],
    ['sqrt(-1)', 'no number'],
    ['log(0)', 'no number'],
    ['5 mod 0', 'division by zero'],
    ['1001!', '0 to 1000'],
    ['2.5!', 'whole number'],
    ['x = 1', 'cannot be read'],
    ['a = 1', 'cannot be read'],
    ['a + 1', 'no function or name "a"'],
    ['f(x) = x', 'cannot be read'],
    ['import("fs")', 'cannot be read'],
    ['evaluate(1)', 'no function or name "evaluate"'],
    ['parse(1)', 'no function'],
    ['createUnit(1)', 'no function'],
    ['constructor', 'no function or name "constructor"'],
    ['__proto__', 'no function or name'],
    ['[1, 2]', 'cannot be read'],
    ['{}', 'cannot be read'],
    ['"text"', 'cannot be read'],
    ['1; 2', 'cannot be read'],
    ['2 cm', 'no function or name "cm"'],
    ['round(1, 2, 3)', 'takes 1 to 2 values, not 3'],
    ['sqrt()', 'not 0'],
    ['round(1, 99)', '0 to 34'],
    ['1 == 1', 'cannot be read'],
    ['sin(1e31)', '10^30'],
  ])('%s', async (expression, text) => {
    await expect(calculate(expression)).rejects.toMatchObject({
      code: 'action.args',
      message: expect.stringContaining(text),
    })
  })

  it('nothing of one call is left for the next', async () => {
    for (const expression of [
      'pi = 3',
      'sin(1e4000)',
      'sin(1/0)',
      `cos(${'7'.repeat(900)})`,
      '1/0',
      'log(-1)',
      '(-8)^(1/3)',
    ]) {
      await expect(calculate(expression)).rejects.toMatchObject({ code: 'action.args' })
    }
    expect(await calculate('1/3 + sin(0)')).toMatchObject({ result: '0.3333333333333333333333333333333333' })
    expect(await calculate('round(pi, 2)')).toMatchObject({ result: '3.14' })
  })

  it('over 1,000 characters, at any depth', async () => {
    expect(await calculate(`${'('.repeat(499)}1${')'.repeat(499)}`)).toMatchObject({ result: '1' })
    await expect(calculate('1'.repeat(1_001))).rejects.toMatchObject({ code: 'action.args' })
    await expect(calculate('('.repeat(1_000))).rejects.toMatchObject({ code: 'action.args' })
  })

  it.each(['9^9^9^9', '9^9^9', '1.0000001^123456789.5', 'exp(1e9)', '(((9!)!)!)'])('%s ends', async (expression) => {
    const outcome = await calculate(expression).catch((error) => error)
    expect(outcome.code ?? outcome.result).toMatch(/^action\.args$|e\+\d+$|^\d/)
  })
})
