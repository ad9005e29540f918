import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { cronSchedule } from '../../../core/missions/cron.ts'
import { previewCron } from '../../../core/missions/missions.ts'
import { random, randomExpression, runCron, zones } from '../../campaigns/cron.ts'

const [, ...rows] = readFileSync(path.join(import.meta.dirname, 'corpus/cron.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
const corpus = rows.map((row) => {
  const [id = '', expression = '', zone = '', reference = '', expected = '', ...rest] = row.split('\t')
  return {
    id,
    expression: String(JSON.parse(expression)),
    zone,
    from: Date.parse(reference),
    expected,
    next: rest.slice(0, 3),
    note: rest[5] ?? '',
  }
})
const iso = (at: number) => new Date(at).toISOString()
const utc = (
  expression: string,
  more: { readonly zone?: string; readonly from?: string; readonly count?: number } = {},
) =>
  previewCron({
    expression,
    zone: more.zone ?? 'UTC',
    from: Date.parse(more.from ?? '2026-01-01T00:00:00Z'),
    ...(more.count !== undefined && { count: more.count }),
  })

test('the corpus has its 34 rows', () => {
  expect(corpus).toHaveLength(34)
})

test.each(corpus.filter((row) => row.expected === 'fires'))('$id: “$expression” in $zone: $note', (row) => {
  const preview = previewCron({ ...row, count: 3 })
  expect(preview.ok && preview.next.map(({ at }) => iso(at))).toEqual(row.next)
})

test.each(corpus.filter((row) => row.expected === 'reject'))('$id: “$expression” in $zone is refused: $note', (row) => {
  const preview = previewCron(row)
  expect(preview).toMatchObject({ ok: false, message: expect.stringMatching(/\w.*\.$/) })
})

test.each([
  ['', 'cron.empty', undefined],
  ['   ', 'cron.empty', undefined],
  ['@reboot', 'cron.nickname', 0],
  ['  @often', 'cron.nickname', 2],
  ['* * * *', 'cron.fields', 7],
  ['0 9 * * 1 2026', 'cron.fields', 10],
  ['0 0 9 * * 1', 'cron.fields', 10],
  ['60 * * * *', 'cron.range', 0],
  ['0 24 * * *', 'cron.range', 2],
  ['0 0 0 * *', 'cron.range', 4],
  ['0 0 1,32 * *', 'cron.range', 6],
  ['0 0 * 13 *', 'cron.range', 6],
  ['0 0 * * 8', 'cron.range', 8],
  ['0 0 * * 1-8', 'cron.range', 10],
  ['0 0 * * MOON', 'cron.range', 8],
  ['0 0 * MON *', 'cron.range', 6],
  ['0 22-2 * * *', 'cron.reversed', 5],
  ['*/0 * * * *', 'cron.step', 2],
  ['*/61 * * * *', 'cron.step', 2],
  ['5/15 * * * *', 'cron.step', 1],
  ['0 0 L * *', 'cron.range', 4],
  ['0 0 * * 5#2', 'cron.character', 9],
  ['0 0 ? * *', 'cron.character', 4],
  ['0,,1 * * * *', 'cron.character', 2],
  ['0 9 * * 1-', 'cron.character', 8],
  ['0 0 31 2 *', 'cron.never', 4],
  ['0 0 31 4,6,9,11 *', 'cron.never', 4],
])('“%s” is refused with %s at %s', (expression, code, position) => {
  const refused = utc(expression)
  expect(refused).toMatchObject({ ok: false, code })
  expect(refused).toHaveProperty('message')
  expect('position' in refused ? refused.position : undefined).toBe(position)
})

test('what would be right is offered in the place of what is wrong', () => {
  const message = (expression: string) => ('message' in utc(expression) ? utc(expression) : undefined)
  expect(message('5/15 * * * *')).toMatchObject({ message: expect.stringContaining('5-59/15') })
  expect(message('0 22-2 * * *')).toMatchObject({ message: expect.stringContaining('22-23 and 0-2') })
})

test.each(['Mars/Olympus', '', '+02:00', 'Z', 'Europe/Berlin2'])('the zone “%s” is refused', (zone) => {
  expect(utc('0 9 * * *', { zone })).toMatchObject({ ok: false, code: 'cron.zone' })
})

test('29 February and a day that only some months have do fire', () => {
  expect(utc('0 0 29 2 *', { from: '2096-03-01T00:00:00Z', count: 1 })).toMatchObject({
    next: [{ at: Date.parse('2104-02-29T00:00:00Z') }],
  })
  expect(utc('0 0 31 2,3 *', { count: 1 })).toMatchObject({ next: [{ at: Date.parse('2026-03-31T00:00:00Z') }] })
  expect(utc('0 0 31 2 1', { count: 1 })).toMatchObject({ next: [{ at: Date.parse('2026-02-02T00:00:00Z') }] })
})

test.each([
  ['0 9 1 * 1', 'At 09:00, on day 1 of the month, or on Monday'],
  ['0 9 * * MON-FRI', 'At 09:00, Monday through Friday'],
  ['0 9 * * SAT-SUN', 'At 09:00, Saturday through Sunday'],
  ['*/7 * * * *', 'Every 7 minutes'],
  ['@daily', 'At 00:00'],
])('“%s” reads “%s”', (expression, words) => {
  expect(utc(expression)).toMatchObject({ ok: true, words })
})

test('five instants are shown, in local time, with the clock change marked and said', () => {
  const spring = utc('30 2 * * *', { zone: 'America/New_York', from: '2026-03-07T12:00:00Z' })
  expect(spring.ok && spring.next.map(({ local, clockChange }) => [local, clockChange])).toEqual([
    ['2026-03-08 03:00', 'skipped'],
    ['2026-03-09 02:30', null],
    ['2026-03-10 02:30', null],
    ['2026-03-11 02:30', null],
    ['2026-03-12 02:30', null],
  ])
  expect(spring.ok && spring.notes).toEqual([
    'Clock change: on 2026-03-08 that time does not exist in America/New_York; it fires at 03:00, when the clocks have moved.',
  ])
  const autumn = utc('30 1 * * *', { zone: 'America/New_York', from: '2026-10-31T12:00:00Z', count: 2 })
  expect(autumn.ok && autumn.next.map(({ clockChange }) => clockChange)).toEqual(['repeated', 'shifted'])
  expect(autumn.ok && autumn.notes[0]).toContain('the first time only')
  const both = utc('*/30 * * * *', { zone: 'America/New_York', from: '2026-11-01T05:15:00Z', count: 3 })
  expect(both.ok && both.next.map(({ local, clockChange }) => [local, clockChange])).toEqual([
    ['2026-11-01 01:30', 'repeated'],
    ['2026-11-01 01:00', 'repeated'],
    ['2026-11-01 01:30', 'repeated'],
  ])
  expect(both.ok && both.notes[0]).toContain('both times')
})

test('that one of two kinds of days is enough is said', () => {
  expect(utc('0 9 1 * 1')).toMatchObject({ notes: [expect.stringContaining('one of them is enough')] })
  expect(utc('0 9 1 * *')).toMatchObject({ notes: [] })
})

test('a preview shows no more instants than its limit', () => {
  const asked = utc('* * * * *', { count: limits.cronPreview + 1 })
  expect(asked.ok && asked.next).toHaveLength(limits.cronPreview)
})

test('the newest instants up to a moment are those of the walk forward, the moment among them', () => {
  const schedule = cronSchedule('*/20 9-10 * * *', 'Europe/Berlin')
  if ('code' in schedule) return expect.fail(schedule.message)
  const at = Date.parse('2026-01-02T08:20:00Z')
  expect(schedule.newestUntil(at, 3).map(iso)).toEqual([
    '2026-01-02T08:20:00.000Z',
    '2026-01-02T08:00:00.000Z',
    '2026-01-01T09:40:00.000Z',
  ])
  expect(schedule.newestUntil(at - 1, 1).map(iso)).toEqual(['2026-01-02T08:00:00.000Z'])
})

test('random expressions in ten zones around ten years of clock changes are those of the day-walking oracle', () => {
  const figures = runCron({ expressions: 5, zones: 10, years: 10, seed: 11 })
  expect(figures.differences).toEqual([])
  expect(figures.instants).toBeGreaterThan(2_000)
})

test('the oracle sees a schedule that skips what the clocks skip', () => {
  const lenient = (expression: string, zone: string, at: number) => {
    const schedule = cronSchedule(expression, zone)
    if ('code' in schedule) throw new Error(schedule.message)
    const next = schedule.after(at)
    const preview = previewCron({ expression, zone, from: at, count: 1 })
    return preview.ok && preview.next[0]?.clockChange === 'skipped' ? schedule.after(next) : next
  }
  expect(runCron({ expressions: 12, zones: 2, years: 2, seed: 3, next: lenient }).differences).not.toEqual([])
})

test('every random expression is accepted, and each next instant is later than the one before', () => {
  const chance = random(5)
  for (let n = 0; n < 300; n += 1) {
    const expression = randomExpression(chance)
    const schedule = cronSchedule(expression, zones[n % zones.length] ?? 'UTC')
    if ('code' in schedule) return expect.fail(`${expression}: ${schedule.message}`)
    let last = Date.parse('2026-03-20T00:00:00Z')
    for (let step = 0; step < 5; step += 1) {
      const next = schedule.after(last)
      expect(next).toBeGreaterThan(last)
      last = next
    }
  }
})
