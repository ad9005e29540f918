import { symlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createWalkReport, walk } from '../../../../core/capabilities/actions/files/walk.ts'
import { findPlace } from '../../../../core/capabilities/paths.ts'
import { useProject } from './project.ts'

const project = useProject()
const list = (asked: object) => project.run('list_files', asked)
const names = async (asked: object) => {
  const { entries } = await list(asked)
  return Array.isArray(entries) ? entries.map(({ path: name }) => name) : []
}

beforeEach(async () => {
  await project.write({
    'page10.md': 'ten',
    'Page2.md': 'two',
    'data.CSV': 'a,b\n1,2\n',
    'docs/guide.md': 'guide',
    'docs/deep/notes.txt': 'n'.repeat(100),
    'docs/deep/.secret': 's',
    '.env': 'KEY=1',
    'node_modules/dep/index.js': 'x',
    '.git/config': 'x',
    noext: '',
  })
})

describe('what is listed', () => {
  it.each([
    [{}, ['data.CSV', 'docs', 'node_modules', 'noext', 'Page2.md', 'page10.md']],
    [{ kind: 'file' }, ['data.CSV', 'noext', 'Page2.md', 'page10.md']],
    [{ kind: 'folder' }, ['docs', 'node_modules']],
    [{ hidden: true, kind: 'file' }, ['.env', 'data.CSV', 'noext', 'Page2.md', 'page10.md']],
    [{ pattern: '*.csv' }, ['data.CSV']],
    [{ pattern: '*.md' }, ['Page2.md', 'page10.md']],
    [{ pattern: '*.md', recursive: 'true' }, ['docs/guide.md', 'Page2.md', 'page10.md']],
    [{ pattern: '**/*.md' }, ['docs/guide.md', 'Page2.md', 'page10.md']],
    [{ pattern: 'docs/**' }, ['docs/deep', 'docs/deep/notes.txt', 'docs/guide.md']],
    [{ pattern: '*.{csv,txt}', recursive: true }, ['data.CSV', 'docs/deep/notes.txt']],
    [{ pattern: 'page?.md' }, ['Page2.md']],
    [{ pattern: '[a-d]*' }, ['data.CSV', 'docs']],
    [{ pattern: '.*', hidden: true }, ['.env', '.git']],
    [{ pattern: '.env' }, ['.env']],
    [{ path: 'docs', recursive: true }, ['docs/deep', 'docs/deep/notes.txt', 'docs/guide.md']],
    [{ path: 'docs', pattern: 'deep/*' }, ['docs/deep/notes.txt']],
    [{ path: 'docs/guide.md' }, ['docs/guide.md']],
    [{ path: 'node_modules/dep' }, ['node_modules/dep/index.js']],
    [{ path: 'node_modules', recursive: true, kind: 'file' }, ['node_modules/dep/index.js']],
    [{ kind: 'file', sort: 'size', order: 'desc', limit: '2', recursive: true }, ['docs/deep/notes.txt', 'data.CSV']],
    [{ minBytes: 5, maxBytes: '8', recursive: true }, ['data.CSV', 'docs/guide.md']],
    [{ kind: 'file', order: 'desc' }, ['page10.md', 'Page2.md', 'noext', 'data.CSV']],
  ])('%j', async (asked, expected) => {
    expect(await names(asked)).toEqual(expected)
  })

  it('counts all matches, whatever the limit shows', async () => {
    expect(await list({ recursive: true, limit: 1 })).toMatchObject({
      path: '.',
      entries: [{ path: 'data.CSV', kind: 'file', bytes: 8 }],
      total: 9,
      files: 6,
      folders: 3,
      bytes: 3 + 3 + 8 + 5 + 100,
      byExtension: [
        { extension: '.md', files: 3, bytes: 11 },
        { extension: '', files: 1, bytes: 0 },
        { extension: '.csv', files: 1, bytes: 8 },
        { extension: '.txt', files: 1, bytes: 100 },
      ],
      skipped: ['.git', 'node_modules'],
      complete: false,
    })
  })

  it('is complete when every match is shown', async () => {
    expect(await list({ kind: 'file' })).toMatchObject({ complete: true, skipped: [] })
  })

  it('by time of change, in UTC, with words for days', async () => {
    await utimes(path.join(project.folder, 'noext'), 0, Date.parse('2025-06-14T22:30:00Z') / 1_000)
    await utimes(path.join(project.folder, 'page10.md'), 0, Date.parse('2025-06-13T10:00:00Z') / 1_000)
    await utimes(path.join(project.folder, 'Page2.md'), 0, Date.parse('2001-02-03T04:05:06Z') / 1_000)
    // 22:30 UTC is already the 15th in Berlin.
    expect(await names({ kind: 'file', modifiedAfter: 'today', modifiedBefore: 'tomorrow' })).toEqual(['noext'])
    expect(await names({ modifiedBefore: '2025-06-14', sort: 'modified' })).toEqual(['Page2.md', 'page10.md'])
    expect(await list({ path: 'Page2.md' })).toMatchObject({ entries: [{ modified: '2001-02-03T04:05:06Z' }] })
    await expect(list({ modifiedAfter: '31.12.2024' })).rejects.toMatchObject({ code: 'action.args' })
  })

  it('names links and does not enter them', async () => {
    await symlink(project.base, path.join(project.folder, 'up'))
    await symlink('.', path.join(project.folder, 'docs', 'loop'))
    const { entries } = await list({ recursive: true })
    expect(entries).toContainEqual(expect.objectContaining({ path: 'up', kind: 'link', bytes: 0 }))
    expect(entries).toContainEqual(expect.objectContaining({ path: 'docs/loop', kind: 'link' }))
    expect(JSON.stringify(entries)).not.toContain('up/')
    expect(JSON.stringify(entries)).not.toContain('loop/')
  })
})

