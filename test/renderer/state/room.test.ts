import { expect, test } from 'vitest'
import { roomLook } from '../../../renderer/state/room.ts'

const model = { providerId: 'lab', model: 'qwen3-8b' }

test('below 60 % of the window nothing is said, nor where nobody knows the window', () => {
  expect(roomLook({ promptTokens: 4_900, windowTokens: 8_192, fits: true }, model)).toEqual({ kind: 'none' })
  expect(roomLook({ promptTokens: 90_000, windowTokens: null, fits: true }, model)).toEqual({ kind: 'none' })
  expect(roomLook(null, model)).toEqual({ kind: 'none' })
})

test('from there on a meter shows both figures, not only their ratio', () => {
  const look = roomLook({ promptTokens: 6_144, windowTokens: 8_192, fits: true }, model)
  expect(look).toEqual({ kind: 'meter', share: 0.75, words: '6.1k of 8k tokens' })
})

test('a prompt that fits by itself may leave no room for an answer', () => {
  const look = roomLook({ promptTokens: 7_000, windowTokens: 8_000, fits: false }, model)
  expect('words' in look && look.words).toContain(
    '7.0k tokens would go to qwen3-8b, whose window holds 8k: too little is',
  )
})

test('what does not fit is said, with the model, both figures and what is safe', () => {
  const look = roomLook({ promptTokens: 9_100, windowTokens: 4_096, fits: false }, model)
  expect(look).toMatchObject({ kind: 'full' })
  expect('words' in look && look.words).toMatch(/9\.1k tokens.*qwen3-8b.*4k.*stay on record/)
})
