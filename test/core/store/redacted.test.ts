import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../../core/domain/leaks/redactor.ts'
import { createEvents } from '../../../core/events/events.ts'
import { openStore } from '../../../core/store/store.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { fakeSecret } from '../domain/leaks/fake-secrets.ts'

const workerEntry = new URL('../../../core/store/worker.ts', import.meta.url).pathname
const token = fakeSecret('{cat:gh}p_{b62:36}', 'store')
const kept = 'correct/Horse+8attery~staple'
const known = [{ name: 'one', value: kept }]

function open() {
  const dataDir = temporaryFolder()
  const store = openStore({ dataDir, readOnly: false, workerEntry, redactor: createRedactor({ known: () => known }) })
  const events = createEvents({ store, now: () => 1, onListenerFault: () => undefined })
  return { store, events, bytes: () => fs.readFileSync(store.file, 'latin1') }
}

/** As from a module that forgot it. */
describe('what is written without having been looked at', () => {
  test('an event has marks in its facts and in its body; whoever appended it gets it so', async () => {
    const { store, events, bytes } = open()
    const heard: string[] = []
    events.subscribe(0, (batch) => heard.push(JSON.stringify(batch)))
    const status = { kind: 'status', data: { text: `now with ${token}` } } as const
    const said = {
      kind: 'message.added',
      data: { role: 'user', preview: kept },
      body: { content: `${kept} and ${'long '.repeat(1_000)}` },
    } as const
    const appended = events.commit((append) => [append('thr_1', status), append('thr_1', said)])
    const staged = events.commitStaged([{ ...status, threadId: 'thr_1', at: 1 }])
    events.close()
    expect(JSON.stringify([appended, staged, store.events.ofThread('thr_1', 0, 10)])).not.toMatch(/ghp_|8attery/)
    expect(appended[0]?.data).toEqual({ text: 'now with [redacted: github-classic]' })
    expect(heard.join('')).not.toMatch(/ghp_|8attery/)
    await store.close()
    expect(bytes()).not.toMatch(/ghp_|8attery/)
  })

  test('a row of any other table has marks, and JSON in it stays JSON', async () => {
    const { store, bytes } = open()
    const value = JSON.stringify({ note: `a "quoted" ${kept}`, list: [token], n: 1 })
    store.transaction(() => {
      store.settings.set('profile', value)
      store.projects.insert({ id: 'prj_1', name: `project ${token} ${kept}`, folder: '/nowhere', createdAt: 1 })
    })
    const stored = store.settings.all().find(({ name }) => name === 'profile')
    expect(JSON.parse(stored?.value ?? '')).toEqual({
      note: 'a "quoted" [redacted: stored-key]',
      list: ['[redacted: github-classic]'],
      n: 1,
    })
    await store.close()
    expect(bytes()).not.toMatch(/ghp_|8attery/)
  })
})
