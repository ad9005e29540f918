import { describe, expect, test } from 'vitest'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import type { ErrorCode } from '../../../core/domain/error.ts'
import { defaultSettings } from '../../../core/domain/settings.ts'
import { keyText, providerLook, removalConsequences } from '../../../renderer/state/providers.ts'

function provider(patch: Partial<ProviderStatus> = {}): ProviderStatus {
  const models = [{ providerId: 'open', model: 'gpt', title: 'gpt', contextTokens: null }]
  return {
    ...{ id: 'open', kind: 'openai', title: 'OpenAI', baseUrl: null, keyName: 'provider:open:1', hasKey: true, models },
    ...patch,
  }
}
function broken(code: ErrorCode, patch: Partial<ProviderStatus> = {}): ProviderStatus {
  return provider({ models: [], error: { code, message: '', userMessage: '', retryable: false }, ...patch })
}

describe('a provider', () => {
  test.each([
    [provider(), 'done', '1 model'],
    [broken('model.auth'), 'failed', 'key refused'],
    [broken('model.auth', { hasKey: false }), 'failed', 'wants a key'],
    [broken('secret.unavailable', { hasKey: false }), 'waiting', 'key cannot be read'],
    [broken('model.connect'), 'failed', 'not reached'],
    [broken('model.html'), 'failed', 'not answering'],
  ])('%# shows as %s: %s', (status, look, word) => {
    expect(providerLook(status)).toEqual({ status: look, word })
  })

  test('a key that cannot be read is never called missing', () => {
    expect(keyText(broken('secret.unavailable', { hasKey: false }))).toBe('its key is there, but cannot be read')
    expect(keyText(provider({ hasKey: false, keyName: null }))).toBe('without a key')
    expect(keyText(provider())).toBe('with a key')
  })
})

describe('removing a provider says what comes of it', () => {
  const own = { providerId: 'open', model: 'gpt' }
  const { tiers } = defaultSettings

  test('which tiers go back to the planner, that the key goes, and what stays', () => {
    expect(removalConsequences({ tiers: { ...tiers, allegro: own, forte: own } }, provider())).toEqual([
      'Default and Deep go back to the built-in planner.',
      'Its key is deleted from this computer.',
      'Threads on record keep all that it said.',
    ])
    expect(removalConsequences({ tiers: { ...tiers, minuet: own } }, provider())[0]).toBe(
      'Fast goes back to the built-in planner.',
    )
    expect(removalConsequences({ tiers: { minuet: own, allegro: own, forte: own } }, provider())[0]).toBe(
      'Fast, Default and Deep go back to the built-in planner.',
    )
  })

  test('or that nothing uses it', () => {
    expect(removalConsequences({ tiers }, provider({ keyName: null }))).toEqual([
      'No tier uses it now.',
      'Threads on record keep all that it said.',
    ])
  })
})
