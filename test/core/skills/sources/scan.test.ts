import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { bundledFolder, projectFolders, userFolders } from '../../../../core/skills/sources/folders.ts'
import { createSkillReader, readSkill } from '../../../../core/skills/sources/read-skill.ts'
import { type SkillFolder, scanSkillFolders } from '../../../../core/skills/sources/scan.ts'
import { contentDir, temporaryFolder } from '../../../support/engine.ts'
import { plainSkill, put, sourceAt } from './support.ts'

function scan(...folders: readonly SkillFolder[]) {
  const { found, problems } = scanSkillFolders(folders)
  return {
    names: found.map(({ skill }) => skill.name),
    found,
    problems,
    told: problems.map(({ file, kind, diagnostics }) => [
      path.relative(folders[0]?.folder ?? '', file),
      kind,
      diagnostics.map(({ code }) => code).join(),
    ]),
  }
}

describe('a folder of skills', () => {
  test('has them directly, each in its own folder, and in bundles', () => {
    const folder = put(temporaryFolder(), {
      'SKILL.md': plainSkill('root'),
      'tides/SKILL.md': plainSkill('tides'),
      'bundle/deep/moon/skill.md': plainSkill('moon'),
    })
    const { names, told, found } = scan(sourceAt(folder))
    expect([names, told]).toEqual([['moon', 'root', 'tides'], []])
    expect(found.map((each) => each.folder)).toEqual([
      path.join(folder, 'bundle/deep/moon'),
      // What lies beside it belongs to others.
      null,
      path.join(folder, 'tides'),
    ])
  })

  test('is not searched deeper than limits.skillFolderDepth, nor below a skill, in hidden folders and in packages', () => {
    expect(limits.skillFolderDepth).toBe(3)
    const folder = put(temporaryFolder(), {
      'a/b/c/SKILL.md': plainSkill('c'),
      'a/b/d/e/SKILL.md': plainSkill('e'),
      'tides/SKILL.md': plainSkill('tides'),
      'tides/assets/example/SKILL.md': plainSkill('example'),
      '.git/x/SKILL.md': plainSkill('x'),
      'node_modules/y/SKILL.md': plainSkill('y'),
    })
    expect(scan(sourceAt(folder))).toMatchObject({ names: ['c', 'tides'], told: [] })
  })

  test('that is not there has none, and that is no problem', () => {
    expect(scan(sourceAt(path.join(temporaryFolder(), 'none')))).toMatchObject({ found: [], problems: [] })
  })

  test('gives each skill its bytes, its place, and the trust of the folder, whatever the file says', () => {
    const text = `\ufeff${plainSkill('tides', { header: 'trust: trusted\nmetadata: { threadsmith: { trust: trusted } }\n' })}`
    const folder = put(temporaryFolder(), { 'tides/SKILL.md': text })
    const { found, problems } = scan(sourceAt(folder, { trust: 'installed', place: '.agents/skills' }))
    expect(found).toMatchObject([
      {
        ...{ content: text, sha256: hash('sha256', Buffer.from(text)), trust: 'installed', place: '.agents/skills' },
        ...{ folder: path.join(folder, 'tides'), file: path.join(folder, 'tides/SKILL.md') },
      },
    ])
    expect(hash('sha256', found[0]?.content ?? '')).toBe(found[0]?.sha256)
    expect(problems).toMatchObject([
      { kind: 'warning', sha256: found[0]?.sha256, mend: { title: 'Remove the byte order mark' } },
    ])
  })

  test('takes a plain file for migrated, and one with anything of ours for authored', () => {
    const snippets = 'snippets: [{ name: tide, code: "1" }]\n'
    const folder = put(temporaryFolder(), {
      'plain/SKILL.md': plainSkill('plain', { header: 'activation: { keywords: [tide] }\n' }),
      'ours/SKILL.md': plainSkill('ours', { header: 'metadata: { threadsmith: { tier: forte } }\n' }),
      'functions/SKILL.md': plainSkill('functions', { header: snippets }),
    })
    expect(scan(sourceAt(folder)).found.map(({ skill, source }) => [skill.name, source])).toEqual([
      ...[
        ['functions', 'authored'],
        ['ours', 'authored'],
        ['plain', 'migrated'],
      ],
    ])
  })
})

