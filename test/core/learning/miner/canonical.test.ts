import { expect, test } from 'vitest'
import { callsOf, canonicalCall } from '../../../../core/learning/miner/canonical.ts'
import { busy, failed, got, readFile, sent } from './recorder.ts'
import { episode } from './worked.ts'

const keyOf = (action: string, args: Parameters<typeof canonicalCall>[0]['args']) => canonicalCall({ action, args }).key

test('what is asked in the address and beside it is one request', () => {
  const inUrl = keyOf('http', { method: 'get', url: 'https://a.example/x?b=2&a=1#top' })
  expect(inUrl).toBe(keyOf('http', { query: { a: '1', b: 2 }, url: 'https://a.example/x' }))
  expect(inUrl).not.toBe(keyOf('http', { query: { a: '1', b: 3 }, url: 'https://a.example/x' }))
})

test('a path is one path, however it is written', () => {
  expect(keyOf('read_file', { path: './docs\\a.md' })).toBe(keyOf('read_file', { path: 'docs/a.md' }))
  expect(keyOf('list_files', { path: 'docs/' })).toBe(keyOf('list_files', { path: 'docs' }))
  expect(keyOf('list_files', { path: '.' })).toContain('"."')
})

test('a failed call is left out, and one that was made again after "later" stands once, marked', () => {
  const asked = got('https://a.example/x', {}, { ok: 1 })
  const calls = callsOf(
    episode('thread 1', 'go', [
      [failed(asked)],
      [busy(asked)],
      [busy(asked)],
      [asked],
      [readFile('a.md', 'x')],
      [asked],
    ]),
  )
  expect(calls.map(({ action, isRetried }) => [action, isRetried])).toEqual([
    ['http', true],
    ['read_file', false],
    ['http', false],
  ])
})

test('a request that may change something is a write', () => {
  const calls = callsOf(
    episode('thread 1', 'go', [[got('https://a.example/x', {}, 1), sent('POST', 'https://a.example/x', {})]]),
  )
  expect(calls.map(({ isWrite }) => isWrite)).toEqual([false, true])
})

test('a path of slashes alone takes no longer than it is', () => {
  const path = `${'/'.repeat(200_000)}x`
  expect(canonicalCall({ action: 'read_file', args: { path } }).args.path).toBe(path)
  expect(canonicalCall({ action: 'read_file', args: { path: `a${'/'.repeat(200_000)}` } }).args.path).toBe('a')
})
