import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../../core/domain/settings.ts'
import { type Probe, probeFacts } from '../../../renderer/state/probes.ts'

const model = { providerId: 'lab', model: 'qwen3-8b' }
const tested: Probe = { at: 1_000, tools: true, parallel: true, contextTokens: 32_768, firstTokenMs: 812 }

function words(probe?: Probe, more: { readonly window?: number; readonly listed?: number } = {}): readonly string[] {
  const probes = probe === undefined ? {} : { 'lab/qwen3-8b': probe }
  const modelLimits = more.window === undefined ? {} : { 'lab/qwen3-8b': { contextTokens: more.window } }
  return probeFacts({ ...defaultSettings, probes, modelLimits }, model, more.listed).map(({ word }) => word)
}

describe('what is known of a model', () => {
  test('a test says whether it calls actions, how many at once, its window and its first token', () => {
    expect(words(tested)).toEqual(['actions', 'several at once', '32k window', 'first token 812 ms'])
    expect(words({ ...tested, parallel: false })).not.toContain('several at once')
    expect(words({ ...tested, firstTokenMs: null, contextTokens: null })).toEqual(['actions', 'several at once'])
  })

  test('a model without actions says so as a warning, not as a failure', () => {
    const facts = probeFacts({ ...defaultSettings, probes: { 'lab/qwen3-8b': { ...tested, tools: false } } }, model)
    expect(facts[0]).toMatchObject({ word: 'no actions', status: 'waiting' })
  })

  test('never tested is a fact of its own, and so is a test in which it called no action', () => {
    expect(words()).toEqual(['not tested'])
    expect(words({ ...tested, tools: null })).toContain('actions not shown')
    const facts = probeFacts({ ...defaultSettings, probes: { 'lab/qwen3-8b': { ...tested, tools: null } } }, model)
    expect(facts[0]?.title).toContain('answered without calling an action')
  })

  test('a failed test names its reason where it is looked at', () => {
    const error = { code: 'model.connect', userMessage: 'Nothing listens there.' }
    const facts = probeFacts({ ...defaultSettings, probes: { 'lab/qwen3-8b': { ...tested, error } } }, model)
    expect(facts[0]).toEqual({ key: 'failed', status: 'failed', word: 'test failed', title: 'Nothing listens there.' })
  })

  test('the window is what the person says, else what the test was told, else what the server lists', () => {
    expect(words(tested, { window: 8_192, listed: 131_072 })).toContain('8k window')
    expect(words(tested, { listed: 131_072 })).toContain('32k window')
    expect(words(undefined, { listed: 131_072 })).toEqual(['not tested', '128k window'])
  })

  test('nothing is in doubt about the built-in planner', () => {
    expect(probeFacts(defaultSettings, { providerId: 'planner', model: 'planner' })).toEqual([])
  })
})
