import { afterAll, expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { goalPattern } from '../../../../core/learning/miner/goal-pattern.ts'
import { patternOf } from '../../../../core/learning/miner/parameters.ts'
import { minerForTests, sandboxForTests } from './sandbox.ts'
import { episode } from './worked.ts'

const sandbox = sandboxForTests()
afterAll(() => sandbox.close())

const dots = (count: number) => `Contents ${'.'.repeat(count)} end`
const named = ['plans/aa/alpha.md', 'lists/aa/beta one.md', 'notes/aa/gamma rho.md']
const goals = named.map((name, at) => `${['Print', 'Send', 'Mail'][at]} "${name}" draft digest`)

test('a pattern between two words ends on a goal that an engine which backtracks would not come out of', () => {
  const pattern = patternOf(named, goals)
  expect(pattern).toContain('draft')
  expect(goalPattern(pattern ?? '').valueIn(dots(limits.skillGoalCharacters))).toBeUndefined()
  expect(goalPattern(pattern ?? '').valueIn('Read "texts/aa/delta four.md" draft')).toBe('texts/aa/delta four.md')
})

test('so does one whose repeats stand within repeats', () => {
  expect(goalPattern('((a+)+)+b').isIn('a'.repeat(limits.skillGoalCharacters))).toBe(false)
})

test('a goal is looked at so far and no further', () => {
  const { isIn } = goalPattern('\\bend\\b')
  expect(isIn(`${' '.repeat(limits.skillGoalCharacters - 3)}end`)).toBe(true)
  expect(isIn(`${' '.repeat(limits.skillGoalCharacters - 2)}end`)).toBe(false)
})

test('what the engine does not take is in no goal', () => {
  expect(goalPattern('(?=a)').isIn('a')).toBe(false)
  expect(goalPattern('\\d{1001}').valueIn('1'.repeat(1001))).toBeUndefined()
})

test('mining ends beside another goal that is one long run of dots', async () => {
  const look = (at: number) =>
    ['read_file', 'file_facts', 'search_files', 'trace_it'].map((action) => [
      { action, args: { path: named[at] ?? '' }, result: { size: at + 7, key: `${action} ${at}` } },
    ])
  const [first, second, third] = goals.map((goal, at) => ({
    ...episode(`draft ${at}`, goal, look(at), `Size ${at + 7}`),
    endedAt: at * 90_000_000,
  }))
  if (first === undefined || second === undefined || third === undefined) throw new Error('three threads')
  const other = episode('other 9', dots(limits.skillGoalCharacters - 20), [
    [{ action: 'calculate', args: { expression: '1 + 2' }, result: { value: 3 } }],
  ])
  const miner = minerForTests(sandbox, () => 0)
  const found = await miner.mine({ thread: third, kept: [first, second, other], known: [] })
  expect(found).toMatchObject({ kind: 'mined', support: { length: 3 } })
  expect(JSON.stringify(found)).toContain('draft')
})
