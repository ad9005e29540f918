import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../../core/models/planner/intents/compound.ts'
import { findDates, readDay } from '../../../../core/models/planner/language/dates.ts'
import { expressionIn } from '../../../../core/models/planner/language/expression.ts'
import { lemmaOf, wordsOf } from '../../../../core/models/planner/language/lemma.ts'
import { readRequest } from '../../../../core/models/planner/language/reading.ts'
import { isOneSlipApart } from '../../../../core/models/planner/language/spelling.ts'
import { tokenize } from '../../../../core/models/planner/language/tokens.ts'

describe('tokens', () => {
  it.each([
    ['show docs/a.md', ['word:show', 'path:docs/a.md']],
    ['lines 10-20', ['word:lines', 'number:10', 'sign:-', 'number:20']],
    ['12/4 and 3*4', ['number:12', 'sign:/', 'number:4', 'word:and', 'number:3', 'sign:*', 'number:4']],
    ['*.md over 1.5MB', ['glob:*.md', 'word:over', 'number:1.5', 'word:MB']],
    ['all .csv files.', ['word:all', 'extension:.csv', 'word:files', 'sign:.']],
    ['find "free trial" in `a b.txt`', ['word:find', 'quoted:free trial', 'word:in', 'quoted:a b.txt']],
    ['1,234.50', ['number:1,234.50']],
  ])('%s', (text, expected) => {
    expect(tokenize(text).map((t) => `${t.kind}:${t.text}`)).toEqual(expected)
  })
})

describe('words', () => {
  it('takes plural and possessive endings off', () => {
    expect(['orders', 'countries', 'boxes', "Anna's", 'status', 'people'].map((w) => lemmaOf(w.toLowerCase()))).toEqual(
      ['order', 'country', 'box', 'anna', 'status', 'person'],
    )
  })

  it('splits the names of columns and files', () => {
    expect(wordsOf('unitPrice')).toEqual(['unit', 'price'])
    expect(wordsOf('Order No')).toEqual(['order', 'no'])
    expect(wordsOf('sales-report_2025')).toEqual(['sale', 'report', '2025'])
  })

  it('sees one slip of the keyboard', () => {
    expect(isOneSlipApart('foldr', 'folder')).toBe(true)
    expect(isOneSlipApart('liens', 'lines')).toBe(true)
    expect(isOneSlipApart('bigger', 'biggest')).toBe(false)
    expect(isOneSlipApart('life', 'line')).toBe(true)
    expect(isOneSlipApart('file', 'line')).toBe(false)
  })
})

describe('dates in a request', () => {
  it.each([
    ['files changed in the last 7 days', { kind: 'past', amount: 7, unit: 'day' }],
    ['orders in March 2025', { kind: 'month', month: 3, year: '2025' }],
    ['sales in march', { kind: 'month', month: 3, year: null }],
    ['total in 2025', { kind: 'year', year: '2025' }],
    ['changed this week', { kind: 'current', unit: 'week', offset: 0 }],
    ['Q3 2025 sales', { kind: 'quarter', quarter: 3, year: '2025' }],
    ['since 1 March 2026', { kind: 'day', text: '1 march 2026' }],
    ['until Christmas', { kind: 'day', text: '25 December' }],
    ['3 weeks ago', { kind: 'ago', amount: 3, unit: 'week' }],
  ])('%s', (text, spec) => {
    expect(findDates(text, []).map((d) => d.spec)).toEqual([spec])
  })

  it.each(['may I see the notes', 'lines 10-20', 'orders over 2000', 'what is 12/4', 'top 5 in sat'])(
    'none in: %s',
    (text) => {
      expect(findDates(text, [])).toEqual([])
    },
  )

  it('reads a day without a year as the next one, or the one of this year', () => {
    expect(readDay('24 december', '2026-03-10', true)).toBe('2026-12-24')
    expect(readDay('1 january', '2026-03-10', true)).toBe('2027-01-01')
  })
})

describe('arithmetic in words', () => {
  it.each([
    ['What is 17 % of 349.90?', '17 / 100 * 349.90'],
    ['calculate 12 * (3 + 4)', '12 * (3 + 4)'],
    ['what is 1,200 divided by 4?', '1200 / 4'],
    ['add 19% to 250', '250 * (1 + 19 / 100)'],
    ['15% off 80', '80 * (1 - 15 / 100)'],
    ['what percent of 180 is 45', '45 / 180 * 100'],
    ['the sum of 3, 4 and 5', '3 + 4 + 5'],
    ['square root of 144', 'sqrt(144)'],
    ['half of 90', '90 / 2'],
    ['round 2/3 to 2 decimals', 'round((2/3), 2)'],
    ['could you please work out 5 times 6', '5 * 6'],
    ['How much is €12.50 plus €3?', '12.50 + 3'],
  ])('%s', (text, expression) => {
    expect(expressionIn(text)).toBe(expression)
  })

  it.each([
    'how many files',
    '2026-03-01',
    'sum of amount in orders.csv',
    '7',
    'show lines 3 to 5',
    '15% of the total',
  ])('none in: %s', (text) => {
    expect(expressionIn(text)).toBeUndefined()
  })
})

describe('verbs that lead a clause', () => {
  const beyond = (text: string) =>
    readRequest(text, { correct: false })
      .units.filter((u) => u.kind === 'beyond')
      .map((u) => u.text)

  it('are seen behind courtesy, and behind "and"', () => {
    expect(beyond('Could you please delete all logs')).toEqual(['delete'])
    expect(beyond('count the rows and email it to Bob')).toEqual(['email'])
  })

  it('are ordinary words elsewhere', () => {
    expect(beyond('how many emails mention delete')).toEqual([])
    expect(beyond('list logs and test files')).toEqual([])
    expect(beyond('which orders have the status open')).toEqual([])
  })
})

describe('requests of several parts', () => {
  it('splits where a new question begins', () => {
    expect(partsOf('How many files are there and what is their size?')).toEqual([
      'How many files are there',
      'what is their size?',
    ])
    expect(partsOf('find "war and what follows" in a.txt')).toEqual(['find "war and what follows" in a.txt'])
    expect(partsOf('compare a.csv and b.csv')).toEqual(['compare a.csv and b.csv'])
  })
})