describe('what is no skill is never silent', () => {
  test('a file that does not load is shown with line, cause and mend', () => {
    const folder = put(temporaryFolder(), {
      'tides/SKILL.md': '---\nname: tides\ndescription: x\nmetadata:\n\ta: b\n---\n',
      'moon/SKILL.md': '---\nname: moon\n---\n',
    })
    const { names, problems } = scan(sourceAt(folder))
    expect(names).toEqual([])
    expect(problems).toMatchObject([
      { kind: 'rejected', diagnostics: [{ code: 'E_DESC_MISSING', line: 2 }], mend: null },
      { kind: 'rejected', diagnostics: [{ code: 'E_YAML_SYNTAX', line: 5 }] },
    ])
    expect(problems[1]?.mend?.title).toBe('Indent with blanks in the place of tabs')
    // A file that is no skill has no content; what it is mended from is shown all the same.
    expect(problems[1]?.mend?.before).toContain('\t')
  })

  test('a file of over 1 MiB is read no further than tells so', () => {
    const folder = put(temporaryFolder(), { 'big/SKILL.md': Buffer.alloc(8_000_000, 'a') })
    const head = Buffer.alloc(limits.skillFileBytes + 1, 'a')
    expect(scan(sourceAt(folder)).problems).toMatchObject([
      { kind: 'rejected', diagnostics: [{ code: 'E_TOO_LARGE' }], sha256: hash('sha256', head), mend: null },
    ])
  })

  test.skipIf(process.platform === 'win32')(
    'what is called SKILL.md and is no file is told, and nothing waits for it',
    () => {
      const folder = put(temporaryFolder(), { 'tides/notes.md': '', 'moon/SKILL.md/notes.md': '' })
      execFileSync('mkfifo', [path.join(folder, 'tides/SKILL.md')])
      expect(scan(sourceAt(folder)).told).toEqual([
        ['moon/SKILL.md', 'rejected', 'E_UNREADABLE'],
        ['tides/SKILL.md', 'rejected', 'E_UNREADABLE'],
      ])
    },
  )

  test('a source that is a file is told', () => {
    const folder = put(temporaryFolder(), { skills: 'not a folder' })
    expect(scan(sourceAt(path.join(folder, 'skills'))).told).toEqual([['', 'rejected', 'E_UNREADABLE']])
  })

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'a folder that may not be entered is told',
    () => {
      const folder = put(temporaryFolder(), {
        'tides/SKILL.md': plainSkill('tides'),
        'moon/SKILL.md': plainSkill('moon'),
      })
      fs.chmodSync(path.join(folder, 'moon'), 0)
      const { names, told } = scan(sourceAt(folder))
      fs.chmodSync(path.join(folder, 'moon'), 0o755)
      expect([names, told]).toEqual([['tides'], [['moon', 'rejected', 'E_UNREADABLE']]])
    },
  )

  test('limits.skillFolders are looked at, and one more is told', () => {
    const folder = temporaryFolder()
    const empty = (count: number) => {
      for (let at = 0; at < count; at += 1)
        fs.mkdirSync(path.join(folder, `f${String(at).padStart(5, '0')}`), { recursive: true })
    }
    put(folder, { 'aaa/SKILL.md': plainSkill('aaa') })
    // The source itself and aaa are two of them.
    empty(limits.skillFolders - 2)
    expect(scan(sourceAt(folder))).toMatchObject({ names: ['aaa'], told: [] })
    put(folder, { 'zzz/SKILL.md': plainSkill('zzz') })
    expect(scan(sourceAt(folder))).toMatchObject({ names: ['aaa'], told: [['', 'rejected', 'W_TOO_MANY']] })
  })
})

describe('links', () => {
  test('are not followed, and one that leads out is told', () => {
    const outside = put(temporaryFolder(), { 'secret/SKILL.md': plainSkill('secret') })
    const folder = put(temporaryFolder(), { 'tides/notes.md': '', 'moon/SKILL.md': plainSkill('moon') })
    fs.symlinkSync(path.join(outside, 'secret'), path.join(folder, 'secret'))
    fs.symlinkSync(path.join(outside, 'secret/SKILL.md'), path.join(folder, 'tides/SKILL.md'))
    fs.symlinkSync(path.join(outside, 'gone'), path.join(folder, 'moon2'))
    fs.symlinkSync(folder, path.join(folder, 'round'))
    expect(scan(sourceAt(folder))).toMatchObject({
      names: ['moon'],
      told: [
        ['secret', 'rejected', 'E_LINK'],
        ['tides/SKILL.md', 'rejected', 'E_LINK'],
      ],
    })
  })

  test('to what another source has are nothing: it is read there', () => {
    const home = put(temporaryFolder(), { '.agents/skills/tides/SKILL.md': plainSkill('tides') })
    fs.mkdirSync(path.join(home, '.claude/skills'), { recursive: true })
    fs.symlinkSync(path.join(home, '.agents/skills/tides'), path.join(home, '.claude/skills/tides'))
    expect(scan(...userFolders(home))).toMatchObject({ names: ['tides'], told: [] })
  })

  test('may be a source of the person, which is read once, but no way out of a project', () => {
    const elsewhere = put(temporaryFolder(), { 'tides/SKILL.md': plainSkill('tides') })
    const folder = temporaryFolder()
    for (const name of ['.agents', '.claude']) {
      fs.mkdirSync(path.join(folder, name))
      fs.symlinkSync(elsewhere, path.join(folder, name, 'skills'))
    }
    expect(scan(...userFolders(folder))).toMatchObject({ names: ['tides'], told: [] })
    expect(scan(...projectFolders(folder))).toMatchObject({
      names: [],
      problems: [{ place: '.agents/skills', diagnostics: [{ code: 'E_LINK' }] }],
    })
  })
})

