import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { parseMission } from '../../../core/missions/missions.ts'
import { definition } from './mission-world.ts'

const read = (text: string) => parseMission(new TextEncoder().encode(text), { zone: 'Europe/Berlin' })
const file = (lines: readonly string[], goal = 'Read the news.') => ['---', ...lines, '---', goal, ''].join('\n')
const plain = ['name: digest', 'description: About it.', 'cadence: "0 * * * *"']
/** Of a file with one more line. */
const problemsOf = (...lines: readonly string[]) => {
  const verdict = read(file([...plain, ...lines]))
  return verdict.ok ? [] : verdict.problems
}
const definitionOf = (lines: readonly string[], goal?: string) => {
  const verdict = read(file(lines, goal))
  return verdict.ok ? verdict.definition : expect.fail(JSON.stringify(verdict.problems))
}

test('a short file means what is usual', () => {
  expect(definitionOf(plain)).toEqual(definition({ zone: 'Europe/Berlin', dailyCap: limits.missionDailyCap }))
})

test('a whole file', () => {
  const lines = [
    ...[
      'name: tide-watch',
      'description: "Tides: each morning"',
      'cadence: 30 6 * * MON-FRI',
      'zone: America/New_York',
    ],
    ...[
      'success: The table is complete.',
      'focus: Start with Boston.',
      'missed: all',
      'catch-up: 3',
      'max-lateness: 2 h',
    ],
    ...['overlap: queue', 'daily-cap: 4', 'cooldown: 10 minutes', 'dedupe: 1 day', 'pause-after: 2'],
    ...['budget-tokens: 50000', 'budget-usd: 0.25', 'budget-steps: 20', 'budget-time: 15 min', 'tier: forte'],
    ...['skills: [tides]', 'actions:', '  - http', '  - write_file'],
  ]
  expect(definitionOf(lines, '\nNote the tides.\n\nIn a table.\n')).toEqual({
    ...{ name: 'tide-watch', description: 'Tides: each morning', goal: 'Note the tides.\n\nIn a table.' },
    ...{ success: 'The table is complete.', focus: 'Start with Boston.', zone: 'America/New_York' },
    cadence: { kind: 'cron', expression: '30 6 * * MON-FRI' },
    ...{ missed: 'all', catchUp: 3, maxLatenessMs: 7_200_000, overlap: 'queue', dailyCap: 4, cooldownMs: 600_000 },
    ...{ dedupeMs: 86_400_000, pauseAfter: 2, tier: 'forte', skills: ['tides'], actions: ['http', 'write_file'] },
    budget: { tokens: 50_000, usd: 0.25, steps: 20, ms: 900_000 },
  })
})

test.each([
  ['"*/5 9-17 * * 1-5"', { kind: 'cron', expression: '*/5 9-17 * * 1-5' }],
  ['"@daily"', { kind: 'cron', expression: '@daily' }],
  ['every 90 minutes', { kind: 'every', everyMs: 5_400_000 }],
  ['at 2028-02-29 09:00', { kind: 'once', day: '2028-02-29', time: '09:00' }],
  ['on thread-done', { kind: 'event', on: 'thread-done' }],
  ['webhook', { kind: 'webhook' }],
  ['manual', { kind: 'manual' }],
])('cadence: %s', (text, cadence) => {
  expect(definitionOf([...plain.slice(0, 2), `cadence: ${text}`]).cadence).toEqual(cadence)
})

test('what something else sets off may do so more often, and rests between two', () => {
  const event = definitionOf([...plain.slice(0, 2), 'cadence: webhook'])
  expect(event).toMatchObject({ dailyCap: limits.missionEventDailyCap, cooldownMs: limits.missionEventCooldownMs })
})

const eventFile = (on: string, ...lines: readonly string[]) =>
  file(['name: digest', 'description: About it.', `cadence: on ${on}`, ...lines])
const eventProblems = (on: string, ...lines: readonly string[]) => {
  const verdict = read(eventFile(on, ...lines))
  return verdict.ok ? [] : verdict.problems.map(({ line, message }) => `${line} ${message}`)
}

test('what counts of an event', () => {
  const only = (on: string, ...lines: readonly string[]) => {
    const verdict = read(eventFile(on, ...lines))
    return verdict.ok ? verdict.definition.cadence : expect.fail(JSON.stringify(verdict.problems))
  }
  expect(only('thread-done', 'each: 5')).toEqual({ kind: 'event', on: 'thread-done', only: { each: 5 } })
  const lines = ['projects: all', 'threads: missions', 'outcomes: [failed, budget]', "goal-matches: 'tides?\\b'"]
  expect(only('thread-ended', ...lines)).toEqual({
    ...{ kind: 'event', on: 'thread-ended' },
    only: { projects: 'all', threads: 'missions', outcomes: ['budget', 'failed'], goal: 'tides?\\b' },
  })
  expect(only('file-changed', 'paths: ["docs/**/*.md", "*.csv"]')).toMatchObject({
    only: { paths: ['docs/**/*.md', '*.csv'] },
  })
  expect(only('idle', 'idle-for: 20 minutes')).toMatchObject({ only: { idleMs: 1_200_000 } })
})

