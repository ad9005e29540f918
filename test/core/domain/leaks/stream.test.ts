import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findKnown } from '../../../../core/domain/leaks/known.ts'
import { createRedactor } from '../../../../core/domain/leaks/redactor.ts'
import { scanSecrets } from '../../../../core/domain/leaks/scan.ts'
import { createStreamRedactor } from '../../../../core/domain/leaks/stream.ts'
import { fakeSecret } from './fake-secrets.ts'

const kept = 'correct/Horse+8attery~staple'
const known = [{ name: 'provider:one', value: kept }]
const redactor = createRedactor({ known: () => known })
const github = fakeSecret('{cat:gh}p_{b62:36}', 'one')
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${fakeSecret('{b64:64}', 'a')}\n${fakeSecret('{b64:64}', 'b')}\n-----END RSA PRIVATE KEY-----`

/** All that was shown, of a text that came in such pieces. */
function shownOf(text: string, sizes: readonly number[]): readonly string[] {
  const stream = createStreamRedactor(redactor)
  const shown: string[] = []
  let at = 0
  for (let turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    shown.push(stream.push(text.slice(at, at + size)))
    at += size
  }
  return [...shown, stream.end()]
}

const secrets: Readonly<Record<string, string>> = {
  'a kept key': kept,
  'a kept key in base64': Buffer.from(`user:${kept}!`).toString('base64'),
  'a kept key in hex': Buffer.from(kept).toString('hex'),
  'a kept key with gaps': [...kept].join(' '),
  'a kept key over two lines': `${kept.slice(0, 12)}\n${kept.slice(12)}`,
  'a token': github,
  'a bearer token': `Authorization: Bearer ${fakeSecret('{b62:40}', 'c')}9`,
  'a URL with a password': 'postgres://admin:hunter2-hunter2@db.example.com/main',
  'a private key': pem,
}

describe.each(Object.entries(secrets))('%s that comes in pieces', (_what, secret) => {
  it.each([[[1]], [[2, 3]], [[7]], [[40]], [[1_000]]])('of %j characters is never shown', (sizes) => {
    const shown = shownOf(`It is ${secret} and that was it.`, sizes).join('')
    expect(findKnown(shown, known)).toEqual([])
    expect(scanSecrets(shown)).toEqual([])
    expect(shown).toMatch(/^It is [\s\S]*\[redacted: [\s\S]* and that was it\.$/)
  })
})

describe('a text without secrets', () => {
  it('is shown whole, whatever the pieces', () => {
    const words = fc.array(fc.constantFrom('one', 'core/domain/leaks', '\n', ' ', '東京', 'https://a.example/b', '"x"'))
    fc.assert(
      fc.property(words, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (parts, sizes) => {
        expect(shownOf(parts.join(''), sizes).join('')).toBe(parts.join(''))
      }),
    )
  })

  it('is shown as it comes: only the end of a long word waits for its next letter', () => {
    const stream = createStreamRedactor(redactor)
    expect(stream.push('Thinking about it')).toBe('Thinking about it')
    expect(stream.push(' in core/domain')).toBe(' in ')
    expect(stream.push('. 東京')).toBe('core/domain. 東京')
  })

  it('is shown in parts where it has no blank at all', () => {
    const stream = createStreamRedactor(redactor)
    const shown = stream.push('ab'.repeat(20_000))
    expect(shown.length).toBeGreaterThan(10_000)
    expect(shown + stream.end()).toBe('ab'.repeat(20_000))
  })
})
