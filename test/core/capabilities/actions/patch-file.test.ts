import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { useProject } from './project.ts'

const project = useProject()
const at = (name: string) => path.join(project.folder, name)
const text = (name: string) => readFile(at(name), 'utf8')
const patch = (edits: object, context = {}) => project.run('patch_file', { path: 'a.txt', edits }, context)

describe('patch_file', () => {
  it('changes what occurs once, one edit after the other', async () => {
    await project.write({ 'a.txt': 'red\ngreen\nblue\n' })
    const edits = [
      { find: 'green', replace: 'grey' },
      { find: 'grey\nblue', replace: 'black' },
    ]
    expect(await patch(edits)).toEqual({ path: 'a.txt', bytes: 10, edits: 2 })
    expect(await text('a.txt')).toBe('red\nblack\n')
    expect(project.bin.trash.list({ threadId: 't1' })).toMatchObject([
      { kind: 'overwritten', file: 'a.txt', bytes: 15 },
    ])
  })

  it('takes one edit without a list, and replaces text that looks like a pattern as it is', async () => {
    await project.write({ 'a.txt': 'cost: $1 (a+b)*' })
    await patch({ find: '(a+b)*', replace: '$& $1 $$' })
    expect(await text('a.txt')).toBe('cost: $1 $& $1 $$')
  })

  it('replaces every occurrence with all', async () => {
    await project.write({ 'a.txt': 'aaaa' })
    await patch([{ find: 'aa', replace: 'b', all: true }])
    expect(await text('a.txt')).toBe('bb')
  })

  it('says how often a text occurs and on which lines, and changes nothing', async () => {
    await project.write({ 'a.txt': 'x = 1\ny = 1\nx = 1\n' })
    const edits = [
      { find: 'y', replace: 'z' },
      { find: 'x = 1', replace: 'x = 2' },
    ]
    await expect(patch(edits)).rejects.toMatchObject({
      code: 'action.conflict',
      message:
        'Edit 2: its text occurs 2 times in "a.txt", on lines 1, 3. Give more of what stands around it, or pass all: true.',
      data: { occurrences: 2, edit: 2 },
    })
    expect(await text('a.txt')).toBe('x = 1\ny = 1\nx = 1\n')
  })

  it('shows the nearest line to a text that does not occur', async () => {
    await project.write({ 'a.txt': 'alpha\n  const total = sum(rows)\nomega\n' })
    await expect(patch([{ find: 'const total = sum(row)', replace: '' }])).rejects.toMatchObject({
      message: 'Edit 1: its text does not occur in "a.txt". The nearest line is 2: "  const total = sum(rows)".',
    })
    await expect(patch([{ find: 'zzz', replace: '' }])).rejects.toMatchObject({
      message: 'Edit 1: its text does not occur in "a.txt".',
    })
  })

  it.each([
    ['CRLF', 'one\r\ntwo\r\nthree\r\n', 'one\r\n2\r\nII\r\nthree\r\n'],
    ['LF', 'one\ntwo\nthree\n', 'one\n2\nII\nthree\n'],
    ['a byte order mark and CRLF', '\ufeffone\r\ntwo\r\n', '\ufeffone\r\n2\r\nII\r\n'],
    ['mixed line ends', 'one\r\ntwo\nthree\r\n', 'one\r\n2\nII\nthree\r\n'],
    ['a lone carriage return', 'one\r\r\ntwo\r\n', 'one\r\r\n2\r\nII\r\n'],
  ])('keeps %s, and every other byte', async (_, before, after) => {
    await project.write({ 'a.txt': before })
    await patch([{ find: 'two', replace: '2\nII' }])
    expect(await text('a.txt')).toBe(after)
  })

  it.each([
    ['one\r\ntwo\r\n', 'one\ntwo', 'x\r\n'],
    ['one\ntwo\n', 'one\r\ntwo', 'x\n'],
    ['zero\none\r\ntwo\r\n', 'one\ntwo', 'zero\nx\r\n'],
  ])('line ends of an edit mean those of the file: %j', async (before, find, after) => {
    await project.write({ 'a.txt': before })
    await patch([{ find, replace: 'x' }])
    expect(await text('a.txt')).toBe(after)
  })

  it('refuses binary data, other encodings, nothing to change, and a file that is not there', async () => {
    const edits = [{ find: 'a', replace: 'b' }]
    await expect(patch(edits)).rejects.toMatchObject({ code: 'action.not_found' })
    await project.write({ 'a.txt': Buffer.from([0x61, 0, 1, 2, 0xff, 0xfe]) })
    await expect(patch(edits)).rejects.toMatchObject({ code: 'action.binary' })
    await project.write({ 'a.txt': Buffer.from('gr\u00fc\u00dfe a', 'latin1') })
    await expect(patch(edits)).rejects.toMatchObject({ code: 'action.encoding' })
    await project.write({ 'a.txt': Buffer.from('\ufeffa', 'utf16le') })
    await expect(patch(edits)).rejects.toMatchObject({ code: 'action.encoding' })
    await project.write({ 'a.txt': 'a' })
    await expect(patch([{ find: 'a', replace: 'a' }])).rejects.toMatchObject({ code: 'action.args' })
    await expect(patch([])).rejects.toMatchObject({ code: 'action.args' })
    await expect(patch([{ find: '', replace: 'a' }])).rejects.toMatchObject({ code: 'action.args' })
  })

  it('takes at most so many edits', async () => {
    await project.write({ 'a.txt': 'a' })
    const edits = Array.from({ length: limits.patchEdits }, () => ({ find: 'a', replace: 'aa', all: false }))
    const last = edits.map((edit, index) => (index === 0 ? edit : { find: 'aa', replace: 'aa' }))
    await patch(last)
    expect(await text('a.txt')).toBe('aa')
    await expect(patch([...edits, { find: 'a', replace: 'b' }])).rejects.toMatchObject({ code: 'action.args' })
  })

  it('patches files up to a size, and makes none larger', async () => {
    await writeFile(at('a.txt'), `b${' '.repeat(limits.patchFileBytes - 1)}`)
    await patch([{ find: 'b', replace: 'c' }])
    expect((await stat(at('a.txt'))).size).toBe(limits.patchFileBytes)
    await expect(patch([{ find: 'c', replace: 'cc' }], { callKey: 't1/1/2' })).rejects.toMatchObject({
      code: 'action.too_large',
    })
    await truncate(at('a.txt'), limits.patchFileBytes + 1)
    await expect(patch([{ find: 'c', replace: 'd' }], { callKey: 't1/1/3' })).rejects.toMatchObject({
      code: 'action.too_large',
    })
  })

  it('does not touch a file that changed since, and knows its own result after a crash', async () => {
    await project.write({ 'a.txt': 'one' })
    const edits = [{ find: 'one', replace: 'one and one' }]
    const { guard, change } = await project.preflight('patch_file', { path: 'a.txt', edits })
    expect(change).toEqual({ kind: 'file', path: 'a.txt', before: 'one', after: 'one and one' })
    await project.write({ 'a.txt': 'one!' })
    await expect(patch(edits, { guard })).rejects.toMatchObject({ code: 'approval.stale' })
    expect(await text('a.txt')).toBe('one!')
    await project.write({ 'a.txt': 'one' })
    await patch(edits, { guard })
    expect(await patch(edits, { guard })).toMatchObject({ note: expect.stringContaining('already') })
    expect(await text('a.txt')).toBe('one and one')
    expect(project.bin.trash.list({ threadId: 't1' })).toHaveLength(1)
  })
})
