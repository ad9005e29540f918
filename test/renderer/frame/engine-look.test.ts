import { expect, test } from 'vitest'
import { engineLook } from '../../../renderer/frame/engine-look.ts'

const fault = {
  code: 'store.full',
  message: 'SQLITE_FULL',
  userMessage: 'The disk is full. What is on record is safe. Make room, then resume.',
  retryable: true,
} as const

test.each([
  ['ready', null, 'done', 'Engine ok'],
  ['readOnly', null, 'waiting', 'Read only'],
  ['starting', null, 'queued', 'Engine starts'],
  ['ready', fault, 'failed', 'Not all is recorded'],
  ['readOnly', fault, 'failed', 'Not all is recorded'],
  ['ready', { ...fault, code: 'store.corrupt' }, 'failed', 'Store damaged'],
] as const)('%s, fault %s: %s, %s', (phase, found, status, word) => {
  expect(engineLook(phase, found)).toMatchObject({ status, word })
})

test('what could not be recorded stands in the title, with its code', () => {
  expect(engineLook('ready', fault).title).toBe(`${fault.userMessage} (store.full)`)
})
