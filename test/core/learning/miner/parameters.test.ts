import { describe, expect, test } from 'vitest'
import { activationOf, isOffered, recallOf } from '../../../../core/learning/miner/activation.ts'
import { goalPattern } from '../../../../core/learning/miner/goal-pattern.ts'
import { createParameterBook } from '../../../../core/learning/miner/parameter-book.ts'
import { nameParameters, patternOf } from '../../../../core/learning/miner/parameters.ts'

describe('how a parameter is found in a goal', () => {
  test.each<[string, readonly string[], readonly string[], string | null]>([
    ['by its shape', ['A-2039', 'A-2082'], ['Refund A-2039 now', 'the order A-2082'], '\\b(A-\\d{4})\\b'],
    [
      'by how it begins',
      ['exports/a.csv', 'exports/bc.csv'],
      ['Put it into exports/a.csv.', 'exports/bc.csv, please'],
      '(exports/[\\w./-]*\\w)',
    ],
    [
      'by the word before it',
      ['delta', 'grove'],
      ['issues of delta that are open', 'all of grove now'],
      '\\bof[\\s:"\'=]+([\\w.-]*\\w)',
    ],
    ['not at all where its neighbours differ', ['delta', 'grove'], ['for delta now', 'grove has them'], null],
    ['not by a pattern that finds another word first', ['A-2', 'A-3'], ['like A-1, but A-2', 'only A-3'], null],
  ])('%s', (_, values, goals, pattern) => {
    expect(patternOf(values, goals)).toBe(pattern)
  })

  test('signs that mean something in a pattern stand for themselves', () => {
    const pattern = patternOf(['a+b(1', 'a+b(2'], ['do a+b(1', 'do a+b(2'])
    expect(goalPattern(pattern ?? '').valueIn('now a+b(7')).toBe('a+b(7')
  })
})

describe('names', () => {
  const named = (
    add: (book: ReturnType<typeof createParameterBook>) => readonly string[],
    taken: readonly string[] = [],
  ) => {
    const book = createParameterBook()
    const code = add(book).join(' ')
    const names = nameParameters(book.found, { code, goals: ['', ''], taken: new Set(taken) })
    return { names: names.parameters.map(({ name, type }) => [name, type]), code: names.name(code) }
  }

  test('one that another gives is left out', () => {
    const { names, code } = named((book) => [
      book.add(['press', 'alumni'], { usedAs: 'segment' }),
      book.add(['exports/press.csv', 'exports/alumni.csv'], { usedAs: 'path' }),
    ])
    expect(names).toEqual([['path', 'path']])
    expect(code).toBe('_stem(path) path')
  })

  test('the same values are one, and what nothing uses is none', () => {
    const { names } = named((book) => {
      book.add(['unused', 'other'], { usedAs: 'x' })
      return [book.add(['1', '2'], { usedAs: 'number' }), book.add(['1', '2'], { usedAs: 'again' })]
    })
    expect(names).toEqual([['number', 'int']])
  })

  test('no name hides a function of the host or of its own, a word of Python or another one', () => {
    const add = (book: ReturnType<typeof createParameterBook>) => [
      book.add(['a1', 'a2'], { usedAs: 'table' }),
      book.add(['b1', 'b2'], { usedAs: 'from' }),
      book.add(['c1', 'c2'], { usedAs: 'siteName' }),
      book.add(['d1', 'd2'], { usedAs: 'site_name' }),
      book.add(['e1', 'e2'], { usedAs: '_field' }),
    ]
    expect(named(add, ['table']).names.map(([name]) => name)).toEqual([
      'table_value',
      'id',
      'site_name',
      'site_name_value',
      'id_value',
    ])
  })
})

describe('when it is offered', () => {
  const skill = {
    goals: ['Refund the order A-1, please', 'Order A-2: the buyer wants a refund', 'Process a refund of order A-3'],
    masked: [['A-1'], ['A-2'], ['A-3']],
    others: ['Write a report about the weather', 'Convert the trip to euros', 'How many open orders do we have today?'],
    patterns: ['\\b(A-\\d)\\b'],
    values: [['A-1', 'A-2', 'A-3']],
    checkTime() {},
  }
  const activation = activationOf(skill)

  test('by words that tell its goals from all others', () => {
    expect(activation.keywords).toEqual(['refund', 'order'])
    expect(isOffered(activation, 'Can you refund order A-9?')).toBe(true)
    expect(isOffered(activation, 'How many open orders do we have today?')).toBe(false)
    expect(isOffered(activation, 'What is A-9?')).toBe(false)
  })

  test('never by words of goals of every kind', () => {
    const every = {
      ...skill,
      goals: ['Please make the new file', 'Please open the new file', 'Please read the new file'],
      masked: [[], [], []],
      patterns: [],
      values: [],
    }
    expect(activationOf(every).keywords).toEqual([])
  })

  test('goals that it would be offered for wrongly give it words to stay away', () => {
    const wrong = [
      'Explain the refund order A-7 law',
      'The law of order and refund',
      'What does law say of a refund order',
    ]
    const careful = activationOf({ ...skill, others: [...skill.others, ...wrong] })
    expect(careful.excludeKeywords).toContain('law')
    expect(isOffered(careful, 'The law: refund of order A-4')).toBe(false)
    expect(isOffered(careful, 'Refund of order A-4')).toBe(true)
  })

  test('a word of its own values never keeps it away', () => {
    const others = ['gone refund order A-7', 'gone order refund A-8', 'gone: order, refund']
    const goals = [
      'Refund order A-1 into gone-a.txt',
      'Order A-2: a refund into gone-b.txt',
      'A refund of order A-3 into gone-c.txt',
    ]
    const masked = [
      ['A-1', 'gone-a.txt'],
      ['A-2', 'gone-b.txt'],
      ['A-3', 'gone-c.txt'],
    ]
    expect(
      activationOf({ ...skill, goals, masked, others: [...skill.others, ...others] }).excludeKeywords,
    ).not.toContain('gone')
  })

  test('signs that other goals have too are left out, as long as its own goals are found', () => {
    const goals = [
      'Count red kites in May',
      'Count red kites in June',
      'Count red kites in July',
      'Count red kites now',
    ]
    const others = [
      'Count red deer in May',
      'Count red foxes in June',
      'Count red ants',
      'What is new?',
      'Tell me more',
      'Go on',
    ]
    const narrow = activationOf({
      goals,
      masked: goals.map(() => []),
      others,
      patterns: [],
      values: [],
      checkTime() {},
    })
    expect(goals.every((goal) => isOffered(narrow, goal))).toBe(true)
    expect(others.some((goal) => isOffered(narrow, goal))).toBe(false)
  })

  test('a parameter with few values, said again and again, is a word of this work', () => {
    const sites = {
      ...skill,
      values: [['graz', 'turku', 'graz', 'turku']],
      goals: ['value at graz', 'turku stock', 'worth in graz', 'turku units'],
      masked: [[], [], [], []],
      patterns: [],
    }
    expect(activationOf(sites).patterns).toContain('\\b(graz|turku)\\b')
  })

  test('its recall is that over goals which it has not seen', () => {
    expect(recallOf(skill)).toBe(1)
    const goals = ['red apples today', 'blue pears tomorrow', 'green plums at noon', 'grey figs later']
    expect(recallOf({ ...skill, goals, masked: goals.map(() => []), patterns: [], values: [] })).toBe(0)
  })
})
