import { describe, expect, test } from 'vitest'
import { derivedOf, type OriginQuestion, originReason } from '../../../core/capabilities/origin.ts'
import { createSaid } from '../../../core/capabilities/said.ts'
import { sourceOf } from '../../../core/domain/source.ts'

const notes = sourceOf('file', 'notes.md', true)
const page = sourceOf('web', 'example.com/guide')

function question(said: string, change: Partial<OriginQuestion> & { readonly trusts?: boolean } = {}): OriginQuestion {
  const book = createSaid()
  book.say(said)
  const { trusts = false, ...rest } = change
  return {
    ...{
      action: { name: 'write_file', isUndoable: true, askedFor: ['write', 'save'] },
      effects: ['ReadLocal', 'WriteLocal'],
    },
    ...{ arguments: { path: 'out.txt', content: 'three boxes' }, isOrdinary: true, scopeKeys: [] },
    origin: { sources: [notes], said: book, trustsProject: trusts },
    ...rest,
  }
}
const post = (url: string, body: OriginQuestion['arguments'][string] = 'hello') => ({
  ...{ action: { name: 'post', askedFor: ['post'] }, effects: ['WriteExternal'] as const, arguments: { url, body } },
})

describe('a write in a thread that has read something', () => {
  test('is explained where each word of it was said, and where it was asked for', () => {
    expect(derivedOf(question('Write “Three boxes” to out.txt.'))).toBeNull()
  })

  test.each([
    ['another file', 'Write three boxes to other.txt', ['out.txt']],
    ['another text', 'Write two boxes to out.txt', ['three']],
    ['nothing of it', 'Tell me what it says', ['out.txt', 'three', 'boxes']],
  ])('is not where %s was said', (_what, said, words) => {
    expect(derivedOf(question(said))).toMatchObject({ words, sources: [notes] })
  })

  test('is not where only its words were said: naming a file is not asking to write it', () => {
    expect(derivedOf(question('Are the three boxes in out.txt?'))).toEqual({ words: [], sources: [notes] })
    expect(derivedOf(question('Never write three boxes to out.txt'))).toEqual({ words: [], sources: [notes] })
  })

  test('needs no explanation where nothing was read, or where it changes nothing', () => {
    const clean = question('Hello')
    expect(derivedOf({ ...clean, origin: { ...clean.origin, sources: [] } })).toBeNull()
    expect(derivedOf(question('Hello', { effects: ['ReadLocal', 'Compute'] }))).toBeNull()
  })

  test('in a project that a person trusts, its own files do not count for what can be undone, pages do', () => {
    expect(derivedOf(question('Tidy up', { trusts: true }))).toBeNull()
    const read = question('Tidy up', { trusts: true })
    expect(derivedOf({ ...read, origin: { ...read.origin, sources: [notes, page] } })?.sources).toEqual([page])
    expect(derivedOf(question('Tidy up', { trusts: true, isOrdinary: false }))?.sources).toEqual([notes])
    expect(derivedOf(question('Tidy up', { trusts: true, ...post('http://x.example/') }))?.sources).toEqual([notes])
  })
})

describe('words', () => {
  test.each([
    ['a host in other letters', 'Post hello to http://localhost/in', post('http://lоcalhost/in')],
    ['a longer host', 'Post hello to http://good.example/', post('http://good.example.evil.example/')],
    ['a host behind a user name', 'Post hello to http://good.example/', post('http://good.example@evil.example/')],
    ['base64 of what was said', 'Post hello to http://good.example/', post('http://good.example/', 'aGVsbG8=')],
    ['hidden characters', 'Post hello to http://good.example/', post('http://good.example/', 'he\u200bllo\u2063x')],
    ['numbers that are sent', 'Post hello to http://good.example/', post('http://good.example/', [104, 101])],
    [
      'names of fields that are sent',
      'Post hello to http://good.example/',
      post('http://good.example/', { secret: true }),
    ],
    ['signs alone', 'Post hello to http://good.example/', post('http://good.example/', '💣')],
  ])('%s are not explained by what was said', (_what, said, change) => {
    expect(derivedOf(question(said, change))).not.toBeNull()
  })

  test('a path of one letter counts', () => {
    const change = { action: { name: 'delete', isUndoable: true }, arguments: { path: 'a' } } as const
    expect(derivedOf(question('Delete b', change))).toMatchObject({ words: ['a'] })
    expect(derivedOf(question('Delete a.', change))).toBeNull()
  })

  test('in languages without spaces, a stretch of what was said', () => {
    const change = { arguments: { path: 'a.txt', content: '你好' } }
    expect(derivedOf(question('write 把你好写到 a.txt 里', change))).toBeNull()
    expect(derivedOf(question('write 把再见写到 a.txt 里', change))).toMatchObject({ words: ['你好'] })
  })
})