describe('sources', () => {
  test('are merged in their order: the later one wins, and the other one is shown with what wins', () => {
    const home = temporaryFolder()
    const project = temporaryFolder()
    put(home, {
      '.agents/skills/tides/SKILL.md': plainSkill('tides', { description: 'One.' }),
      '.claude/skills/tides/SKILL.md': plainSkill('tides', { description: 'Two.' }),
    })
    put(project, {
      '.agents/skills/github/SKILL.md': plainSkill('github'),
      '.claude/skills/tides/SKILL.md': plainSkill('tides', { description: 'Three.' }),
      '.threadsmith/skills/tides/SKILL.md': plainSkill('tides', { description: 'Four.' }),
    })
    const all = [bundledFolder(contentDir), ...userFolders(home), ...projectFolders(project)]
    const { found, problems } = scan(...all)
    const winner = path.join(project, '.threadsmith/skills/tides/SKILL.md')
    expect(found.find(({ skill }) => skill.name === 'tides')).toMatchObject({ file: winner, trust: 'installed' })
    expect(found.find(({ skill }) => skill.name === 'github')).toMatchObject({ place: '.agents/skills' })
    expect(problems.map(({ place, kind }) => [place, kind])).toEqual([
      ['built in', 'shadowed'],
      ['~/.agents/skills', 'shadowed'],
      ['~/.claude/skills', 'shadowed'],
      ['.claude/skills', 'shadowed'],
    ])
    for (const { diagnostics } of problems.slice(1)) expect(diagnostics[0]?.message).toContain(winner)
  })

  test('are trusted as whoever wrote them: what ships and the person’s own are, a project’s are installed', () => {
    const trusts = [bundledFolder('/app'), ...userFolders('/me'), ...projectFolders('/p')].map(({ place, trust }) => [
      place,
      trust,
    ])
    expect(trusts).toEqual([
      ['built in', 'trusted'],
      ['~/.agents/skills', 'trusted'],
      ['~/.claude/skills', 'trusted'],
      ['.agents/skills', 'installed'],
      ['.claude/skills', 'installed'],
      ['.threadsmith/skills', 'installed'],
    ])
  })

  test('of one name in one source, the one that is called like its folder is used', () => {
    const folder = put(temporaryFolder(), {
      'a/SKILL.md': plainSkill('tides', { description: 'A copy.' }),
      'tides/SKILL.md': plainSkill('tides'),
    })
    expect(scan(sourceAt(folder))).toMatchObject({
      found: [{ file: path.join(folder, 'tides/SKILL.md') }],
      told: [
        ['a/SKILL.md', 'warning', 'W_NAME_MISMATCH'],
        ['a/SKILL.md', 'shadowed', 'W_SHADOWED'],
      ],
    })
  })
})

test('a file that did not change is read once, and one that changed is read again', () => {
  const folder = put(temporaryFolder(), { 'tides/SKILL.md': plainSkill('tides') })
  const read = createSkillReader()
  const first = read(path.join(folder, 'tides/SKILL.md'), 'tides')
  expect(read(path.join(folder, 'tides/SKILL.md'), 'tides')).toBe(first)
  expect(first).toEqual({ ...readSkill(path.join(folder, 'tides/SKILL.md'), 'tides'), verdict: expect.anything() })
  put(folder, { 'tides/SKILL.md': plainSkill('tides', { description: 'Now another.' }) })
  expect(read(path.join(folder, 'tides/SKILL.md'), 'tides').content).toContain('Now another.')
})
