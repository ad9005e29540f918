import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePattern } from '../../../core/skills/file/pattern.ts'
import { readSkillLibrary } from '../../../core/skills/library.ts'
import { literalForm, requiredLiterals } from '../../../core/skills/required-literals.ts'
import { createSkillSelector } from '../../../core/skills/select.ts'
import { createSkillIndex } from '../../../core/skills/skill-index.ts'
import { goalTextOf } from '../../../core/skills/terms.ts'
import { contentDir } from '../../support/engine.ts'
import { createNaiveIndex } from './naive-index.ts'
import { skillOf } from './skill-files.ts'

const words = [
  'issue',
  'issues',
  'git',
  'github',
  'pull',
  'request',
  'c++',
  'e-mail',
  'mail',
  '天気',
  'ing',
  's',
  "what's",
]
const word = fc.constantFrom(...words)
const term = fc.oneof(
  word,
  fc.array(word, { minLength: 2, maxLength: 3 }).map((parts) => parts.join(' ')),
)
const terms = fc.array(term, { maxLength: 4 })
const patternOf = fc.constantFrom(
  ...[
    '(?i)list.*issue',
    '\\bgit\\b',
    'c\\+\\+',
    '(pull|mail) request',
    'x?',
    '[a-g]it',
    '(?i:GITHUB)+',
    '天気',
    's{2,}',
    'K',
  ],
)
const skills = fc
  .array(
    fc.record({
      ...{ keywords: terms, excluded: fc.array(term, { maxLength: 1 }), tags: terms },
      patterns: fc.array(patternOf, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((texts) => texts.map((text, at) => skillOf(`skill-${(at * 7) % 12}-${at}`, text)))
const gap = fc.constantFrom(' ', '  ', '\n', ', ', '. ', '-', '', '/', 's ', 'ed ', 'es ', 'ing ', '’s ')
const goal = fc
  .array(fc.tuple(fc.oneof(word, fc.string({ maxLength: 4 })), gap), { maxLength: 12 })
  .map((parts) => parts.flat().join(''))

test('on any skills and any goal it finds what looking at each skill finds, and the same are chosen', () => {
  fc.assert(
    fc.property(skills, goal, (library, text) => {
      const asked = goalTextOf(text)
      const signs = createSkillIndex(library).signsIn(asked)
      const expected = createNaiveIndex(library).signsIn(asked)
      for (const at of library.keys()) expect(signs.get(at) ?? null).toEqual(asTally(expected.get(at)))
      const question = {
        ...{ text, isPersons: true, active: [], inherited: [], carried: [] },
        ...{ missing: () => [], confidence: () => null },
      }
      const all = library.length
      expect(createSkillSelector(library).select(question, all)).toEqual(
        createSkillSelector(library, createNaiveIndex).select(question, all),
      )
    }),
    { numRuns: 500 },
  )
})

/** The index remembers where a veto stands, so that of several the first counts. */
function asTally(signs: object | undefined) {
  return signs === undefined ? null : expect.objectContaining(signs)
}

test.each([
  ['(?i)\\bjira\\b', ['jira']],
  ['(?i)github\\.com/[\\w.-]+/[\\w.-]+', ['github.com/']],
  ['(create|file|close).*\\blinear\\b', ['linear']],
  ['(open|close)\\s+x', ['open', 'close']],
  ['colou?r', ['colo']],
  ['(?:abc)+d', ['abc']],
  ['a{0,3}bcd', ['bcd']],
  ['a{2}', null],
  ['abc|', null],
  ['(?i)\\b[\\w.-]+/[\\w.-]+#\\d+', null],
  ['\\Qa.b\\E', null],
  ['straße', ['stra']],
  ['[]abc]xyz', ['xyz']],
  ['[[:alpha:]\\]]+tide', ['tide']],
  ['\\p{Greek}tide\\x{41}', ['tide']],
  ['(?P<name>tide)s', ['tides']],
  ['', null],
] as const)('every match of %s holds one of %j', (pattern, literals) => {
  expect(requiredLiterals(pattern)).toEqual(literals)
})

const piece = fc.constantFrom(
  ...[
    'ab',
    'k',
    's',
    'S',
    '\\.',
    '.',
    '\\d',
    '[a-c]',
    '[^a]',
    '\\b',
    '(?i)',
    '^',
    '$',
    '\\w',
    'ß',
    '\\pL',
    'x{0,2}',
    '\\x41',
  ],
)
const pattern: fc.Arbitrary<string> = fc.letrec<{ one: string; all: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    piece,
    fc.tuple(tie('all'), fc.constantFrom('', '*', '+', '?', '{2}', '*?')).map(([inside, more]) => `(${inside})${more}`),
    tie('all').map((inside) => `(?i:${inside})`),
  ),
  all: fc
    .array(fc.array(tie('one'), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((choices) => choices.map((parts) => parts.join('')).join('|')),
})).all

test('a text that a pattern matches holds one of the texts that it needs', { timeout: 120_000 }, () => {
  const text = fc.array(fc.constantFrom('ab', 'AB', 'k', '\u212a', 's', '\u017f', '.', '1', 'A', 'x', 'ß', ' ', 'c'), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(
      pattern,
      text.map((parts) => parts.join('')),
      (source, subject) => {
        const compiled = compilePattern(source)
        const literals = requiredLiterals(source)
        if (typeof compiled === 'string' || literals === null || !compiled.test(subject)) return
        expect(literals.some((literal) => literalForm(subject).includes(literal))).toBe(true)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('of the bundled skills most patterns are tried only where their text stands', () => {
  const all = readSkillLibrary(`${contentDir}/skills`).skills.flatMap(({ activation }) => activation.patterns)
  expect(all.filter((each) => requiredLiterals(each) === null).length).toBeLessThan(all.length / 3)
})
