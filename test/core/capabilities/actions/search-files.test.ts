import { open, symlink } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { useProject } from './project.ts'

const project = useProject()
const search = (asked: object) => project.run('search_files', asked)

describe('matching lines', () => {
  it.each([
    [{ query: 'cat' }, 4, 5],
    [{ query: 'cat', caseSensitive: true }, 3, 4],
    [{ query: 'cat', wholeWord: true }, 2, 3],
    [{ query: 'CAT', wholeWord: 'true', caseSensitive: 'true' }, 0, 0],
    [{ query: 'c.t', regex: true }, 5, 6],
    [{ query: '^a', regex: true }, 2, 2],
    [{ query: 'cat|cot', regex: true, wholeWord: true }, 3, 4],
    [{ query: 'c.t' }, 0, 0],
    [{ query: 'a*', regex: true, path: 'a.txt' }, 4, undefined],
    [{ query: 'café' }, 2, 2],
    [{ query: 'cat', path: 'sub' }, 1, 1],
    [{ query: 'cat', path: 'sub/b.md' }, 1, 1],
    [{ query: 'cat', pattern: '*.txt' }, 3, 4],
    [{ query: 'hidden' }, 0, 0],
    [{ query: 'hidden', pattern: '.*' }, 1, 1],
  ])('%j: %i lines', async (asked, totalMatches, totalOccurrences) => {
    await project.write({
      'a.txt': 'a cat, a cat\nConcatenate\nCategory\na cot\n',
      'sub/b.md': 'the cat\ncafé\n',
      'c.md': 'cafe\u0301\n',
      '.env': 'hidden\n',
    })
    expect(await search(asked)).toMatchObject({
      totalMatches,
      ...(totalOccurrences !== undefined && { totalOccurrences }),
    })
  })

  it('are shown with their place, counted by file, most first', async () => {
    await project.write({ 'a.txt': 'x\nfind me\r\n', 'sub/b.txt': 'find find\nno\nfind\n' })
    expect(await search({ query: 'find' })).toEqual({
      query: 'find',
      matches: [
        { path: 'a.txt', line: 2, text: 'find me' },
        { path: 'sub/b.txt', line: 1, text: 'find find' },
        { path: 'sub/b.txt', line: 3, text: 'find' },
      ],
      totalMatches: 3,
      totalOccurrences: 4,
      filesMatched: 2,
      filesSearched: 2,
      files: [
        { path: 'sub/b.txt', matches: 2, occurrences: 3 },
        { path: 'a.txt', matches: 1, occurrences: 1 },
      ],
      skipped: [],
      skippedTotal: 0,
      complete: true,
    })
  })

  it('are all counted when only some are shown', async () => {
    await project.write({ 'a.txt': 'hit\n'.repeat(201) })
    const result = await search({ query: 'hit', limit: limits.searchMatches })
    expect(result).toMatchObject({ totalMatches: 201, complete: false })
    expect(result.matches).toHaveLength(200)
    await expect(search({ query: 'hit', limit: limits.searchMatches + 1 })).rejects.toMatchObject({
      code: 'action.args',
    })
  })

  it('of great length are shown around the match', async () => {
    await project.write({ 'a.txt': `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}` })
    const { matches } = await search({ query: 'needle' })
    expect(matches).toEqual([{ path: 'a.txt', line: 1, text: expect.stringMatching(/^…x+needley+…$/) }])
    expect(JSON.stringify(matches).length).toBeLessThan(360)
  })

  it('stay inside the result, however they look', async () => {
    await project.write({ 'a.txt': `${'"'.repeat(299)}q\n`.repeat(200) })
    expect(await search({ query: 'q', limit: 200 })).toMatchObject({ totalMatches: 200, complete: false })
  })

  it('are counted as an independent count does', async () => {
    const text = fc.array(fc.stringMatching(/^[ab \n]{0,12}$/), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(text, fc.stringMatching(/^[ab]{1,2}$/), async (files, query) => {
        const named = Object.fromEntries(files.map((content, at) => [`p/${at}.txt`, content]))
        await project.write({ 'p/none.txt': '', ...named })
        const written = Array.from({ length: 7 }, (_, at) => named[`p/${at}.txt`])
        const paths = written.flatMap((content, at) => (content === undefined ? [] : [`p/${at}.txt`]))
        const result = await Promise.all(paths.map((name) => search({ query, path: name })))
        const sum = (key: string) => result.reduce((total, found) => total + Number(found[key]), 0)
        const lines = files.flatMap((content) => content.split('\n'))
        expect(sum('totalMatches')).toBe(lines.filter((line) => line.includes(query)).length)
        expect(sum('totalOccurrences')).toBe(lines.reduce((total, line) => total + line.split(query).length - 1, 0))
      }),
      { numRuns: 40 },
    )
  })
})

