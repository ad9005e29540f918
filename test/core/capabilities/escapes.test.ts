import { execFileSync } from 'node:child_process'
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { useProject } from './actions/project.ts'
import { listing } from './outside.ts'

const project = useProject()
const out = (...names: string[]) => path.join(project.base, 'outside', ...names)
const at = (...names: string[]) => path.join(project.folder, ...names)

/** What each call does, were it let: the marks it would leave. */
const attempts: Readonly<Record<string, (given: string) => object>> = {
  read_file: (given) => ({ path: given }),
  list_files: (given) => ({ path: given, hidden: true }),
  write_file: (given) => ({ path: given, content: 'escaped', overwrite: true }),
  patch_file: (given) => ({ path: given, edits: [{ find: 'canary', replace: 'escaped', all: true }] }),
  delete: (given) => ({ path: given }),
  move: (given) => ({ from: 'mine.txt', to: given, overwrite: true }),
}

const up = '../'.repeat(60)
const words = [
  '../outside/canary.txt',
  '../outside/new.txt',
  '../outside',
  '../new.txt',
  '../x/y/z.txt',
  '..',
  '../',
  '../.',
  '../..',
  '/',
  '//',
  '/etc/passwd',
  '/etc/threadsmith-test-new',
  '/etc/passwd/x',
  '/proc/self/mem',
  '/proc/self/environ',
  '/proc/self/cwd/package.json',
  '/dev/zero',
  '/dev/null',
  '/dev/shm/threadsmith-test-new',
  '/tmp/threadsmith-test-new',
  `${up}etc/passwd`,
  `${up}tmp/threadsmith-test-new`,
  'docs/../../outside/canary.txt',
  'docs/../../outside/new.txt',
  'docs/../../new.txt',
  'docs/./../../new.txt',
  'a/../../x',
  'missing/../../outside/new.txt',
  'missing/../../../new.txt',
  './/docs//..//..//outside//canary.txt',
  '././../outside/canary.txt',
  '../project-evil/x',
  '../project-evil/new.txt',
  '../projec',
  '~',
  '~/.bashrc',
  '~/.ssh/id_rsa',
  '~root/.profile',
  '~\\x',
  'C:\\Windows\\x.txt',
  'C:/Windows/win.ini',
  'C:\\',
  '\\\\?\\C:\\x',
  '\\\\.\\PhysicalDrive0',
  '\\\\host\\share\\x',
  '..\\x',
  '..\\outside\\canary.txt',
  'docs\\..\\..\\outside\\canary.txt',
  'docs/..\\..\\outside\\canary.txt',
  'file-link',
  'file-link-relative',
  'folder-link',
  'folder-link/canary.txt',
  'folder-link/new.txt',
  'folder-link/new/deep.txt',
  'folder-link/./canary.txt',
  'up-link',
  'up-link/outside/canary.txt',
  'up-link/new.txt',
  'chain-19',
  'chain-19/x',
  'dangling',
  'dangling/new.txt',
  'dangling-folder/new/deep.txt',
  'docs/inner-link/canary.txt',
  'docs/inner-link/new.txt',
  'loop-a',
  'loop-a/x',
  'hard.txt',
  'pipe',
  'mine.txt/../../outside/new.txt',
  'data-link/threadsmith.db',
  'data-link/trash/x',
  'hard-own',
] as const
/** Names that only look like a way out: they stay what they are, inside. */
const literal = [
  'c:x.txt',
  'folder-link/../new.txt',
  '%2e%2e/x',
  '%2e%2e%2foutside',
  '..%2foutside',
  '...',
  '....//x',
  '..x',
  'docs/..x',
  '\u2025/x',
  '．．/x',
  'ws～',
]
const impossible = [
  'x\0.txt',
  '../outside/canary.txt\0',
  'docs/\0',
  'n'.repeat(256),
  `${'n'.repeat(256)}/x`,
  `${'d/'.repeat(2_048)}x`,
]

async function setTraps() {
  await mkdir(at('docs'))
  await mkdir(out('deep'), { recursive: true })
  await mkdir(path.join(project.base, 'project-evil'))
  await writeFile(path.join(project.base, 'project-evil', 'x'), 'canary')
  await writeFile(out('canary.txt'), 'canary')
  await writeFile(at('mine.txt'), 'mine')
  await writeFile(at('docs/b.txt'), 'mine')
  await symlink(out('canary.txt'), at('file-link'))
  await symlink('../outside/canary.txt', at('file-link-relative'))
  await symlink(out(), at('folder-link'))
  await symlink('..', at('up-link'))
  await symlink(out('canary.txt'), at('chain-0'))
  for (let each = 1; each < 20; each += 1) await symlink(`chain-${each - 1}`, at(`chain-${each}`))
  await symlink(out('nothing.txt'), at('dangling'))
  await symlink(out('no-folder'), at('dangling-folder'))
  await symlink('../../outside', at('docs', 'inner-link'))
  await symlink('loop-b', at('loop-a'))
  await symlink('loop-a', at('loop-b'))
  await link(out('canary.txt'), at('hard.txt'))
  execFileSync('mkfifo', [at('pipe')])
  // The store is there once the trash was asked for.
  const { dataDir } = project.bin
  await symlink(dataDir, at('data-link'))
  await writeFile(path.join(dataDir, 'secrets.json'), 'canary')
  await link(path.join(dataDir, 'secrets.json'), at('hard-own'))
}
/** The store's own files change as it is used, and the trash is where things go. */
const ours = () => [project.folder, path.join(project.base, 'data')]
const look = async () => [
  ...(await listing(project.base, ours())),
  await readFile(path.join(project.base, 'data', 'secrets.json'), 'utf8'),
]

