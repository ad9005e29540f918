import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextCounter } from '../../../../core/capabilities/actions/files/text-facts.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { useProject } from './project.ts'

const project = useProject()
const facts = (asked: object) => project.run('file_facts', asked)
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

it('size, hash, lines, words and characters of each file, and their sums', async () => {
  await project.write({ 'a.txt': 'one two\nthree\n', 'sub/b.md': 'vier 👋 fünf' })
  expect(await facts({})).toEqual({
    files: [
      {
        path: 'a.txt',
        bytes: 14,
        modified: expect.stringMatching(/Z$/),
        sha256: sha256('one two\nthree\n'),
        type: 'text',
        lines: 2,
        words: 3,
        characters: 14,
      },
      {
        path: 'sub/b.md',
        bytes: 15,
        modified: expect.any(String),
        sha256: sha256('vier 👋 fünf'),
        type: 'text',
        lines: 1,
        words: 3,
        characters: 11,
      },
    ],
    total: 2,
    bytes: 29,
    lines: 3,
    words: 6,
    duplicates: [],
    errors: [],
    complete: true,
  })
})

it.each([
  ['', 0, 0, 0],
  ['\n', 1, 0, 1],
  ['a', 1, 1, 1],
  ['a\r\nb', 2, 2, 4],
  ['a\u00a0b\u3000c', 1, 3, 5],
  ['  lead and trail  \n\n', 2, 3, 20],
])('%j: %i lines, %i words, %i characters', async (content, lines, words, characters) => {
  await project.write({ 'a.txt': content })
  expect(await facts({ paths: 'a.txt' })).toMatchObject({ files: [{ lines, words, characters }] })
})

it('counts a text in pieces as it counts it whole', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 })), (pieces) => {
      const counter = createTextCounter()
      for (const piece of pieces) counter.add(piece)
      const text = pieces.join('')
      expect(counter.facts()).toEqual({
        lines: text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0),
        words: text.split(/\s+/).filter((word) => word !== '').length,
        characters: [...text].length,
      })
    }),
  )
})

describe('identical files', () => {
  it('are found, largest first', async () => {
    await project.write({
      'a.txt': 'same',
      'b/c.txt': 'same',
      'd.txt': 'much longer',
      'e.txt': 'much longer',
      'f.txt': 'own',
    })
    expect(await facts({ text: false })).toMatchObject({
      duplicates: [
        { sha256: sha256('much longer'), bytes: 11, files: 2, paths: ['d.txt', 'e.txt'] },
        { sha256: sha256('same'), bytes: 4, files: 2, paths: ['a.txt', 'b/c.txt'] },
      ],
    })
  })

  it('are not looked for without hashes', async () => {
    await project.write({ 'a.txt': 'same', 'b.txt': 'same' })
    const result = await facts({ hash: 'false' })
    expect(result.duplicates).toEqual([])
    expect(JSON.stringify(result.files)).not.toContain('sha256')
  })
})

describe('files chosen', () => {
  it.each([
    [{ pattern: '*.md' }, ['a.md', 'sub/b.md']],
    [{ pattern: 'sub/*' }, ['sub/b.md', 'sub/c.txt']],
    [{ path: 'sub' }, ['sub/b.md', 'sub/c.txt']],
    [{ path: 'sub/c.txt' }, ['sub/c.txt']],
    [{ paths: ['sub/c.txt', 'a.md', 'a.md'] }, ['sub/c.txt', 'a.md']],
  ])('%j', async (asked, expected) => {
    await project.write({ 'a.md': '1', 'sub/b.md': '2', 'sub/c.txt': '3', 'node_modules/x.md': '4', '.git/y.md': '5' })
    const { files } = await facts(asked)
    expect(Array.isArray(files) && files.map((file) => file.path)).toEqual(expected)
  })
})

describe('files that cannot be examined', () => {
  it('are errors beside the others', async () => {
    await project.write({
      'a.txt': 'a',
      'latin.txt': Buffer.from('caf\xe9', 'latin1'),
      'p.png': Buffer.from('89504e470d0a1a0a', 'hex'),
    })
    expect(await facts({ paths: ['a.txt', 'nothing', '../x', 'latin.txt', 'p.png'] })).toMatchObject({
      files: [
        { path: 'a.txt', lines: 1 },
        { path: 'latin.txt', type: 'text', sha256: expect.any(String) },
        { path: 'p.png', type: 'binary' },
      ],
      errors: [
        { path: 'nothing', code: 'action.not_found' },
        { path: '../x', code: 'action.outside' },
        { path: 'latin.txt', code: 'action.encoding', message: expect.stringContaining('Windows-1252') },
      ],
    })
  })

  it('are the error of the call when there are no others', async () => {
    await expect(facts({ paths: ['../x'] })).rejects.toMatchObject({ code: 'action.outside' })
    await expect(facts({ path: 'nothing' })).rejects.toMatchObject({ code: 'action.not_found' })
  })

  it('text that stops being UTF-8 in its middle keeps its hash and gets no counts', async () => {
    const content = Buffer.concat([Buffer.alloc(400_000, 'a'), Buffer.from([0xff])])
    await project.write({ 'a.txt': content })
    const { files, errors } = await facts({})
    expect(files).toEqual([
      { path: 'a.txt', bytes: 400_001, modified: expect.any(String), sha256: sha256(content), type: 'text' },
    ])
    expect(errors).toMatchObject([{ code: 'action.encoding' }])
  })

  it('over 2 GB are told by size only', async () => {
    const file = await open(path.join(project.folder, 'huge'), 'w')
    await file.truncate(limits.hashBytes + 1)
    await file.close()
    await expect(facts({ paths: ['huge'] })).rejects.toMatchObject({ code: 'action.too_large' })
  })
})

it('no more than 1,000 files, and the sums are over all that were examined', async () => {
  await project.write(
    Object.fromEntries(Array.from({ length: limits.factsFiles + 1 }, (_, at) => [`many/${at}.txt`, 'w x\n'])),
  )
  const result = await facts({ path: 'many' })
  expect(result).toMatchObject({ total: limits.factsFiles, lines: 1_000, words: 2_000, complete: false })
  expect(result.note).toMatch(/^Only the first 1000 files were examined\. Only \d+ files fit; the sums are over all\.$/)
  expect(await facts({ path: 'many', pattern: '1*.txt' })).toMatchObject({ total: 112 })
  expect(result.duplicates).toMatchObject([{ files: 1_000 }])
})
