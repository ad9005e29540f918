import { expect, test } from 'vitest'
import { createNamedFiles } from '../../electron/named-files.ts'

test.each([
  ['a skill', 'skill.get', { file: '/home/mara/tides/SKILL.md' }],
  ['a skill that was changed', 'skill.save', { file: '/home/mara/tides/SKILL.md' }],
  ['a file that is no skill', 'skill.problems', [{ file: '/a' }, { file: '/home/mara/tides/SKILL.md' }]],
  ['what was exported', 'skill.export', { path: '/home/mara/tides/SKILL.md' }],
])('a file is known once the engine has named it: %s', (_what, call, answer) => {
  const files = createNamedFiles()
  expect(files.has('/home/mara/tides/SKILL.md')).toBe(false)
  files.heard(call, answer)
  expect(files.has('/home/mara/tides/SKILL.md')).toBe(true)
  expect(files.has('/home/mara/tides')).toBe(false)
})

test.each([
  ['another call', 'file.read', { file: '/etc/passwd' }],
  ['a name of every object', 'constructor', { file: '/etc/passwd' }],
  ['an answer of another shape', 'skill.get', { file: { path: '/etc/passwd' } }],
  ['a skill of the store only', 'skill.get', { file: null }],
])('%s names none', (_what, call, answer) => {
  const files = createNamedFiles()
  files.heard(call, answer)
  expect(files.has('/etc/passwd')).toBe(false)
})

test.each([
  '\\\\evil.example\\share\\SKILL.md',
  '//evil.example/share/SKILL.md',
  '\\\\?\\C:\\a',
  'tides/SKILL.md',
  'https://x.example/s.json',
])('what does not lie on this machine is never shown: %s', (file) => {
  const files = createNamedFiles()
  files.heard('skill.get', { file })
  expect(files.has(file)).toBe(false)
})

test('the oldest of very many are forgotten, and one that is named again is new', () => {
  const files = createNamedFiles()
  files.heard('skill.get', { file: '/first' })
  files.heard('skill.get', { file: '/second' })
  files.heard('skill.get', { file: '/first' })
  files.heard(
    'skill.problems',
    Array.from({ length: 4_999 }, (_, at) => ({ file: `/${at}` })),
  )
  expect(['/first', '/second', '/4998'].map(files.has)).toEqual([true, false, true])
})
