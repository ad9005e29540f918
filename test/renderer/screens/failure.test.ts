import { expect, test } from 'vitest'
import type { ErrorCode } from '../../../core/domain/error.ts'
import { failureLook } from '../../../renderer/screens/chat/failure.ts'

function look(code: ErrorCode, partialText = '') {
  return failureLook({ error: { code, message: '', userMessage: '', retryable: true }, partialText })
}

test.each([
  ['model.auth', 'key'],
  ['secret.unavailable', 'key'],
  ['http.credential', 'connect'],
  ['model.none', 'model'],
  ['model.not_found', 'model'],
  ['model.tools', 'model'],
  ['model.template', 'model'],
  ['model.overflow', 'window'],
  ['model.rate_limit', 'retry'],
  ['model.loading', 'retry'],
  ['model.connect', 'retry'],
  ['model.stream', 'retry'],
  ['orchestrator.failed', 'retry'],
] as const)('after %s the first thing on offer is: %s', (code, next) => {
  expect(look(code).next).toBe(next)
})

test('what had been said already makes it a stop in mid-answer, not a missing answer', () => {
  expect(look('model.stream', 'The first half').title).toBe('The model stopped in mid-answer')
  expect(look('model.stream').title).toBe('The model gave no answer')
  expect(look('model.timeout').title).toBe('The model did not answer in time')
  expect(look('sandbox.died').title).toBe('The thread could not go on')
})

test('every class of model error has a title of its own', () => {
  const codes = [
    'model.auth',
    'model.none',
    'model.not_found',
    'model.tools',
    'model.template',
    'model.overflow',
  ] as const
  const more = ['model.rate_limit', 'model.loading', 'model.connect', 'model.timeout', 'model.stream'] as const
  const titles = [...codes, ...more].map((code) => look(code).title)
  expect(new Set(titles).size).toBe(titles.length)
})