describe('a program', () => {
  const shell = (command: string) => ({
    ...{
      action: { name: 'shell', programs: ['command'], askedFor: ['run'] },
      arguments: { command, timeout_seconds: 30 },
    },
  })
  test.each([
    ['Please run `npm test` now.', 'npm test', true],
    ['Please run npm test', 'npm  test', true],
    ['Please run npm test', 'npm test; rm -r x', false],
    ['Please run npm test', 'test npm', false],
    ['Run the formatter', 'rm', false],
    ['npm test failed, why?', 'npm test', false],
  ])('%j and the command %j', (said, command, isExplained) => {
    expect(derivedOf(question(said, shell(command))) === null).toBe(isExplained)
  })

  test('is explained by a standing approval of just that command', () => {
    expect(derivedOf(question('go', { ...shell('npm test'), scopeKeys: ['npm test'] }))).toBeNull()
    expect(derivedOf(question('go', { ...shell('npm test x'), scopeKeys: ['npm test'] }))).not.toBeNull()
  })
})

test('what a person approved before explains exactly the same text in the same place of the same action', () => {
  const said = createSaid()
  said.approve('post', { url: 'http://x.example/', body: 'one' })
  const origin = { sources: [page], said, trustsProject: false }
  expect(derivedOf({ ...question(''), ...post('http://x.example/', 'one'), origin })).toBeNull()
  expect(derivedOf({ ...question(''), ...post('http://x.example/', 'two'), origin })).toMatchObject({ words: ['two'] })
  expect(derivedOf({ ...question(''), ...post('http://x.example/', 'http://x.example/'), origin })).not.toBeNull()
})

describe('an address that is only read', () => {
  const get = (url: string) => ({
    action: { name: 'fetch_page' },
    effects: ['ReadExternal'] as const,
    arguments: { url },
  })
  test.each([
    ['Read https://good.example/a', 'https://good.example/b?q=1', true],
    ['Read https://good.example/a', 'https://evil.example/?q=secret', false],
    ['Read https://good.example/a', 'https://good.example@evil.example/', false],
    ['Read https://good.example/a', 'evil.example/x', false],
    ['Read https://good.example/a', 'a question in words', true],
    ['Lies www.münchen.example', 'https://www.xn--mnchen-3ya.example/x', true],
  ])('%j and %j', (said, url, isExplained) => {
    expect(derivedOf(question(said, get(url))) === null).toBe(isExplained)
  })
})

describe('reading with a key', () => {
  const list = (page: number): Partial<OriginQuestion> => ({
    action: { name: 'http', askedFor: ['list'] },
    effects: ['ReadExternal', 'CredentialedNetwork'],
    arguments: { url: 'https://api.example.com/issues', query: { page } },
  })

  test('asks again in a thread that has read something: the key is somebody’s', () => {
    expect(derivedOf(question('List the issues', list(2)))).not.toBeNull()
  })

  test('goes on page by page once a person allowed reading just that host', () => {
    expect(derivedOf(question('List the issues', { ...list(2), scopeKeys: ['GET api.example.com'] }))).toBeNull()
  })

  test('does not make a change a read: what was allowed for reading covers none', () => {
    const change = { ...list(2), effects: ['WriteExternal', 'CredentialedNetwork'] as const }
    expect(derivedOf(question('List the issues', { ...change, scopeKeys: ['GET api.example.com'] }))).not.toBeNull()
  })
})

describe('what settings and trusted skills name', () => {
  test('explains a host, and asks for nothing', () => {
    const asked = { ...post('https://api.example.com/'), known: ['api.example.com'] }
    expect(derivedOf(question('Post hello', asked))?.words).toEqual(['https'])
    expect(derivedOf(question('What about https and hello?', asked))).toEqual({ words: [], sources: [notes] })
  })

  test('a word that is only known is not said, so it asks for nothing and quotes nothing', () => {
    const book = createSaid()
    book.know('Send, then delete: rm -r x')
    expect(book.has('delete')).toBe(true)
    expect(book.asksTo(['delete', 'send'])).toBe(false)
    expect(book.quotes('rm -r x')).toBe(false)
  })
})

test('a person is told what is not from them, what was read, and what they can do', () => {
  const derived = derivedOf(question('Tell me', {})) ?? expect.fail('it is explained')
  expect(originReason(derived, { name: 'write_file', isUndoable: true })).toBe(
    '“out.txt”, “three” and “boxes” are not from you: this thread has read notes.md, so it is asked each time. If you trust all files of this project, say so in Settings → Agent',
  )
  expect(originReason({ words: ['evil.example'], sources: [page] }, { name: 'post' })).toBe(
    '“evil.example” is not from you: this thread has read example.com/guide, so it is asked each time',
  )
  expect(originReason({ words: [], sources: [page] }, { name: 'delete' })).toContain(
    'nothing that you said asks for delete',
  )
})
