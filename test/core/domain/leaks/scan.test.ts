import { describe, expect, it } from 'vitest'
import { scanSecrets } from '../../../../core/domain/leaks/scan.ts'
import { around, corpus } from './corpus.ts'
import { fakeSecret } from './fake-secrets.ts'

describe.each(Object.keys(around))('in %s', (context) => {
  it.each(corpus)('$id $family: $expect', ({ expect: expected, family, value }) => {
    const text = around[context]?.(value) ?? ''
    const hits = scanSecrets(text)
    if (expected === 'no-match') return expect(hits).toEqual([])
    expect(hits).toHaveLength(1)
    // What a PEM or a URL is called depends on how it is written there.
    if (!/^pem/.test(family)) expect(hits[0]?.family).toBe(family)
  })
})

describe('a secret', () => {
  const key = fakeSecret('{cat:gh}p_{b62:36}', 'one')

  it('is found with hidden characters inside it', () => {
    const text = `x ${key.slice(0, 9)}\u200b${key.slice(9)} y`
    expect(scanSecrets(text)).toEqual([{ family: 'github-classic', start: 2, end: 2 + key.length + 1 }])
  })

  it('is found percent-encoded, at its place in the text', () => {
    const encoded = [...key].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('')
    expect(scanSecrets(`a=${encoded}&b`)).toEqual([{ family: 'github-classic', start: 2, end: 2 + encoded.length }])
  })

  it('is found each time it stands there', () => {
    expect(scanSecrets(`${key} ${key}`)).toHaveLength(2)
  })
})

it('looks at a megabyte of prose without a hit', () => {
  const prose = 'The key to a good token of thanks is to say it: password managers help, api keys do not. '.repeat(
    12_000,
  )
  expect(scanSecrets(prose)).toEqual([])
})
