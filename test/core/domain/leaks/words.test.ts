import { describe, expect, it } from 'vitest'
import { secretFamilies } from '../../../../core/domain/leaks/families.ts'
import { secretsInWords, secretWords } from '../../../../core/domain/leaks/words.ts'

describe('what was taken out', () => {
  it.each(secretFamilies.map(({ name }) => name))('has words for %s', (family) => {
    expect(secretWords(family)).not.toBe('secret')
  })

  it('has words for what a family is called by what was found', () => {
    expect(['pem-rsa', 'redis-url', 'stored-key'].map(secretWords)).toEqual([
      'private key',
      'database password',
      'stored key',
    ])
  })

  it('is counted', () => {
    const found = ['github-classic', 'stored-key', 'github-fine'].map((what) => ({ what }))
    expect(secretsInWords(found)).toBe('2 GitHub tokens, stored key')
  })
})
