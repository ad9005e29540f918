import { execFileSync } from 'node:child_process'
import { chmod, open, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { useProject } from './project.ts'

const project = useProject()
const read = (asked: object) => project.run('read_file', asked)
const hundred = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join('\n')

describe('a range of lines', () => {
  it.each([
    [
      'a whole file',
      'a\nb\n',
      {},
      { text: 'a\nb', fromLine: 1, toLine: 2, totalLines: 2, bytes: 4, complete: true, nextLine: null },
    ],
    ['without an end to its last line', 'a\nb', {}, { text: 'a\nb', totalLines: 2 }],
    ['of blank lines', '\n\n', {}, { text: '\n', totalLines: 2, toLine: 2 }],
    ['an empty file', '', {}, { text: '', fromLine: 1, toLine: 0, totalLines: 0, complete: true, nextLine: null }],
    ['with Windows line ends', 'a\r\nb\r\n', {}, { text: 'a\nb', totalLines: 2 }],
    ['with a byte order mark', '\ufeffa\n', {}, { text: 'a', bytes: 5 }],
    [
      'the first ones',
      hundred,
      { lines: 2 },
      { text: 'line 1\nline 2', toLine: 2, totalLines: 100, complete: false, nextLine: 3 },
    ],
    [
      'from the middle',
      hundred,
      { fromLine: '99' },
      { text: 'line 99\nline 100', toLine: 100, complete: true, nextLine: null },
    ],
    [
      'one in the middle',
      hundred,
      { fromLine: 50, lines: '1' },
      { text: 'line 50', fromLine: 50, toLine: 50, nextLine: 51 },
    ],
    ['Cyrillic and emoji', 'Привет 👋🏽\n', {}, { text: 'Привет 👋🏽' }],
  ])('%s', async (_, content, asked, expected) => {
    await project.write({ 'a.txt': content })
    expect(await read({ path: 'a.txt', ...asked })).toMatchObject({ path: 'a.txt', ...expected })
  })

  it('pages that follow nextLine give every line once', async () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `${at}: ${'x'.repeat(at % 90)}`)
    await project.write({ 'big.txt': lines.join('\n') })
    const seen: string[] = []
    let fromLine: unknown = 1
    while (typeof fromLine === 'number') {
      const page = await read({ path: 'big.txt', fromLine })
      expect(String(page.text).length).toBeLessThanOrEqual(limits.readFileCharacters)
      seen.push(...String(page.text).split('\n'))
      fromLine = page.nextLine
    }
    expect(seen).toEqual(lines)
  })

  it('a character that spans two chunks of the file is whole', async () => {
    const text = `${'a'.repeat(256 * 1_024 - 1)}é`
    await project.write({ 'a.txt': `short\n${text}\nlast ä` })
    expect(await read({ path: 'a.txt', fromLine: 3 })).toMatchObject({ text: 'last ä', totalLines: 3 })
  })

  it('a line that is too long is cut, and reading goes on after it', async () => {
    await project.write({ 'a.txt': `${'x'.repeat(limits.readFileCharacters + 1)}\nnext` })
    expect(await read({ path: 'a.txt' })).toMatchObject({
      text: 'x'.repeat(limits.readFileCharacters),
      toLine: 1,
      complete: false,
      nextLine: 2,
      note: 'Line 1 has 40001 characters; its first 40000 are shown.',
    })
    expect(await read({ path: 'a.txt', fromLine: 2 })).toMatchObject({ text: 'next', complete: true })
  })

  it('text that grows when it is written as JSON is cut earlier', async () => {
    await project.write({
      'quotes.txt': '"'.repeat(39_000),
      'hidden.txt': '\u200b\n'.repeat(20_000),
      'bells.txt': '\u0007'.repeat(30_000),
    })
    expect(await read({ path: 'quotes.txt' })).toMatchObject({ complete: false })
    expect(await read({ path: 'hidden.txt' })).toMatchObject({ complete: false })
    expect(await read({ path: 'bells.txt' })).toMatchObject({ complete: false })
  })

  it('UTF-16 with its mark is decoded and named', async () => {
    await project.write({
      'le.txt': Buffer.from('\ufeffHé\nyo\n', 'utf16le'),
      'be.txt': Buffer.from('\ufeffHé\nyo\n', 'utf16le').swap16(),
    })
    expect(await read({ path: 'le.txt' })).toMatchObject({ text: 'Hé\nyo', encoding: 'utf-16le', totalLines: 2 })
    expect(await read({ path: 'be.txt' })).toMatchObject({ text: 'Hé\nyo', encoding: 'utf-16be', totalLines: 2 })
  })
})

