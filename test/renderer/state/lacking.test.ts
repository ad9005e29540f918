import { expect, test } from 'vitest'
import { failedRequestsOf, lackingIn, lackingOf } from '../../../renderer/state/lacking.ts'
import { callRow } from '../support.ts'

const named = { skill: 'github', credential: 'github_token' }
const error = { code: 'http.credential', message: 'm', userMessage: 'u', retryable: false, data: named }

test('a request that lacked its credential names the skill; any other failure names none', () => {
  expect(lackingOf({ error })).toEqual(named)
  expect(lackingOf({ error: { ...error, code: 'http.timeout' } })).toBeNull()
  expect(lackingOf({ error: { ...error, data: { skill: 'github' } } })).toBeNull()
  expect(lackingOf('no')).toBeNull()
  expect(lackingIn(undefined)).toBeNull()
})

test('only requests that failed are looked into, the newest of many', () => {
  const row = (path: string, patch: Parameters<typeof callRow>[0]) =>
    callRow({ kind: 'action', name: 'http', state: 'failed', path, ...patch })
  const table = {
    a: row('1', { endSeq: 9 }),
    b: row('2', { endSeq: 4 }),
    c: row('3', { endSeq: 5, state: 'done' }),
    d: row('4', { endSeq: 6, name: 'read_file' }),
    e: row('5', { endSeq: null, state: 'started' }),
  }
  expect(failedRequestsOf(table)).toEqual([4, 9])
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [String(at), row(String(at), { endSeq: at })]))
  expect(failedRequestsOf(many)).toHaveLength(20)
  expect(failedRequestsOf(many).at(-1)).toBe(29)
})