test.each([
  ['thread-done', 'paths: ["*.md"]', '5 paths means something only with on file-changed.'],
  ['file-changed', 'each: 5', '5 each means something only for threads.'],
  ['app-start', 'idle-for: 5 minutes', '5 idle-for means something only with on idle.'],
  ['thread-ended', 'outcomes: [well]', '5 There is no outcome well; '],
  ['thread-ended', 'outcomes: []', '5 There must be at least one outcome.'],
  ['thread-done', 'goal-matches: "(?<=a)b"', '5 goal-matches cannot be used'],
  ['thread-done', 'projects: mine', '5 projects must be one of own, all'],
  ['thread-done', 'each: 0', '5 each must be a whole number'],
  ['file-changed', 'paths: ["../other/*"]', '5 '],
  ['file-changed', 'paths: ["/etc/*"]', '5 /etc/* is not inside'],
  ['file-changed', 'paths: []', '5 There must be from 1 to'],
  ['thread-finished', 'each: 2', '4 on is followed by what sets it off'],
])('on %s, %s is refused', (on, line, message) => {
  expect(eventProblems(on, line)[0]).toContain(message)
})

test('limits: what counts of an event', () => {
  const pattern = (length: number) => eventProblems('thread-done', `goal-matches: ${'a'.repeat(length)}`)
  expect(pattern(limits.triggerPatternCharacters)).toEqual([])
  expect(pattern(limits.triggerPatternCharacters + 1)).toHaveLength(1)
  const paths = (count: number) =>
    eventProblems('file-changed', `paths: [${Array.from({ length: count }, (_each, n) => `f${n}.md`).join(', ')}]`)
  expect(paths(limits.triggerPaths)).toEqual([])
  expect(paths(limits.triggerPaths + 1)).toHaveLength(1)
  expect(eventProblems('thread-done', `each: ${limits.triggerEach}`)).toEqual([])
  expect(eventProblems('thread-done', `each: ${limits.triggerEach + 1}`)).toHaveLength(1)
  const idle = (ms: number) => eventProblems('idle', `idle-for: ${ms / 1_000} s`)
  expect(idle(limits.missionLeastIdleMs)).toEqual([])
  expect(idle(limits.missionLeastIdleMs - 1_000)).toHaveLength(1)
})

test.each([
  ['colour: red', 5, 'not a key'],
  ['zone: Mars/Olympus', 5, 'no time zone'],
  ['missed: never', 5, 'one of skip, once, all'],
  ['overlap: both', 5, 'one of skip, queue, cancel'],
  ['catch-up: 0', 5, 'a whole number'],
  ['catch-up: 1.5', 5, 'a whole number'],
  ['max-lateness: soon', 5, 'a time such as'],
  ['budget-usd: -1', 5, 'an amount'],
  ['tier: huge', 5, 'one of minuet'],
  ['skills: tides', 5, 'a list of names'],
  ['actions: [[a]]', 5, 'a list of names'],
  ['focus: ""', 5, 'must be a text'],
  ['success: [a]', 5, 'must be a text'],
  ['__proto__: x', 2, 'not allowed'],
  ['name: twice', 5, 'no YAML'],
])('“%s” is refused in line %i', (line, at, message) => {
  const [problem] = problemsOf(line)
  expect(problem?.message).toContain(message)
  expect(problem?.line).toBe(at)
})

test.each([
  ['"0 9 * *"', 'five fields'],
  ['"60 * * * *"', '(character 1)'],
  ['"0 0 31 2 *"', 'never fires'],
  ['every day', 'every is followed'],
  ['at 2026-02-30 09:00', 'that there are'],
  ['at noon', 'that there are'],
  ['on', 'on is followed'],
  ['webhook /a', 'stands alone'],
  ['daily', 'five fields'],
])('cadence: %s is refused in its line', (cadence, message) => {
  const verdict = read(file([...plain.slice(0, 2), `cadence: ${cadence}`]))
  expect(verdict).toMatchObject({
    ok: false,
    problems: [{ line: 4, key: 'cadence', message: expect.stringContaining(message) }],
  })
})

test('all that is wrong is told at once, in the order of the file', () => {
  const verdict = read(file(['name: Two Words', 'cadence: daily', 'tier: huge'], ''))
  const places = verdict.ok ? [] : verdict.problems.map(({ line, key }) => [line, key])
  expect(places).toEqual([
    [2, 'name'],
    [3, 'cadence'],
    [4, 'tier'],
    [6, 'goal'],
  ])
})

test.each([
  ['no front matter', 'Read the news.', 1],
  ['another language', '---js\nname: x\n---\n', 1],
  ['no end of it', '---\nname: x\n', 1],
  ['a description that YAML reads otherwise', '---\nname: x\ndescription: a: b\ncadence: manual\n---\nGo.\n', 3],
])('%s is refused', (_name, text, line) => {
  expect(read(text)).toMatchObject({ ok: false, problems: [{ line }] })
})

test('limits: what is caught up, how often, how long a goal is', () => {
  expect(problemsOf(`catch-up: ${limits.missionCatchUp}`)).toEqual([])
  expect(problemsOf(`catch-up: ${limits.missionCatchUp + 1}`)).toHaveLength(1)
  const every = (ms: number) => read(file([...plain.slice(0, 2), `cadence: every ${ms / 1_000} s`])).ok
  expect(every(limits.missionEveryMs)).toBe(true)
  expect(every(limits.missionEveryMs - 1_000)).toBe(false)
  const goal = 'g'.repeat(limits.missionGoalCharacters)
  expect(read(file(plain, goal)).ok).toBe(true)
  expect(read(file(plain, `${goal}g`)).ok).toBe(false)
})
