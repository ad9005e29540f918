import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findKnown } from '../../../../core/domain/leaks/known.ts'

const value = 'S3cret/+value~of one+service'
const secrets = [{ name: 'slack_bot_token', value }]
const percent = (text: string) =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

const spellings: Readonly<Record<string, string>> = {
  'as it is': value,
  'in base64': Buffer.from(value).toString('base64'),
  'in base64, one byte before it': Buffer.from(`a${value}z`).toString('base64'),
  'in base64, two bytes before it': Buffer.from(`ab${value}yz`).toString('base64'),
  'in base64url': Buffer.from(`user:${value}`).toString('base64url'),
  'in hex': Buffer.from(value).toString('hex'),
  'in upper-case hex': Buffer.from(value).toString('hex').toUpperCase(),
  'percent-encoded': encodeURIComponent(value),
  'percent-encoded, each character': percent(value),
  'percent-encoded twice': encodeURIComponent(percent(value)),
  'as JSON escapes': [...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'as a JSON string': JSON.stringify(value).replaceAll('/', '\\/'),
  'as HTML entities': [...value].map((c) => `&#${c.charCodeAt(0)};`).join(''),
  'as hexadecimal entities': [...value].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join(''),
  'with hidden characters': [...value].join('\u200b'),
  'wrapped over lines': Buffer.from(value)
    .toString('base64')
    .replace(/(.{8})/g, '$1\n'),
}

describe('a known secret', () => {
  it.each(Object.entries(spellings))('is found %s', (_how, written) => {
    const hits = findKnown(`before ${written} after`, secrets)
    expect(hits).toHaveLength(1)
    expect(hits[0]?.name).toBe('slack_bot_token')
    expect(hits[0]?.start).toBeLessThanOrEqual('before '.length + 12)
  })

  it('is found at its place', () => {
    expect(findKnown(`x${value}y${value}`, secrets)).toEqual([
      { name: 'slack_bot_token', start: 1, end: 1 + value.length },
      { name: 'slack_bot_token', start: 2 + value.length, end: 2 + 2 * value.length },
    ])
  })

  it('is found in base64 whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = Buffer.from(`${before}${value}${after}`).toString('base64')
        expect(findKnown(text, secrets)).toHaveLength(1)
      }),
    )
  })

  it('is not found where it is not', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(findKnown(text, secrets)).toEqual([])
      }),
    )
  })

  it('is not looked for when it is as short as a word', () => {
    expect(findKnown('the key is seven77', [{ name: 'short', value: 'seven77' }])).toEqual([])
  })
})
