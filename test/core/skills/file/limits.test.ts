import { expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { parseSkill } from '../../../../core/skills/file/parse.ts'

function verdict(header: string, body = 'Do it.\n') {
  const file = `---\nname: tides\n${header}---\n${body}`
  const { outcome, diagnostics } = parseSkill(Buffer.from(file), 'tides')
  return [outcome, diagnostics[0]?.code ?? '']
}
const described = (more = '') => `description: When is high water?\n${more}`
const list = (count: number, text: string) => `[${Array.from({ length: count }, () => text).join(', ')}]`

test('a file may have skillFileBytes, and not one more', () => {
  const bytes = (length: number) => {
    const head = '---\nname: tides\ndescription: When?\n---\n'
    return parseSkill(Buffer.from(head + 'a'.repeat(length - head.length)), 'tides').diagnostics[0]?.code
  }
  expect(bytes(limits.skillFileBytes)).toBe('W_BODY_LARGE')
  expect(bytes(limits.skillFileBytes + 1)).toBe('E_TOO_LARGE')
})

test('a header may have skillHeaderBytes, and not one more', () => {
  const header = (length: number) => {
    const fixed = 'name: tides\ndescription: When?\nlicense: '
    return parseSkill(Buffer.from(`---\n${fixed}${'a'.repeat(length - fixed.length)}\n---\nx`), 'tides').outcome
  }
  expect(header(limits.skillHeaderBytes)).toBe('ok')
  expect(header(limits.skillHeaderBytes + 1)).toBe('reject')
})

test.each([
  ['skillKeywords', 'keywords', limits.skillKeywords, 'tide'],
  ['skillPatterns', 'patterns', limits.skillPatterns, 'tide'],
] as const)('%s', (_limit, key, most, text) => {
  const activation = (count: number) => described(`activation:\n  ${key}: ${list(count, text)}\n`)
  expect(verdict(activation(most))).toEqual(['ok', ''])
  expect(verdict(activation(most + 1))).toEqual(['reject', 'E_LIMIT'])
})

test('a pattern may have skillPatternCharacters, and not one more', () => {
  const pattern = (length: number) => described(`activation:\n  patterns: [${'a'.repeat(length)}]\n`)
  expect(verdict(pattern(limits.skillPatternCharacters))).toEqual(['ok', ''])
  expect(verdict(pattern(limits.skillPatternCharacters + 1))).toEqual(['reject', 'E_LIMIT'])
})

test('a description longer than skillDescriptionCharacters loads with a warning; characters are counted, not bytes', () => {
  const description = (length: number) => `description: ${'数'.repeat(length)}\n`
  expect(verdict(description(limits.skillDescriptionCharacters))).toEqual(['ok', ''])
  expect(verdict(description(limits.skillDescriptionCharacters + 1))).toEqual(['warn', 'W_DESC_LONG'])
})