describe('what is left out is named', () => {
  it('files that are no text, too large, or links', async () => {
    await project.write({
      'a.png': Buffer.from('89504e470d0a1a0a', 'hex'),
      'latin.txt': Buffer.from('find caf\xe9', 'latin1'),
      'ok.txt': 'find',
    })
    await symlink('ok.txt', path.join(project.folder, 'again.txt'))
    const file = await open(path.join(project.folder, 'big.log'), 'w')
    await file.truncate(limits.searchFileBytes + 1)
    await file.close()
    expect(await search({ query: 'find' })).toMatchObject({
      totalMatches: 1,
      filesSearched: 1,
      skipped: [
        { path: 'a.png', reason: 'binary' },
        { path: 'big.log', reason: 'too large' },
        { path: 'latin.txt', reason: 'not UTF-8' },
      ],
      skippedTotal: 3,
      complete: true,
    })
  })

  it('but a file that was asked for by its path is an error', async () => {
    await project.write({ 'a.png': Buffer.from('89504e470d0a1a0a', 'hex') })
    await expect(search({ query: 'x', path: 'a.png' })).rejects.toMatchObject({ code: 'action.binary' })
    const file = await open(path.join(project.folder, 'big.log'), 'w')
    await file.truncate(limits.searchFileBytes + 1)
    await file.close()
    await expect(search({ query: 'x', path: 'big.log' })).rejects.toMatchObject({ code: 'action.too_large' })
  })

  it('at most 20 of them, with their number', async () => {
    await project.write(
      Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`${at}.png`, Buffer.from('89504e470d0a1a0a', 'hex')])),
    )
    const result = await search({ query: 'x' })
    expect(result.skipped).toHaveLength(20)
    expect(result.skippedTotal).toBe(25)
  })
})

describe('what is refused', () => {
  it.each([
    [{ query: '' }, 'action.args'],
    [{ query: 'a\nb' }, 'action.args'],
    [{ query: '(?<=x)y', regex: true }, 'action.args'],
    [{ query: '(a)\\1', regex: true }, 'action.args'],
    [{ query: '(', regex: true }, 'action.args'],
    [{ query: 'x', path: '..' }, 'action.outside'],
    [{ query: 'x', path: 'nothing' }, 'action.not_found'],
  ])('%j: %s', async (asked, code) => {
    await expect(search(asked)).rejects.toMatchObject({ code })
  })

  it('work after it was stopped', async () => {
    await project.write({ 'a.txt': 'x' })
    await expect(project.run('search_files', { query: 'x' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

it('an expression that would never end elsewhere ends here', async () => {
  await project.write({ 'a.txt': `${'a'.repeat(50_000)}\n` })
  expect(await search({ query: '^(a+)+$', regex: true })).toMatchObject({ totalMatches: 1 })
  expect(await search({ query: '^(a+)+b', regex: true })).toMatchObject({ totalMatches: 0 })
})

it('other work goes on while a long search runs', async () => {
  await project.write({ 'a.txt': 'some words on a line\n'.repeat(400_000) })
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await search({ query: 'no.such', regex: true })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
})
