import { describe, expect, test } from 'vitest'
import {
  amountText,
  minutesText,
  moneyText,
  type Parsed,
  parseMinutes,
  parsePrice,
  parseSeconds,
  parseSteps,
  parseTokens,
  parseUsd,
  parseWindow,
  secondsText,
} from '../../../../renderer/screens/settings/amounts.ts'

function readAs(parsed: Parsed<number | null>): number | null | 'no' {
  return parsed.ok ? parsed.value : 'no'
}

describe('limits as a person writes them', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['200000', 200_000],
    ['200,000', 200_000],
    ['200 000', 200_000],
    ['200k', 200_000],
    ['1.5M', 1_500_000],
    ['1.2345k', 'no'],
    ['0', 'no'],
    ['-5', 'no'],
    ['1.5', 'no'],
    ['many', 'no'],
    ['k', 'no'],
    ['1e5', 'no'],
    ['99999999999999', 'no'],
  ])('%o tokens', (text, value) => {
    expect(readAs(parseTokens(text))).toBe(value)
  })

  test.each([
    ['5', 5],
    ['$5', 5],
    ['0.50', 0.5],
    ['.5', 0.5],
    ['1,500', 1_500],
    // Five tenths to some, five hundred to nobody.
    ['0,500', 'no'],
    ['0,5', 'no'],
    ['0', 'no'],
    ['5 USD', 'no'],
  ])('%o USD', (text, value) => {
    expect(readAs(parseUsd(text))).toBe(value)
  })

  test('steps end at the ceiling of the engine', () => {
    expect(readAs(parseSteps('100,000'))).toBe(100_000)
    expect(readAs(parseSteps('100,001'))).toBe('no')
    expect(readAs(parseSteps('2.5'))).toBe('no')
  })

  test('minutes are kept as ms', () => {
    expect(readAs(parseMinutes('1.5'))).toBe(90_000)
    expect(readAs(parseMinutes('0'))).toBe('no')
  })

  test('a price may be nothing, and 0', () => {
    expect(readAs(parsePrice('0'))).toBe(0)
    expect(readAs(parsePrice('$0.075'))).toBe(0.075)
    expect(readAs(parsePrice(''))).toBe(null)
    expect(readAs(parsePrice('100001'))).toBe('no')
  })

  test.each([null, 1, 999, 1_000, 123_456, 0.25, 1_234.5])('%o stands in its field as it is read back', (value) => {
    expect(readAs(parseUsd(amountText(value)))).toBe(value)
    expect(readAs(parseUsd(moneyText(value)))).toBe(value)
    const ms = value === null ? null : value * 60_000
    expect(readAs(parseMinutes(minutesText(ms)))).toBe(ms)
  })
})

describe('limits of a model', () => {
  test.each([
    ['', null],
    ['32k', 32_000],
    ['8,192', 8_192],
    ['256', 256],
    ['255', 'no'],
    ['20M', 'no'],
    ['large', 'no'],
  ])('a window of "%s" is %s', (text, window) => {
    expect(readAs(parseWindow(text))).toBe(window)
  })

  test.each([
    ['', null],
    ['1', 1_000],
    ['2.5', 2_500],
    ['3600', 3_600_000],
    ['3601', 'no'],
    ['0.5', 'no'],
    ['soon', 'no'],
  ])('"%s" seconds of at most an hour are %s ms', (text, ms) => {
    expect(readAs(parseSeconds(3_600_000)(text))).toBe(ms)
    if (typeof ms === 'number') expect(parseSeconds(3_600_000)(secondsText(ms))).toEqual({ ok: true, value: ms })
  })
})
