import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAccumulator } from '../../../../core/capabilities/actions/table/aggregate.ts'
import { add, decimalText, divide, parseDecimal, zero } from '../../../../core/capabilities/actions/table/decimal.ts'
import { readNumber } from '../../../../core/capabilities/actions/table/number-text.ts'
import { createTopItems } from '../../../../core/capabilities/actions/top-items.ts'

const cents = fc.integer({ min: -10_000_000, max: 10_000_000 })
const money = (amount: number) => {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
const figure = (fn: Parameters<typeof createAccumulator>[0], cells: readonly string[]) => {
  const accumulator = createAccumulator(fn, 'UTC')
  for (const cell of cells) accumulator.add(cell)
  return accumulator.result()
}

describe('figures equal an independent count in whole cents', () => {
  it('sum, min, max, count', () => {
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1 }), (amounts) => {
        const cells = amounts.map(money)
        expect(Math.round(Number(figure('sum', cells)) * 100)).toBe(
          amounts.reduce((sum, amount) => sum + amount, 0) || 0,
        )
        expect(figure('min', cells)).toBe(Math.min(...amounts) / 100 || 0)
        expect(figure('max', cells)).toBe(Math.max(...amounts) / 100 || 0)
        expect(figure('count', cells)).toBe(amounts.length)
        expect(figure('distinct', cells)).toBe(new Set(cells).size)
      }),
    )
  })

  it('average and median, to 15 digits', () => {
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1 }), (amounts) => {
        const sorted = [...amounts].sort((a, b) => a - b)
        const middle = ((sorted[sorted.length >> 1] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2
        const mean = amounts.reduce((sum, amount) => sum + amount, 0) / amounts.length
        expect(Number(figure('median', amounts.map(money)))).toBeCloseTo(middle / 100, 6)
        expect(Number(figure('avg', amounts.map(money)))).toBeCloseTo(mean / 100, 6)
      }),
    )
  })

  it('whatever the order and the number of places', () => {
    const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
    fc.assert(
      fc.property(fc.array(decimal), (values) => {
        const terms = values.map(([units, scale]) => ({ units, scale }))
        const sum = terms.reduce(add, zero)
        const exact = terms.reduce((total, { units, scale }) => total + units * 10n ** BigInt(18 - scale), 0n)
        expect(decimalText(sum)).toBe(decimalText({ units: exact, scale: 18 }))
        expect(decimalText([...terms].reverse().reduce(add, zero))).toBe(decimalText(sum))
      }),
    )
  })
})

it.each([
  [['0.1', '0.2'], 0.3],
  [['1e3', '.5', '-0.25'], 1000.25],
  [['99999999999999999999', '2'], '100000000000000000001'],
  [[], null],
])('the sum of %j is %j', (cells, expected) => {
  expect(figure('sum', cells)).toBe(expected)
})

it.each([
  ['10', 3, '3.33333333333333'],
  ['-10', 3, '-3.33333333333333'],
  ['2', 3, '0.666666666666667'],
  ['1', 8, '0.125'],
  ['123456789012345678', 1, '123456789012345678'],
  ['0', 7, '0'],
])('%s ÷ %i is %s', (dividend, count, expected) => {
  expect(decimalText(divide(parseDecimal(dividend) ?? zero, count))).toBe(expected)
})

it('an exponent that would need thousands of digits is no decimal', () => {
  expect(parseDecimal('1e401')).toBeUndefined()
  expect(parseDecimal('1e-999999999')).toBeUndefined()
})

describe('numbers as people write them', () => {
  it.each([
    ['12', 12, 'plain'],
    [' -1.5e3 ', -1500, 'plain'],
    ['007', 7, 'code'],
    ['1,234.50', 1234.5, 'grouped'],
    ['1,234,567', 1234567, 'grouped'],
    ['1.234.567', 1234567, 'grouped'],
    ['1.234,50', 1234.5, 'grouped'],
    ['1 234', 1234, 'grouped'],
    ["12'345.60", 12345.6, 'grouped'],
    ['3,50', 3.5, 'grouped'],
    ['0,125', 0.125, 'grouped'],
    ['1,234', 1234, 'ambiguous'],
    ['$12', 12, 'decorated'],
    ['-$12.50', -12.5, 'decorated'],
    ['€ 3,50', 3.5, 'grouped'],
    ['3,50 €', 3.5, 'grouped'],
    ['EUR 5', 5, 'decorated'],
    ['12 %', 12, 'decorated'],
    ['(5.25)', -5.25, 'decorated'],
    ['−4', -4, 'decorated'],
  ])('%j is %d (%s)', (text, value, form) => {
    expect(readNumber(text)).toMatchObject({ value, form })
  })

  it.each([
    '',
    ' ',
    'n/a',
    'twelve',
    '2024-01-05',
    '12:30',
    '1.2.3',
    '1,2,3',
    'ABC123',
    '12 kg',
    '+',
    '$',
    '--5',
    '1e999',
    '0x10',
    'Infinity',
    '½',
  ])('%j is no number', (text) => {
    expect(readNumber(text)).toBeUndefined()
  })

  it('reads what it is given, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const number = readNumber(text)
        if (number) expect(decimalText(parseDecimal(number.digits) ?? zero)).toMatch(/^-?\d+(\.\d+)?$/)
      }),
    )
  })
})

describe('the first items of many', () => {
  it('are those of a full sort, in a stable order', () => {
    const item = fc.record({ key: fc.integer({ min: 0, max: 20 }), id: fc.nat() })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 400 }), fc.integer({ min: 0, max: 50 }), (items, limit) => {
        const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
        const top = createTopItems<{ key: number; id: number }>(limit, compare)
        for (const one of items) top.add(one)
        expect(top.sorted()).toEqual([...items].sort(compare).slice(0, limit))
      }),
    )
  })

  it('take a number of comparisons that grows with the items, not with their square', () => {
    const comparisons = (count: number) => {
      let compared = 0
      const top = createTopItems<number>(100, (a, b) => {
        compared += 1
        return a - b
      })
      for (let at = 0; at < count; at += 1) top.add((at * 7_919) % 100_003)
      top.sorted()
      return compared
    }
    expect(comparisons(80_000)).toBeLessThan(80_000 * 1.5)
    expect(comparisons(80_000)).toBeLessThan(comparisons(10_000) * 12)
  })
})
