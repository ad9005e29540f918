import { expect, it } from 'vitest'
import { waitHeaders } from '../../../core/models/rate-limit.ts'

const of = (headers: Record<string, string>) => waitHeaders((name) => headers[name] ?? null)

it('of several limits the one that is used up counts', () => {
  const openAi = {
    'x-ratelimit-remaining-requests': '59',
    'x-ratelimit-reset-requests': '1s',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-tokens': '6m0s',
  }
  expect(of(openAi)).toEqual({ retryAfter: null, reset: '6m0s' })
  const anthropic = {
    'anthropic-ratelimit-requests-remaining': '40',
    'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:01Z',
    'anthropic-ratelimit-input-tokens-remaining': '0',
    'anthropic-ratelimit-input-tokens-reset': '2026-01-01T00:00:50Z',
  }
  expect(of(anthropic)).toEqual({ retryAfter: null, reset: '2026-01-01T00:00:50Z' })
})

it('a Retry-After stands beside it, and neither need be there', () => {
  expect(of({ 'retry-after': '3', 'x-ratelimit-reset': '9' })).toEqual({ retryAfter: '3', reset: '9' })
  expect(of({})).toEqual({ retryAfter: null, reset: null })
})
