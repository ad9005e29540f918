import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listBackups, openStore, restoreBackup, type Store, storePath } from '../../../core/store/store.ts'
import { bundle } from '../../support/bundle.ts'
import { contentDir, temporaryFolder } from '../../support/engine.ts'

let [built, workerEntry] = ['', '']
beforeAll(async () => {
  fs.mkdirSync(path.join(contentDir, 'test-results'), { recursive: true })
  built = fs.mkdtempSync(path.join(contentDir, 'test-results/killed-'))
  workerEntry = path.join(built, 'store-worker.js')
  await bundle({
    folder: built,
    input: { 'killed-at': 'test/core/store/killed-at.ts', 'store-worker': 'core/store/worker.ts' },
  })
}, 60_000)
afterAll(() => fs.rmSync(built, { recursive: true }))

const open = (dataDir: string): Store => openStore({ dataDir, readOnly: false, workerEntry })
const addProject = (store: Store, id: string) =>
  store.transaction(() => store.projects.insert({ id, folder: `/${id}`, name: id, createdAt: 1 }))
const projectsOf = (store: Store) => store.projects.list().map((project) => project.id)

type Job = 'open' | 'restore' | 'set aside'

/** Does the job in a process of its own that is killed (-9) at its n-th step. */
function killAt(step: number, job: Job, dataDir: string): Promise<'done' | 'killed'> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(built, 'killed-at.js'), [String(step), job, dataDir, workerEntry])
    let isDone = false
    child.on('message', () => {
      isDone = true
    })
    child.on('exit', (code, signal) => {
      if (isDone) resolve('done')
      else if (signal === 'SIGKILL') resolve('killed')
      else reject(new Error(`step ${step} of ${job}: the process ended with ${code}`))
    })
  })
}

/** Kills the job at each of its steps, every time on a folder made anew. Answers at how many. */
async function atEachStep(job: Job, make: () => Promise<string>, look: (dataDir: string) => Promise<void>) {
  for (let step = 1; ; step += 1) {
    const dataDir = await make()
    const end = await killAt(step, job, dataDir)
    await look(dataDir)
    if (end === 'done') return step - 1
  }
}

test('a first start that is killed, at whatever step, is followed by a start that succeeds', {
  timeout: 600_000,
}, async () => {
  const steps = await atEachStep(
    'open',
    async () => temporaryFolder(),
    async (dataDir) => {
      const store = open(dataDir)
      addProject(store, 'first')
      expect(projectsOf(store)).toEqual(['first'])
      expect(await store.check()).toBe('ok')
      await store.close()
    },
  )
  expect(steps).toBeGreaterThan(5)
})

async function storeWithBackup(): Promise<string> {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  addProject(store, 'kept')
  await store.backup('daily')
  addProject(store, 'later')
  await store.close()
  return dataDir
}

test('a restore that is killed, at whatever step, never leads to a fresh empty store, and can be done again', {
  timeout: 600_000,
}, async () => {
  const steps = await atEachStep('restore', storeWithBackup, async (dataDir) => {
    if (fs.existsSync(storePath(dataDir))) {
      const store = open(dataDir)
      expect([['kept'], ['kept', 'later']]).toContainEqual(projectsOf(store).toSorted())
      await store.close()
    } else {
      expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'store.empty' }))
    }
    restoreBackup(dataDir, listBackups(dataDir)[0]?.path ?? '')
    const restored = open(dataDir)
    expect(projectsOf(restored)).toEqual(['kept'])
    await restored.close()
  })
  expect(steps).toBeGreaterThan(4)
})

test('setting a store aside that is killed half-way leaves the store, or asks again: nothing is lost', {
  timeout: 600_000,
}, async () => {
  const steps = await atEachStep('set aside', storeWithBackup, async (dataDir) => {
    const isAside = fs.existsSync(`${storePath(dataDir)}.aside-1`)
    expect(isAside).not.toBe(fs.existsSync(storePath(dataDir)))
    if (isAside && fs.existsSync(path.join(dataDir, 'store.made'))) {
      expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'store.empty' }))
      return
    }
    const store = open(dataDir)
    expect(projectsOf(store).toSorted()).toEqual(isAside ? [] : ['kept', 'later'])
    await store.close()
  })
  expect(steps).toBeGreaterThan(1)
})
