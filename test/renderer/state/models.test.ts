import { expect, test } from 'vitest'
import { probeText, serverAddress } from '../../../renderer/state/models.ts'

test.each([
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['127.0.0.1:11434', 'http://127.0.0.1:11434'],
  ['localhost:1234/v1/', 'http://localhost:1234/v1'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['workshop.local:8080/v1', 'http://workshop.local:8080/v1'],
  ['models.example.net/v1', 'https://models.example.net/v1'],
  ['  https://models.example.net/v1 ', 'https://models.example.net/v1'],
  ['ftp://example.com', null],
  ['two words', null],
  ['', null],
  ['http://', null],
])('%s is the address %s', (text, address) => {
  expect(serverAddress(text)).toBe(address)
})

const probe = {
  name: 'qwen3-32b',
  provider: 'local',
  tools: true,
  parallel: true,
  contextTokens: 32_768,
  firstTokenMs: 812,
}

test('a test of a model says what it showed, and what it did not', () => {
  expect(probeText(probe)).toBe('First token after 812 ms. Can call actions, several at once, window of 32k tokens.')
  expect(probeText({ ...probe, tools: null, parallel: null, contextTokens: null, firstTokenMs: null })).toBe(
    'Answered. Actions not shown.',
  )
  expect(probeText({ ...probe, tools: false, parallel: false })).toContain('Cannot call actions, window')
})
