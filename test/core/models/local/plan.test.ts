import { expect, it } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import type { LocalModelSettings } from '../../../../core/domain/settings.ts'
import { planWindow } from '../../../../core/models/local/plan.ts'

const gb = 1024 ** 3
/** As Qwen3 4B: 144 kB of cache for each token. */
const model: LocalModelSettings = {
  ...{ name: 'm', title: 'M', file: '/m.gguf', bytes: 2.3 * gb, purpose: 'chat', architecture: 'qwen3' },
  ...{ trainedTokens: 40_960, cacheBytesPerToken: 147_456, contextTokens: null, threads: null },
}

it.each([
  ['a model trained for more gets the usual window', model, limits.localContextTokens],
  [
    'one trained for one less gets that',
    { ...model, trainedTokens: limits.localContextTokens - 1 },
    limits.localContextTokens - 1,
  ],
  ['one that does not say gets a small one', { ...model, trainedTokens: null }, 2_048],
  ['what a person set counts, above the usual too', { ...model, contextTokens: 16_384 }, 16_384],
  ['an embedder needs no more than the start of a text', { ...model, purpose: 'embedding' as const }, 2_048],
])('%s', (_what, given, tokens) => {
  expect(planWindow(given, 64 * gb)).toBe(tokens)
})

it('where the memory is short the window is what fits, in steps of 256', () => {
  const tokens = planWindow(model, 3 * gb)
  expect(tokens).toBeGreaterThan(1_024)
  expect(tokens).toBeLessThan(limits.localContextTokens)
  expect(tokens % 256).toBe(0)
})

it('what does not fit is refused with both figures, and so is a window that a person set too large', () => {
  for (const [given, free] of [
    [model, 2.4 * gb],
    [{ ...model, contextTokens: 32_768 }, 4 * gb],
  ] as const) {
    expect(() => planWindow(given, free)).toThrow(
      expect.objectContaining({ code: 'local.load', data: expect.objectContaining({ freeBytes: free }) }),
    )
  }
})