describe('what is not text is refused by name', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  it.each([
    ['image.png', png, 'action.binary', 'a PNG image of 16 bytes'],
    ['photo.txt', Buffer.from('ffd8ffe000104a464946', 'hex'), 'action.binary', 'a JPEG image'],
    ['doc.pdf', Buffer.from('%PDF-1.7\n'), 'action.binary', 'a PDF document'],
    ['a.zip', Buffer.from('PK\x03\x04rest'), 'action.binary', 'a ZIP archive'],
    ['a.gz', Buffer.from('1f8b0800', 'hex'), 'action.binary', 'a gzip archive'],
    ['prog', Buffer.from('7f454c46020101', 'hex'), 'action.binary', 'an ELF program'],
    ['a.db', Buffer.from('SQLite format 3\0'), 'action.binary', 'an SQLite database'],
    ['zeros', Buffer.alloc(100), 'action.binary', 'an unknown type'],
    ['noise', Buffer.from(Array.from({ length: 256 }, (_, at) => at)), 'action.binary', 'an unknown type'],
    ['latin.txt', Buffer.from('caf\xe9 cr\xe8me', 'latin1'), 'action.encoding', 'Windows-1252 or ISO-8859-1'],
    ['le.txt', Buffer.from('hello world', 'utf16le'), 'action.encoding', 'UTF-16LE without its mark'],
    ['be.txt', Buffer.from('hello world', 'utf16le').swap16(), 'action.encoding', 'UTF-16BE without its mark'],
    ['utf32.txt', Buffer.from('fffe000041000000', 'hex'), 'action.encoding', 'UTF-32LE'],
    [
      'late.txt',
      Buffer.concat([Buffer.alloc(20_000, 'a'), Buffer.from([0xe9, 0x20])]),
      'action.encoding',
      'Windows-1252',
    ],
    ['cut.txt', Buffer.concat([Buffer.alloc(20_000, 'a'), Buffer.from([0xc3])]), 'action.encoding', 'Windows-1252'],
  ])('%s', async (name, content, code, text) => {
    await project.write({ [name]: content })
    await expect(read({ path: name })).rejects.toMatchObject({ code, message: expect.stringContaining(text) })
  })
})

describe('what cannot be read', () => {
  it.each([
    [{ path: '../x' }, 'action.outside'],
    [{ path: '/etc/passwd' }, 'action.outside'],
    [{ path: 'nothing.txt' }, 'action.not_found'],
    [{ path: '.' }, 'action.not_regular'],
    [{ path: '' }, 'action.args'],
    [{ path: 'a.txt', fromLine: 0 }, 'action.args'],
    [{ path: 'a.txt', fromLine: 3 }, 'action.args'],
    [{ path: 'a.txt', fromLine: 'two' }, 'action.args'],
  ])('%j: %s', async (asked, code) => {
    await project.write({ 'a.txt': 'one\ntwo\n' })
    await expect(read(asked)).rejects.toMatchObject({ code })
  })

  it('a pipe', async () => {
    execFileSync('mkfifo', [path.join(project.folder, 'pipe')])
    await expect(read({ path: 'pipe' })).rejects.toMatchObject({ code: 'action.not_regular' })
  })

  it('a file of 1 GB: its size, the limit, and what to use instead', async () => {
    const file = await open(path.join(project.folder, 'huge.log'), 'w')
    await file.truncate(1_073_741_824)
    await file.close()
    await expect(read({ path: 'huge.log' })).rejects.toMatchObject({
      code: 'action.too_large',
      message: expect.stringMatching(/1073741824 bytes; at most 67108864 .*search_files/),
      data: { path: 'huge.log', bytes: 1_073_741_824, maxBytes: limits.readFileBytes },
    })
  })

  it('one byte over the limit is too large, the limit itself is not', async () => {
    const file = await open(path.join(project.folder, 'a.bin'), 'w')
    await file.truncate(limits.readFileBytes)
    // Nothing but zeros: it got past the limit and was looked at.
    await expect(read({ path: 'a.bin' })).rejects.toMatchObject({ code: 'action.binary' })
    await file.truncate(limits.readFileBytes + 1)
    await file.close()
    await expect(read({ path: 'a.bin' })).rejects.toMatchObject({ code: 'action.too_large' })
  })

  it.skipIf(process.getuid?.() === 0)('a file without permission (not as root, whom modes do not stop)', async () => {
    await project.write({ 'closed.txt': 'x' })
    await chmod(path.join(project.folder, 'closed.txt'), 0o000)
    await expect(read({ path: 'closed.txt' })).rejects.toMatchObject({
      code: 'action.failed',
      message: expect.stringContaining('permission'),
    })
  })

  it('but a link to a file inside can', async () => {
    await project.write({ 'docs/a.txt': 'inside' })
    await symlink('docs/a.txt', path.join(project.folder, 'short'))
    expect(await read({ path: 'short' })).toMatchObject({ path: 'short', text: 'inside' })
  })
})
