import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unifiedDiff } from '../../../core/cli/diff.ts'
import { temporaryFolder } from '../../support/engine.ts'

const textOf = (before: string | null, after: string | null) =>
  unifiedDiff('a.txt', before, after).map(({ text }) => text)

test.each([
  ['nothing', 'a\n', 'a\n', []],
  ['a line', 'a\nb\nc\n', 'a\nB\nc\n', ['--- a.txt', '+++ a.txt', '@@ -1,3 +1,3 @@', ' a', '-b', '+B', ' c']],
  ['a new file', null, 'a\n', ['--- /dev/null', '+++ a.txt', '@@ -0,0 +1,1 @@', '+a']],
  ['an empty new file', null, '', ['--- /dev/null', '+++ a.txt']],
  ['a file that goes', 'a\n', null, ['--- a.txt', '+++ /dev/null', '@@ -1,1 +0,0 @@', '-a']],
  [
    'the end of the last line',
    'a',
    'a\n',
    ['--- a.txt', '+++ a.txt', '@@ -1,1 +1,1 @@', '-a', '\\ No newline at end of file', '+a'],
  ],
])('%s', (_, before, after, lines) => {
  expect(textOf(before, after)).toEqual(lines)
})

test('changes far apart are two parts with three lines around each', () => {
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`)
  const after = lines.with(2, 'two').with(25, 'twenty-five')
  const heads = textOf(`${lines.join('\n')}\n`, `${after.join('\n')}\n`).filter((line) => line.startsWith('@@'))
  expect(heads).toEqual(['@@ -1,6 +1,6 @@', '@@ -23,7 +23,7 @@'])
})

test('texts that differ in every one of many lines are still shown, whole', () => {
  const many = (word: string) => Array.from({ length: 5_000 }, (_, n) => `${word} ${n}\n`).join('')
  expect(textOf(many('a'), many('b'))).toHaveLength(3 + 10_000)
})

test('patch makes the one out of the other', () => {
  const folder = temporaryFolder()
  const line = fc.constantFrom('a', 'b', 'c', '', '-x', '+y')
  const text = fc.tuple(fc.array(line, { minLength: 1, maxLength: 30 }), fc.constantFrom('', '\n'))
  const property = fc.property(text, text, ([before, end], [after, otherEnd]) => {
    const [from, to] = [before.join('\n') + end, after.join('\n') + otherEnd]
    fc.pre(from !== to && from !== '' && to !== '')
    const file = path.join(folder, 'a.txt')
    fs.writeFileSync(file, from)
    execFileSync('git', ['apply', '--unidiff-zero', '-p0', '-'], {
      cwd: folder,
      input: `${textOf(from, to).join('\n')}\n`,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    expect(fs.readFileSync(file, 'utf8')).toBe(to)
  })
  fc.assert(property, { numRuns: 60 })
})
