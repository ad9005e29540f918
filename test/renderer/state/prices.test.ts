import { describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '../../../core/domain/settings.ts'
import { usdOf } from '../../../core/models/prices.ts'
import { priceText, pricingOf, tiersWithoutPrice, withPrice } from '../../../renderer/state/prices.ts'

function server(id: string, baseUrl: string): Settings['providers'][number] {
  return { id, kind: 'openai-compatible', title: id, baseUrl, keyName: null }
}
const settings: Settings = {
  ...defaultSettings,
  providers: [
    server('own', 'http://127.0.0.1:8080/v1'),
    server('name', 'http://localhost:1234/v1'),
    server('six', 'http://[::1]:80/v1'),
    server('far', 'https://models.example/v1'),
    server('near', 'http://192.168.1.5:8000/v1'),
    { ...server('gateway', 'http://127.0.0.1:4000/v1'), kind: 'anthropic' },
  ],
  prices: { 'far/big': { inputUsd: 2, outputUsd: 8 }, 'own/priced': { inputUsd: 0, outputUsd: 1 } },
}

describe('what a model costs', () => {
  const usage = { inputTokens: 1_000, outputTokens: 1_000 }
  test.each([
    ['far', 'big', 'price'],
    ['far', 'other', 'none'],
    ['near', 'any', 'none'],
    ['own', 'any', 'free'],
    ['own', 'priced', 'price'],
    ['name', 'any', 'free'],
    ['six', 'any', 'free'],
    ['planner', 'planner', 'free'],
    ['gateway', 'any', 'none'],
    ['gone', 'any', 'none'],
  ])('%s/%s: %s, as the meter counts it', (providerId, model, kind) => {
    const ref = { providerId, model }
    expect(pricingOf(settings, ref).kind).toBe(kind)
    const usd = usdOf(settings, ref, usage)
    expect(usd === null ? 'none' : usd === 0 ? 'free' : 'price').toBe(kind)
  })

  test('tiers that a limit in USD would stop are named', () => {
    const far = { providerId: 'far', model: 'other' }
    expect(tiersWithoutPrice({ ...settings, tiers: { ...settings.tiers, forte: far } })).toEqual(['forte'])
  })
})

test('a price reads with as many places as it has', () => {
  expect(priceText({ inputUsd: 0.25, outputUsd: 2 })).toBe('$0.25 in, $2.00 out')
  expect(priceText({ inputUsd: 3, outputUsd: 15, cachedInputUsd: 0.075 })).toBe('$3.00 in, $15.00 out, $0.075 cached')
})

test('a price is set and removed beside the others', () => {
  const ref = { providerId: 'far', model: 'a/b' }
  const set = withPrice(settings, ref, { inputUsd: 1, outputUsd: 1 })
  expect(Object.keys(set.prices ?? {})).toEqual(['far/big', 'own/priced', 'far/a/b'])
  expect(withPrice(settings, { providerId: 'far', model: 'big' }, null).prices).toEqual({
    'own/priced': { inputUsd: 0, outputUsd: 1 },
  })
})
