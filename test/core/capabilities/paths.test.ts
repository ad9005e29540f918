import { execFileSync } from 'node:child_process'
import { link, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  fileError,
  findPlace,
  isReservedOnWindows,
  isWithin,
  openProject,
  withFile,
} from '../../../core/capabilities/paths.ts'

let base = ''
let root = ''
const project = () => ({ folder: root, dataDir: path.join(root, 'data') })
const read = (given: string) => withFile(project(), given, async ({ handle }) => (await handle.readFile()).toString())

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'paths-')))
  root = path.join(base, 'ws')
  await mkdir(path.join(root, 'docs', 'deep'), { recursive: true })
  await mkdir(path.join(base, 'ws-evil'))
  await writeFile(path.join(root, 'a.txt'), 'inside')
  await writeFile(path.join(root, '%2e%2e'), 'literal')
  await writeFile(path.join(root, 'docs', 'b.txt'), 'deeper')
  await writeFile(path.join(base, 'ws-evil', 'x'), 'secret')
  await writeFile(path.join(base, 'outside.txt'), 'secret')
})
afterEach(() => rm(base, { recursive: true, force: true }))

describe('a path that leads out of the project is refused, whether or not something is there', () => {
  const longUp = '../'.repeat(60)
  it.each([
    '../x',
    '../outside.txt',
    '..',
    'docs/../../outside.txt',
    'a/../../x',
    'docs/../..',
    '/etc/passwd',
    '/etc/no-such-file',
    '/',
    '/proc/self/mem',
    '/dev/zero',
    '../ws-evil/x',
    `${longUp}etc/passwd`,
    './/docs//..//..//outside.txt',
    '~/.ssh/id_rsa',
    '~',
    'C:\\Windows',
    'C:/Windows/win.ini',
    '\\\\?\\C:\\x',
    '\\\\host\\share',
    '..\\x',
    'docs\\..\\..\\outside.txt',
  ])('%s', async (given) => {
    await expect(findPlace(project(), given)).rejects.toMatchObject({ code: 'action.outside' })
    await expect(read(given)).rejects.toMatchObject({ code: 'action.outside' })
  })

  it('by the absolute path of a neighbour that begins with the same letters', async () => {
    await expect(read(path.join(base, 'ws-evil', 'x'))).rejects.toMatchObject({ code: 'action.outside' })
  })

  it.each([
    ['a link to a file', () => path.join(base, 'outside.txt'), 'link'],
    ['a link to a folder', () => base, 'link/outside.txt'],
    ['a link to a folder, to something that is not there', () => base, 'link/nothing.txt'],
    ['a relative link', () => '../outside.txt', 'link'],
    ['a link to nothing outside', () => '../not-there', 'link'],
    ['a link below a link to nothing outside', () => '/not-there', 'link/x'],
  ])('through %s', async (_, target, given) => {
    await symlink(target(), path.join(root, 'link'))
    await expect(read(given)).rejects.toMatchObject({ code: 'action.outside' })
  })

  it('through a chain of links that ends outside', async () => {
    await symlink('../outside.txt', path.join(root, 'l0'))
    for (let at = 1; at < 20; at += 1) await symlink(`l${at - 1}`, path.join(root, `l${at}`))
    await expect(read('l19')).rejects.toMatchObject({ code: 'action.outside' })
  })

  it('for any list of segments, whatever is read was inside', async () => {
    await symlink(base, path.join(root, 'up'))
    await symlink('docs', path.join(root, 'sub'))
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'docs',
      'deep',
      'up',
      'sub',
      'a.txt',
      'b.txt',
      'ws',
      'ws-evil',
      'x',
      'outside.txt',
      '/',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 9 }), async (segments) => {
        const text = await read(segments.join('/')).catch(() => 'refused')
        expect(['inside', 'deeper', 'refused']).toContain(text)
        const place = await findPlace(project(), segments.join('/')).catch(() => undefined)
        expect(place === undefined || isWithin(root, place.absolute)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  it('when links are swapped in while files are opened', async () => {
    await mkdir(path.join(base, 'evil'))
    await writeFile(path.join(base, 'evil', 'b.txt'), 'secret')
    let isOver = false
    const swapper = (async () => {
      while (!isOver) {
        await rename(path.join(root, 'docs'), path.join(root, 'kept'))
        await symlink(path.join(base, 'evil'), path.join(root, 'docs'))
        await rm(path.join(root, 'docs'))
        await rename(path.join(root, 'kept'), path.join(root, 'docs'))
      }
    })()
    const seen = new Set<string>()
    for (let turn = 0; turn < 2_000; turn += 1) seen.add(await read('docs/b.txt').catch((error) => error.code))
    isOver = true
    await swapper
    expect(seen).not.toContain('secret')
    for (const outcome of seen) expect(['deeper', 'action.not_found', 'action.outside']).toContain(outcome)
  })
})

describe('a path inside the project is found', () => {
  it.each([
    ['a.txt', 'a.txt'],
    ['./docs/../a.txt', 'a.txt'],
    ['docs//b.txt', 'docs/b.txt'],
    ['%2e%2e', '%2e%2e'],
  ])('%s', async (given, expected) => {
    expect(await findPlace(project(), given)).toMatchObject({ path: expected, isFolder: false })
  })

  it('by its absolute path, and as the folder itself', async () => {
    expect(await findPlace(project(), path.join(root, 'docs', 'b.txt'))).toMatchObject({ path: 'docs/b.txt' })
    expect(await findPlace(project(), '.')).toEqual({ path: '.', absolute: root, isFolder: true })
    expect(await findPlace(project(), '')).toMatchObject({ path: '.' })
  })

  it('through links that stay inside, with the name that was asked for', async () => {
    await symlink('docs', path.join(root, 'sub'))
    await symlink('sub/b.txt', path.join(root, 'short'))
    expect(await read('short')).toBe('deeper')
    expect(await findPlace(project(), 'sub/b.txt')).toMatchObject({
      path: 'sub/b.txt',
      absolute: path.join(root, 'docs', 'b.txt'),
    })
  })
})

describe('a path that cannot be read says why', () => {
  it.each([
    ['nothing.txt', 'action.not_found'],
    ['docs/nothing/b.txt', 'action.not_found'],
    ['a.txt/b', 'action.not_found'],
    ['%2e%2e/x', 'action.not_found'],
    ['a\0.txt', 'action.args'],
    ['docs', 'action.not_regular'],
    ['.', 'action.not_regular'],
  ])('%j: %s', async (given, code) => {
    await expect(read(given)).rejects.toMatchObject({ code })
  })

  it('names over 255 bytes and paths over 4,096 bytes are too long', async () => {
    await expect(read('n'.repeat(256))).rejects.toMatchObject({ code: 'action.args' })
    await expect(read(`${'d/'.repeat(2_048)}x`)).rejects.toMatchObject({ code: 'action.args' })
  })

  it('a name of 255 bytes is fine', async () => {
    const name = 'n'.repeat(255)
    await writeFile(path.join(root, name), 'long')
    expect(await read(name)).toBe('long')
  })

  it('links that lead in a circle', async () => {
    await symlink('two', path.join(root, 'one'))
    await symlink('one', path.join(root, 'two'))
    await expect(read('one')).rejects.toMatchObject({
      code: 'action.failed',
      message: expect.stringContaining('circle'),
    })
  })

  it.each(['EACCES', 'EPERM'])('permission: %s of the system becomes a text that says so', (code) => {
    const error = fileError('closed.txt', Object.assign(new Error(code), { code }))
    expect(error).toMatchObject({ code: 'action.failed', message: '"closed.txt" may not be read: permission denied' })
  })

  it('a link to nothing inside is not found', async () => {
    await symlink('nothing', path.join(root, 'dangling'))
    await expect(read('dangling')).rejects.toMatchObject({ code: 'action.not_found' })
  })

  it('a pipe does not block, a socket is no file', async () => {
    execFileSync('mkfifo', [path.join(root, 'pipe')])
    await expect(read('pipe')).rejects.toMatchObject({ code: 'action.not_regular' })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(path.join(root, 'socket'), resolve))
    await expect(read('socket')).rejects.toMatchObject({ code: 'action.not_regular' })
    await new Promise((resolve) => server.close(resolve))
  })

  it('an error names the path and what is safe, and never more than 200 characters of it', async () => {
    await expect(read('x'.repeat(2_000))).rejects.toSatisfy(
      (error) => error.message.length < 300 && /Nothing was changed/.test(error.userMessage),
    )
  })
})

describe('the project folder', () => {
  it('that is gone or is no folder is project.missing', async () => {
    await expect(openProject({ ...project(), folder: path.join(base, 'gone') })).rejects.toMatchObject({
      code: 'project.missing',
    })
    await expect(openProject({ ...project(), folder: path.join(base, 'outside.txt') })).rejects.toMatchObject({
      code: 'project.missing',
    })
  })

  it('is used without links: a link to it leads to the same place', async () => {
    await symlink(root, path.join(base, 'alias'))
    expect(await openProject({ ...project(), folder: path.join(base, 'alias') })).toEqual(project())
    expect(await findPlace(project(), path.join(base, 'alias', 'a.txt'))).toMatchObject({ path: 'a.txt' })
  })
})

it.each([
  ['CON', true],
  ['nul.txt', true],
  ['COM1', true],
  ['a:stream', true],
  ['trailing.', true],
  ['trailing ', true],
  ['console.txt', false],
  ['C:', false],
  ['..', false],
  ['notes.md', false],
])('on Windows the name %s is reserved: %s', (name, isReserved) => {
  expect(isReservedOnWindows(name)).toBe(isReserved)
})

it.each([
  ['/ws', '/ws', true],
  ['/ws', '/ws/a', true],
  ['/ws', '/ws/..a', true],
  ['/ws', '/ws-evil/a', false],
  ['/ws', '/', false],
  ['/', '/etc', true],
])('inside %s, %s: %s', (folder, candidate, isInside) => {
  expect(isWithin(folder, candidate)).toBe(isInside)
})

describe("the app's own data, where a project holds it", () => {
  beforeEach(async () => {
    await mkdir(path.join(root, 'data', 'backups'), { recursive: true })
    await writeFile(path.join(root, 'data', 'secrets.json'), 'key')
    await writeFile(path.join(root, 'data', 'backups', 'x.db'), 'chats')
  })
  const refusal = { code: 'action.outside', message: expect.stringContaining("Threadsmith's own data") }

  it.each(['data', 'data/', './docs/../data/secrets.json', 'data/secrets.json', 'data/backups/x.db'])(
    '%s is closed',
    async (given) => {
      await expect(findPlace(project(), given)).rejects.toMatchObject(refusal)
      await expect(read(given)).rejects.toMatchObject(refusal)
    },
  )

  it('is closed by its links and other names too', async () => {
    await symlink(path.join(root, 'data'), path.join(root, 'soft'))
    await link(path.join(root, 'data', 'secrets.json'), path.join(root, 'hard'))
    await expect(read('soft/secrets.json')).rejects.toMatchObject(refusal)
    await expect(read('hard')).rejects.toMatchObject(refusal)
  })

  it('leaves other files with several names alone, and folders that only begin alike', async () => {
    await link(path.join(root, 'a.txt'), path.join(root, 'b.txt'))
    await mkdir(path.join(root, 'data-2'))
    await writeFile(path.join(root, 'data-2', 'c.txt'), 'mine')
    expect(await read('b.txt')).toBe('inside')
    expect(await read('data-2/c.txt')).toBe('mine')
  })

  it('is closed where the project lies in it', async () => {
    const inside = { folder: path.join(root, 'data', 'backups'), dataDir: path.join(root, 'data') }
    await expect(findPlace(inside, '.')).rejects.toMatchObject(refusal)
  })
})
