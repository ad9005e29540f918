import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/domain/error.ts'
import { cleanError } from '../../../../core/domain/leaks/errors.ts'
import { marksIn } from '../../../../core/domain/leaks/mark.ts'
import { createRedactor, noRedactor, shapeRedactor } from '../../../../core/domain/leaks/redactor.ts'
import { fakeSecret } from './fake-secrets.ts'

const github = fakeSecret('{cat:gh}p_{b62:36}', 'one')
const kept = 'correct/Horse+8attery~staple'
const known = [{ name: 'provider:one', value: kept }]
const redactor = createRedactor({ known: () => known })

describe('redact', () => {
  it('puts a mark in the place of each secret and says what it was and where', () => {
    const value = { result: { lines: ['a', `key ${github}!`], n: 1 }, note: kept }
    expect(redactor.redact(value)).toEqual({
      value: { result: { lines: ['a', 'key [redacted: github-classic]!'], n: 1 }, note: '[redacted: stored-key]' },
      hits: [
        { what: 'github-classic', where: 'result.lines[1]', start: 4, end: 4 + github.length },
        { what: 'stored-key', where: 'note', start: 0, end: kept.length },
      ],
    })
  })

  it('answers the very same value where there is none', () => {
    const value = { a: ['plain', { b: 2, c: null }], d: 'https://example.com/a/long/path/of/words-and-1-figure' }
    expect(redactor.redact(value).value).toBe(value)
  })

  it('looks at the keys of an object too', () => {
    expect(redactor.redact({ [github]: 1 }).value).toEqual({ '[redacted: github-classic]': 1 })
  })

  it('names a kept key as such, whatever it looks like', () => {
    const both = createRedactor({ known: () => [{ name: 'one', value: github }] })
    expect(both.text(github)).toBe('[redacted: stored-key]')
  })

  it('leaves its own marks alone', () => {
    const once = redactor.redact({ token: github, text: `Authorization: Bearer ${github}` }).value
    expect(redactor.redact(once)).toEqual({ value: once, hits: [] })
  })

  it('knows a key from the moment that it is kept', () => {
    let list: typeof known = []
    const growing = createRedactor({ known: () => list })
    expect(growing.text(kept)).toBe(kept)
    list = known
    expect(growing.text(kept)).toBe('[redacted: stored-key]')
  })

  it('leaves nothing of a known secret, wherever it stands', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom('', ' ', '"', '/'), (before, after, gap) => {
        expect(redactor.text(`${before}${gap}${kept}${gap}${after}`)).not.toContain(kept)
      }),
    )
  })

  it('finds by shape alone where no key is known, and nothing where it is switched off', () => {
    expect(shapeRedactor.text(`${github} ${kept}`)).toBe(`[redacted: github-classic] ${kept}`)
    expect(noRedactor.redact(github)).toEqual({ value: github, hits: [] })
  })
})

describe('an error that quotes a key', () => {
  const quoting = new AppError('model.auth', {
    message: `401: bad key ${kept}`,
    userMessage: `The server says: ${encodeURIComponent(kept)}`,
    data: { partialText: kept, at: [kept] },
    cause: new Error(kept),
    retryable: true,
  })

  it('loses it in every part, its cause as a whole', () => {
    const cleaned = cleanError(quoting, redactor)
    expect(cleaned).toMatchObject({
      code: 'model.auth',
      message: '401: bad key [redacted: stored-key]',
      userMessage: 'The server says: [redacted: stored-key]',
      data: { partialText: '[redacted: stored-key]', at: ['[redacted: stored-key]'] },
      retryable: true,
    })
    expect(cleaned instanceof Error && cleaned.cause).toBeUndefined()
  })

  it('is the very same one where it quotes none', () => {
    const plain = new AppError('usage', { message: 'a', userMessage: 'b', cause: new Error('c') })
    expect(cleanError(plain, redactor)).toBe(plain)
  })

  it('loses it as an error of any kind', () => {
    expect(cleanError(new TypeError(`no ${kept}`), redactor)).toMatchObject({ message: 'no [redacted: stored-key]' })
  })
})

describe('a mark', () => {
  it('is found in a value, with its path and place', () => {
    expect(marksIn({ a: ['x [redacted: npm] y'], b: '[redacted: Not One]' })).toEqual([
      { what: 'npm', where: 'a[0]', start: 2, end: 17 },
    ])
  })
})