const refusals = ['action.outside', 'action.args', 'action.not_found', 'action.not_regular', 'action.failed']
/** Names inside the project that only reading may use. */
const readable = ['hard.txt']
/** Of these the name and the size are told, as for everything in the folder. */
const listed = ['hard.txt', 'pipe', 'hard-own']
/** Removing a name inside the project touches nothing outside: the other name stays. */
const removable = ['hard.txt']

describe('nothing outside the project is read, changed or made', () => {
  beforeEach(setTraps)

  it.each([...words, ...impossible])('by %j', async (given) => {
    const before = await look()
    for (const [name, asked] of Object.entries(attempts)) {
      const allowed = { read_file: readable, list_files: listed, delete: removable, move: removable }[name]
      const isFine = allowed?.includes(given) === true
      if (isFine) continue
      const outcome = await project.run(name, asked(given)).then(
        (result) => JSON.stringify(result),
        (error) => String(error.code),
      )
      expect(refusals, `${name} ${given}`).toContain(outcome)
    }
    expect(await look()).toEqual(before)
    expect(await readFile(at('mine.txt'), 'utf8')).toBe('mine')
  })

  it.each(words.filter((word) => word.startsWith('/') || word.startsWith('..')))(
    'by its absolute spelling, %j',
    async (given) => {
      const before = await look()
      const absolute = path.resolve(project.folder, given)
      for (const [name, asked] of Object.entries(attempts)) {
        await expect(project.run(name, asked(absolute)), name).rejects.toMatchObject({ code: 'action.outside' })
      }
      expect(await look()).toEqual(before)
    },
  )

  it.each(literal)('%j is a name like any other', async (given) => {
    const before = await look()
    await project.run('write_file', { path: given, content: 'literal' })
    expect(await readFile(path.join(project.folder, given), 'utf8')).toBe('literal')
    expect(await look()).toEqual(before)
  })

  it('by any list of segments', async () => {
    const before = await look()
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'docs',
      'outside',
      'canary.txt',
      'folder-link',
      'up-link',
      'inner-link',
      'new',
      '/',
      '~',
      'project',
      'data-link',
      'dangling',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 7 }), async (segments) => {
        const given = segments.join('/')
        await project.run('write_file', { path: given, content: 'escaped', overwrite: true }).catch(() => undefined)
        await project
          .run('patch_file', { path: given, edits: [{ find: 'canary', replace: 'escaped' }] })
          .catch(() => undefined)
        const read = await project.run('read_file', { path: given }).catch(() => ({ text: '' }))
        expect(read.text).not.toBe('canary')
      }),
      { numRuns: 300 },
    )
    expect(await look()).toEqual(before)
  })
})

describe('what is protected', () => {
  it('must be called by its own name', async () => {
    await project.write({ '.git/hooks/x': 'x', '.vscode/tasks.json': '{}' })
    await symlink('.git', at('g'))
    await symlink('.vscode', at('v'))
    for (const given of ['g/hooks/pre-commit', 'g/config', 'v/tasks.json']) {
      for (const name of ['write_file', 'delete', 'move']) {
        await project.write({ 'mine.txt': 'mine' })
        await expect(project.run(name, attempts[name]?.(given) ?? {}), `${name} ${given}`).rejects.toMatchObject({
          code: 'action.args',
          message: expect.stringContaining('protected'),
        })
      }
    }
  })
})

describe("the app's own data in a project", () => {
  it.each(['data', 'data/x.txt', 'data/trash/x', 'data/secrets.json', './data/../data/x', 'around'])(
    '%s is left alone',
    async (given) => {
      await project.write({ 'around/data/secrets.json': 'key', 'data/secrets.json': 'key', 'mine.txt': 'mine' })
      const dataDir = given === 'around' ? at('around/data') : at('data')
      const before = await listing(project.folder)
      for (const name of ['write_file', 'patch_file', 'delete', 'move']) {
        const outcome = await project.run(name, attempts[name]?.(given) ?? {}, { dataDir }).catch((error) => error.code)
        expect(['action.outside', 'action.not_regular'], name).toContain(outcome)
      }
      expect(await listing(project.folder)).toEqual(before)
    },
  )
})
