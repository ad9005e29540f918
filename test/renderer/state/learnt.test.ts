import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ErrorCode } from '../../../core/domain/error.ts'
import { decideLearnt, undoLearnt } from '../../../renderer/state/learnt.ts'
import { getApp, initialState, setApp } from '../../../renderer/state/store.ts'

const refusal = (code: ErrorCode) => ({
  ok: false,
  error: { code, message: code, userMessage: `${code} in words`, retryable: false },
})
let answers: Readonly<Record<string, unknown>> = {}
beforeEach(() => {
  setApp(initialState)
  vi.stubGlobal('window', { threadsmith: { call: async (name: string) => answers[name] } })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const decision = { id: 'lrn_1', decision: 'approve', sha256: 'a'.repeat(64) } as const
const unreadable = { 'learn.list': refusal('store.io'), 'learn.status': refusal('store.io') }
const done = { ok: true, value: {} }

test.each([
  ['learn.decide', () => decideLearnt(decision)],
  ['learn.undo', () => undoLearnt({ id: 'lrn_1' })],
] as const)('%s that was done is done, also where the list cannot be read after it', async (name, work) => {
  answers = { ...unreadable, [name]: done }
  await work()
  expect(getApp().notice?.code).toBe('store.io')
})

test.each([
  ['learn.decide', () => decideLearnt(decision)],
  ['learn.undo', () => undoLearnt({ id: 'lrn_1' })],
] as const)('%s that was refused says why, not that the list cannot be read', async (name, work) => {
  answers = { ...unreadable, [name]: refusal('learn.stale') }
  await expect(work()).rejects.toMatchObject({ code: 'learn.stale' })
})

test('after a refusal what is there now is shown', async () => {
  const status = { autoApply: false, pending: 1, live: { overlay: 0, insight: 0, setting: 0 }, fixes: 0, cursors: [] }
  answers = {
    'learn.decide': refusal('learn.stale'),
    'learn.list': { ok: true, value: [] },
    'learn.status': { ok: true, value: status },
  }
  await expect(decideLearnt(decision)).rejects.toMatchObject({ code: 'learn.stale' })
  expect(getApp().learntStatus).toEqual(status)
  expect(getApp().notice).toBeNull()
})
