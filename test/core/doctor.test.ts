import { describe, expect, test } from 'vitest'
import { type DoctorParts, examine } from '../../core/doctor.ts'
import { AppError } from '../../core/domain/error.ts'
import { noSecrets } from '../../core/secrets.ts'
import { startEngine } from '../support/engine.ts'

const dayMs = 24 * 3_600_000
const kept = { ...noSecrets('none'), backend: 'a keyring', isProtected: true }

/** One check of an engine that is well but for what the test says. */
async function check(name: string, changed: Partial<DoctorParts>) {
  const { store } = await startEngine()
  const vm = { state: { kind: 'done', value: 42, printed: '' }, close: () => undefined } as const
  const checks = await examine(
    {
      dataDir: import.meta.dirname,
      store,
      sandbox: { start: async () => vm },
      models: { list: async () => [] },
      secrets: kept,
      runtime: 'Node 24.21.0',
      now: () => now,
      ...changed,
    },
    AbortSignal.timeout(60_000),
  )
  return checks.find((each) => each.name === name)
}

const now = 100 * dayMs
/** A store whose events and backups are as many days old as listed, oldest event first, newest backup first. */
async function storeOf(eventDays: readonly number[], backupDays: readonly number[]): Promise<DoctorParts['store']> {
  const { store } = await startEngine()
  const events = eventDays.map((days, at) => ({
    seq: at + 1,
    threadId: 'thr_1',
    at: now - days * dayMs,
    kind: 'status' as const,
    data: { text: '' },
  }))
  return {
    ...store,
    events: { lastSeq: () => events.length, since: (seq, max) => events.slice(seq, seq + max) },
    backups: () => backupDays.map((days) => ({ path: `${days}.db`, at: now - days * dayMs, bytes: 1 })),
  }
}

describe('every check can fail, and then says what mends it', () => {
  test.each([
    ['Node 22.11.0', false],
    ['Node 20.19.1', false],
    ['Node 22.12.0', true],
    ['Node 24.21.0', true],
    // The Node of an Electron is not the person's to choose, and was tried.
    ['Node 20.18.1, Electron 33.2.1, Chrome 130', true],
  ])('runtime: %s', async (runtime, ok) => {
    const found = await check('runtime', { runtime })
    expect(found).toMatchObject({ ok, detail: runtime, mend: ok ? null : expect.stringContaining('22.12') })
  })

  test.each([
    ['nothing recorded yet', [], [], true],
    ['two days of events, no backup', [2], [], true],
    ['more than two days of events, no backup', [2.1, 1], [], false],
    ['a backup of two days ago', [9, 1], [2, 3], true],
    ['a backup of more than two days ago, and events since', [9, 1], [2.1, 3], false],
    ['an older backup, and no events since', [9, 8], [7, 7.5], true],
  ])('backups: %s', async (_, events, backups, ok) => {
    const found = await check('backups', { store: await storeOf(events, backups) })
    expect(found).toMatchObject({ ok, mend: ok ? null : expect.stringContaining('one a day') })
  })

  test.each([
    ['protected', kept, true, 'a keyring'],
    ['obscured only', { ...kept, backend: 'only obscured', isProtected: false }, false, 'only obscured'],
    ['not reached from here', noSecrets('no passphrase'), true, 'not reached from here: no passphrase'],
  ])('keychain: %s', async (_, secrets, ok, detail) => {
    expect(await check('keychain', { secrets })).toMatchObject({ ok, detail, mend: ok ? null : expect.any(String) })
  })

  test('data folder: one that is not there', async () => {
    expect(await check('data folder', { dataDir: '/does/not/exist' })).toMatchObject({
      ok: false,
      mend: expect.stringContaining('--data'),
    })
  })

  test('store: one that is damaged', async () => {
    const { store } = await startEngine()
    const found = await check('store', { store: { ...store, check: async () => 'page 3 is never used' } })
    expect(found).toMatchObject({ ok: false, detail: 'page 3 is never used', mend: expect.any(String) })
  })

  test('sandbox: one that does not start', async () => {
    const start = () => Promise.reject(new AppError('sandbox.died', { message: 'gone', userMessage: 'Gone.' }))
    expect(await check('sandbox', { sandbox: { start } })).toMatchObject({ ok: false, detail: 'gone' })
  })
})

describe('models', () => {
  const server = (code: 'model.connect' | 'secret.unavailable', data = {}) => ({
    list: async () => [
      {
        id: 'prv_1',
        kind: 'ollama' as const,
        title: 'Mine',
        baseUrl: 'http://127.0.0.1:9',
        keyName: 'k',
        hasKey: false,
        models: [],
        error: { code, message: '', userMessage: '', retryable: true, data },
      },
    ],
  })

  test('a server that does not answer fails', async () => {
    expect(await check('models', { models: server('model.connect') })).toMatchObject({
      ok: false,
      detail: 'Mine: model.connect',
    })
  })

  test('a key that only the app can reach is no fault of the server', async () => {
    const models = server('secret.unavailable', { keptElsewhere: true })
    expect(await check('models', { models })).toMatchObject({
      ok: true,
      detail: 'Mine: its key is kept by the app',
    })
    expect(await check('models', { models: server('secret.unavailable') })).toMatchObject({ ok: false })
  })
})
