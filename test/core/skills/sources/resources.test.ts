import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { readResource, resourcesIn } from '../../../../core/skills/sources/resources.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { plainSkill, put } from './support.ts'

function skillWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = path.join(temporaryFolder(), 'tides')
  return put(folder, { 'SKILL.md': plainSkill('tides'), ...files })
}

describe('the files beside a skill', () => {
  test('are listed by their paths, with size and kind, and the skill itself is none', () => {
    const folder = skillWith({
      'scripts/fetch.sh': 'exit 1\n',
      'references/a/api.md': '# API\n',
      'assets/map.png': Buffer.from([137, 80]),
      'LICENSE.txt': 'MIT',
      'references/SKILL.md': 'an example',
    })
    expect(resourcesIn(folder)).toEqual([
      { path: 'LICENSE.txt', bytes: 3, kind: 'other' },
      { path: 'assets/map.png', bytes: 2, kind: 'asset' },
      { path: 'references/SKILL.md', bytes: 10, kind: 'reference' },
      { path: 'references/a/api.md', bytes: 6, kind: 'reference' },
      { path: 'scripts/fetch.sh', bytes: 7, kind: 'script' },
    ])
  })

  test('are none of what is hidden, of packages, of links, and of a folder that is not there', () => {
    const outside = put(temporaryFolder(), { 'secret.txt': 'secret' })
    const folder = skillWith({ '.git/config': '', '.env': 'KEY=1', 'node_modules/x/index.js': '', 'a.md': '' })
    fs.symlinkSync(outside, path.join(folder, 'references'))
    fs.symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'b.md'))
    expect(resourcesIn(folder).map((each) => each.path)).toEqual(['a.md'])
    expect(resourcesIn(path.join(folder, 'none'))).toEqual([])
  })

  test('are listed up to limits.skillResources, and not one more', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`assets/${at}.txt`, '']))
    expect(resourcesIn(skillWith(many(limits.skillResources)))).toHaveLength(limits.skillResources)
    expect(resourcesIn(skillWith(many(limits.skillResources + 1)))).toHaveLength(limits.skillResources)
  })
})

describe('a file beside a skill', () => {
  test('is read as text, and nothing of it runs', async () => {
    const folder = skillWith({ 'scripts/fetch.sh': `#!/bin/sh\ntouch ${path.join(temporaryFolder(), 'ran')}\n` })
    fs.chmodSync(path.join(folder, 'scripts/fetch.sh'), 0o755)
    const { text, bytes } = await readResource(folder, 'scripts/fetch.sh')
    expect([text.split('\n')[0], bytes]).toEqual(['#!/bin/sh', Buffer.byteLength(text)])
    expect(fs.existsSync(text.split(' ').at(-1)?.trim() ?? '')).toBe(false)
  })

  test.each([
    ...[
      '../secret.txt',
      'references/../../secret.txt',
      '/etc/passwd',
      'C:\\Windows\\win.ini',
      'C:x',
      '..\\secret.txt',
      '',
    ],
    ...['.', '..', 'references//a.md', 'references/', 'a\0.md', '.env', '.git/config', 'references/.hidden/a.md'],
  ])('is not %j: that is no file of a skill', async (given) => {
    const folder = skillWith({
      'references/a.md': 'a',
      '.env': 'KEY=1',
      '.git/config': 'x',
      'references/.hidden/a.md': 'x',
    })
    put(path.dirname(folder), { 'secret.txt': 'secret' })
    await expect(readResource(folder, given)).rejects.toMatchObject({ code: 'skill.resource' })
  })

  test('is not reached through a link, wherever that leads', async () => {
    const outside = put(temporaryFolder(), { 'secret.txt': 'secret' })
    const folder = skillWith({ 'references/a.md': 'a' })
    fs.symlinkSync(outside, path.join(folder, 'out'))
    fs.symlinkSync(path.join(folder, 'references'), path.join(folder, 'in'))
    fs.symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'out.txt'))
    for (const given of ['out/secret.txt', 'in/a.md', 'out.txt']) {
      await expect(readResource(folder, given)).rejects.toMatchObject({
        code: 'skill.resource',
        message: expect.stringContaining('link'),
      })
    }
  })

  test('may lie in a folder that is itself reached by a link: that is the person’s own', async () => {
    const folder = skillWith({ 'a.md': 'a' })
    const link = path.join(temporaryFolder(), 'link')
    fs.symlinkSync(folder, link)
    expect(await readResource(link, './a.md')).toEqual({ path: 'a.md', bytes: 1, text: 'a' })
  })

  test.each([
    ['a folder', 'references', 'is a folder'],
    ['not there', 'references/b.md', 'is not there'],
    ['binary', 'assets/map.png', 'is a binary file of 4 bytes'],
    ['of another encoding', 'references/latin.txt', 'no UTF-8'],
  ])('that is %s says so', async (_what, given, reason) => {
    const folder = skillWith({
      'references/a.md': 'a',
      'assets/map.png': Buffer.from([137, 80, 0, 1]),
      'references/latin.txt': Buffer.from('Höhe', 'latin1'),
    })
    await expect(readResource(folder, given)).rejects.toMatchObject({
      ...{
        code: 'skill.resource',
        message: expect.stringContaining(reason),
        userMessage: expect.stringContaining('Nothing was changed'),
      },
    })
  })

  test.skipIf(process.platform === 'win32')('that is a pipe is not waited for', async () => {
    const folder = skillWith({})
    execFileSync('mkfifo', [path.join(folder, 'pipe')])
    await expect(readResource(folder, 'pipe')).rejects.toMatchObject({
      message: expect.stringContaining('no regular file'),
    })
  })

  test('may have limits.skillResourceBytes, and not one more', async () => {
    const folder = skillWith({
      'a.txt': 'a'.repeat(limits.skillResourceBytes),
      'b.txt': 'b'.repeat(limits.skillResourceBytes + 1),
    })
    expect((await readResource(folder, 'a.txt')).bytes).toBe(limits.skillResourceBytes)
    await expect(readResource(folder, 'b.txt')).rejects.toMatchObject({ code: 'skill.resource' })
  })
})
