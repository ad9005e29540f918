import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../../../core/domain/leaks/gate.ts'
import { findKnown } from '../../../../core/domain/leaks/known.ts'
import { scanSecrets } from '../../../../core/domain/leaks/scan.ts'
import { around, corpus } from './corpus.ts'

describe('a text with a secret of the corpus is looked at', () => {
  const gate = createGate([])
  it.each(Object.entries(around))('in %s', (_where, write) => {
    const missed = corpus.filter(({ value }) => scanSecrets(write(value)).length > 0 && !gate(write(value)))
    expect(missed.map(({ id, family }) => `${id} ${family}`)).toEqual([])
  })

  it('wherever in a long text it stands', () => {
    const rows = corpus.filter(({ value }) => scanSecrets(` ${value} `).length > 0)
    fc.assert(
      fc.property(
        fc.nat(rows.length - 1),
        fc.nat(200),
        fc.constantFrom('word ', 'x', '"a": 1, ', '/a/b-c_d'),
        (row, before, filler) => {
          const text = `${filler.repeat(before)} ${rows[row]?.value} ${filler.repeat(50)}`
          expect(gate(text) || scanSecrets(text).length === 0).toBe(true)
        },
      ),
    )
  })

  it('percent-encoded, and with hidden characters', () => {
    const rows = corpus.filter(({ expect: expected }) => expected !== 'no-match')
    const spelled = rows.flatMap(({ value }) => [encodeURIComponent(value), [...value].join('\u200b')])
    expect(spelled.filter((text) => scanSecrets(text).length > 0 && !gate(text))).toEqual([])
  })
})

describe('a text with a known secret is looked at', () => {
  const value = 'Zq7 "p\\w/' + 'x-9\nLk=='
  const gate = createGate([{ name: 'one', value }])
  const entities = [...value].map((each) => `&#${each.charCodeAt(0)};`).join('')
  const spellings = [
    value,
    JSON.stringify(value),
    JSON.stringify(JSON.stringify({ a: value })),
    encodeURIComponent(value),
    encodeURIComponent(encodeURIComponent(value)),
    entities,
    [...value].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    [...value].join('\u200b'),
    [...value].join('\u2060'),
    [...value].join(' \n'),
    Buffer.from(value).toString('hex').toUpperCase(),
    ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${value}after`).toString('base64')),
    ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${value}after`).toString('base64url')),
  ]

  it.each(spellings)('written %j', (spelling) => {
    expect(gate(`before ${spelling} after`)).toBe(true)
    expect(findKnown(`before ${spelling} after`, [{ name: 'one', value }])).not.toEqual([])
  })

  it('in a text of several blocks, across their borders', () => {
    for (let before = 65_520; before < 65_540; before += 1)
      expect(gate(`${' a'.repeat(before / 2)}${value}`)).toBe(true)
  })

  it('whatever it is, as it is and in base64', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 24, maxLength: 60 }), fc.string(), fc.string(), (secret, before, after) => {
        const secrets = [{ name: 'one', value: secret }]
        for (const text of [`${before}${secret}${after}`, Buffer.from(`${before}${secret}${after}`).toString('base64')])
          expect(createGate(secrets)(text) || findKnown(text, secrets).length === 0).toBe(true)
      }),
    )
  })
})

describe('an ordinary text is not', () => {
  it.each([
    'The key to a good token of thanks is to say it: password managers help, api keys do not.',
    'import { createGate } from "../../../../core/domain/leaks/gate.ts"',
    'https://docs.example.com/en/latest/how-to/install.html and someone@example.com',
    JSON.stringify({ result: { path: 'src/orchestrator/code-step.ts', lines: 212 }, ok: true }),
    'lm-studio',
    'id 100000000001, sum 1212121212',
  ])('%s', (text) => {
    const known = [
      { name: 'one', value: 'lm-studio' },
      { name: 'two', value: 'sk-no-key-required' },
      { name: 'three', value: 'Qw3rTy' },
      { name: 'four', value: '00000000' },
      { name: 'five', value: '12121212' },
    ]
    expect(createGate(known)(text)).toBe(false)
  })
})
