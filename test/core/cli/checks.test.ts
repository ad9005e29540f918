import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkUrl, scanFiles, validateSkills } from '../../../core/cli/checks.ts'
import { parseLine } from '../../../core/cli/commands.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { fakeSecret } from '../domain/leaks/fake-secrets.ts'
import { printed } from './support.ts'

async function check(...argv: string[]) {
  const { command } = parseLine(['http', 'check', ...argv, '--json'], '/')
  if (command.name !== 'http check') throw new TypeError(command.name)
  const { terminal, lines } = printed(true)
  const code = await checkUrl(terminal, command)
  return { code, verdict: lines()[0] }
}

describe('http check', () => {
  test('pins what the first look-up answered', async () => {
    expect(await check('http://rebind.example/', '--dns', '93.184.215.14|127.0.0.1')).toEqual({
      code: 0,
      verdict: { verdict: 'allow', code: '', pinned: ['93.184.215.14'] },
    })
  })

  test('denies a set of addresses of which one is not public', async () => {
    expect(await check('https://two.example/', '--dns', '93.184.215.14,10.0.0.7')).toEqual({
      code: 1,
      verdict: { verdict: 'deny', code: 'SSRF_PRIVATE' },
    })
  })

  test('follows each redirect that it is told of', async () => {
    const first = ['https://ok.example/', '--dns', '93.184.215.14']
    const cdn = ['--redirect', 'https://cdn.example/a?b=c=151.101.1.140']
    expect(await check(...first, ...cdn)).toMatchObject({ code: 0, verdict: { pinned: ['151.101.1.140'] } })
    expect(await check(...first, ...cdn, '--redirect', 'file:///etc/passwd')).toMatchObject({
      code: 1,
      verdict: { code: 'SSRF_SCHEME' },
    })
  })
})

describe('secrets scan', () => {
  test('prints one line for each hit, with its file, line and place', () => {
    const key = fakeSecret('{cat:gh}p_{b62:36}', 'cli')
    const file = path.join(temporaryFolder(), 'notes.md')
    fs.writeFileSync(file, `first\nkey ${key}\n`)
    const { terminal, lines } = printed(true)
    expect(scanFiles(terminal, { name: 'secrets scan', files: [file] })).toBe(1)
    expect(lines()).toEqual([{ file, line: 2, family: 'github-classic', start: 10, end: 10 + key.length }])
  })

  test('finds nothing in plain text, and says which file it could not read', () => {
    const folder = temporaryFolder()
    fs.writeFileSync(path.join(folder, 'a.md'), 'nothing here')
    const { terminal, lines, err } = printed(true)
    expect(scanFiles(terminal, { name: 'secrets scan', files: [path.join(folder, 'a.md')] })).toBe(0)
    expect(scanFiles(terminal, { name: 'secrets scan', files: [path.join(folder, 'gone.md')] })).toBe(1)
    expect(lines()).toEqual([])
    expect(err()).toContain('gone.md')
  })
})

describe('skill validate', () => {
  const corpus = path.resolve(import.meta.dirname, '../skills/file/corpus')

  test('takes a folder or its file, names the file, and skips what is no SKILL.md', () => {
    const { terminal, lines, err } = printed(true)
    const paths = [
      path.join(corpus, 'fm-crlf'),
      path.join(corpus, 'fm-bom/SKILL.md'),
      path.join(corpus, 'expected.tsv'),
    ]
    expect(validateSkills(terminal, { name: 'skill validate', paths })).toBe(0)
    expect(lines()).toMatchObject([
      { file: path.join(corpus, 'fm-crlf/SKILL.md'), outcome: 'ok', code: '' },
      { file: path.join(corpus, 'fm-bom/SKILL.md'), outcome: 'warn', code: 'W_BOM', line: 1 },
    ])
    expect(err()).toContain('expected.tsv: no SKILL.md, skipped')
  })

  test('fails where one is rejected, and reads no more of it than it may', () => {
    const { terminal, lines } = printed(true)
    const folder = temporaryFolder()
    fs.writeFileSync(path.join(folder, 'SKILL.md'), Buffer.alloc(2_000_000, 'a'))
    const paths = [folder]
    expect(validateSkills(terminal, { name: 'skill validate', paths })).toBe(1)
    expect(lines()).toMatchObject([{ outcome: 'reject', code: 'E_TOO_LARGE' }])
  })
})
