import { expect, test } from 'vitest'
import { withLimit } from '../../../renderer/state/model-limits.ts'

const model = { providerId: 'lab', model: 'qwen3-8b' }

test('one limit of one model changes, all others stay; without any the model is left out', () => {
  const modelLimits = { 'lab/qwen3-8b': { idleMs: 5_000 }, 'lab/other': { contextTokens: 4_096 } }
  expect(withLimit({ modelLimits }, model, ['contextTokens', 32_768])).toEqual({
    modelLimits: { 'lab/qwen3-8b': { idleMs: 5_000, contextTokens: 32_768 }, 'lab/other': { contextTokens: 4_096 } },
  })
  expect(withLimit({ modelLimits }, model, ['idleMs', null])).toEqual({
    modelLimits: { 'lab/other': { contextTokens: 4_096 } },
  })
})