describe('what is refused', () => {
  it.each([
    [{ path: '..' }, 'action.outside'],
    [{ path: 'nothing' }, 'action.not_found'],
    [{ pattern: '../*' }, 'action.outside'],
    [{ limit: 1_001 }, 'action.args'],
    [{ limit: 0 }, 'action.args'],
    [{ sort: 'colour' }, 'action.args'],
    [{ path: 'a\0b' }, 'action.args'],
    [{ pattern: '(?=x)' }, 'action.args'],
  ])('%j: %s', async (asked, code) => {
    await expect(list(asked)).rejects.toMatchObject({ code })
  })

  it('a project whose folder is gone', async () => {
    await expect(project.run('list_files', {}, { folder: path.join(project.base, 'gone') })).rejects.toMatchObject({
      code: 'project.missing',
    })
  })

  it('work after it was stopped', async () => {
    const signal = AbortSignal.abort()
    await expect(project.run('list_files', {}, { signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

it('a pattern of many stars against long names is no trap', async () => {
  await project.write({ [`${'a'.repeat(240)}.txt`]: '' })
  expect(await names({ pattern: `${'*a'.repeat(40)}b` })).toEqual([])
})

it('a result never outgrows its limit: fewer entries, and it says so', async () => {
  const long = 'n'.repeat(200)
  await project.write(Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`many/${long}${at}`, ''])))
  const result = await list({ path: 'many', limit: 1_000 })
  expect(result).toMatchObject({ total: 400, complete: false, note: expect.stringMatching(/^Only \d+ entries fit/) })
})

describe('a walk that is too long', () => {
  const walked = async (budget: { maxEntries?: number; maxMs?: number }) => {
    const root = { folder: project.folder, dataDir: '/nowhere' }
    const report = createWalkReport()
    const found: string[] = []
    const start = await findPlace(root, '.')
    const { signal } = new AbortController()
    const options = { root, start, isRecursive: true, withHidden: false, wants: () => true, signal, ...budget }
    for await (const entry of walk(options, report)) found.push(entry.path)
    return { found, report }
  }

  it('stops after its number of entries and says so; one entry less is complete', async () => {
    await project.write(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`flat/${at}`, ''])))
    const whole = await walked({})
    expect(whole.report.stoppedBecause).toBeUndefined()
    // The hidden .git counts, too: it had to be looked at.
    const needed = whole.found.length + 1
    expect((await walked({ maxEntries: needed })).report.stoppedBecause).toBeUndefined()
    const cut = await walked({ maxEntries: needed - 1 })
    expect(cut.found).toHaveLength(whole.found.length - 1)
    expect(cut.report.stoppedBecause).toBe(`Only the first ${needed - 1} entries were looked at.`)
  })

  it('stops when its time is over', async () => {
    expect((await walked({ maxMs: 0 })).report.stoppedBecause).toMatch(/not to its end/)
  })
})
