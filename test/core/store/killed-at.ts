// `node killed-at.js <n> <job> <dataDir> <workerEntry>`: does one thing to a store and kills itself at its n-th step, where
// a step is a call that changes a file. Says `done` over IPC when it got to the end before.
import fs from 'node:fs'
import Database from 'better-sqlite3'
import { listBackups, openStore, restoreBackup, setStoreAside } from '../../../core/store/store.ts'

const [nText = '', job = '', dataDir = '', workerEntry = ''] = process.argv.slice(2)
let stepsLeft = Number(nText)

function dieWhenDue(): void {
  stepsLeft -= 1
  if (stepsLeft === 0) process.kill(process.pid, 'SIGKILL')
}

/** Dies before the call: what came before it is on disk, the call itself is not. */
function countSteps(target: object, names: readonly string[]): void {
  for (const name of names) {
    const real: unknown = Reflect.get(target, name)
    if (typeof real !== 'function') throw new Error(`there is no ${name}`)
    const counted = new Proxy(real, {
      apply(call, self, args) {
        dieWhenDue()
        return Reflect.apply(call, self, args)
      },
    })
    Reflect.set(target, name, counted)
  }
}

const copyWhole = fs.copyFileSync
/** A copy takes a while: it has a step of its own half-way. */
Reflect.set(fs, 'copyFileSync', (from: string, to: string) => {
  fs.writeFileSync(to, fs.readFileSync(from).subarray(0, 10_000))
  dieWhenDue()
  copyWhole(from, to)
})
countSteps(fs, ['renameSync', 'copyFileSync', 'rmSync', 'writeFileSync', 'fsyncSync', 'mkdirSync', 'openSync'])
countSteps(Database.prototype, ['exec', 'pragma'])

switch (job) {
  case 'open':
    openStore({ dataDir, readOnly: false, workerEntry })
    break
  case 'restore':
    restoreBackup(dataDir, listBackups(dataDir)[0]?.path ?? '')
    break
  case 'set aside':
    setStoreAside(dataDir)
    break
}
process.send?.('done', () => process.exit(0))
