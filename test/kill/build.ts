import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Plugin } from 'vite'
import { bundle } from '../support/bundle.ts'

const root = path.resolve(import.meta.dirname, '../..')

export interface Built {
  /** Of the process that is killed. */
  readonly entry: string
  remove(): void
}

/**
 * The engine of this checkout, bundled as the app is: a start from 350 sources would take a second. `isBroken`: the negative
 * control, in which effects come before their intents; it exists in this build only.
 */
export async function buildEngine({ isBroken }: { readonly isBroken: boolean }): Promise<Built> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-kill-build-')))
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  await bundle({
    folder,
    plugins: isBroken ? [effectsBeforeIntents()] : [],
    input: {
      'engine-process': 'test/kill/engine-process.ts',
      'sandbox-child': 'core/sandbox/child.ts',
      'store-worker': 'core/store/worker.ts',
    },
  })
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  return {
    entry: path.join(folder, 'engine-process.js'),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

const recordThenRun = `    record([...turns.values()], scope, parts)
    for (const [at, end] of await run(turns, scope, parts)) {
      if (end instanceof CallWaits) rests.push(end.reason)
      else results[at] = end
    }
`
const runThenRecord = `    const late = lateJournal(scope.journal)
    const hasAsked = [...turns.values()].some((turn) => turn.kind === 'asks')
    const around = hasAsked ? scope : { ...scope, journal: late.journal }
    record([...turns.values()], around, parts)
    for (const [at, end] of await run(turns, around, parts)) {
      if (end instanceof CallWaits) rests.push(end.reason)
      else results[at] = end
    }
    late.commit()
`
/** Takes facts as any journal does, and commits none of them before it is told to. */
const lateJournal = `
function lateJournal(journal) {
  const alongside = []
  const later = { stage: journal.stage, commit() {}, commitSoon() {}, commitRest: journal.commitRest }
  return {
    journal: { ...later, commitWith: (rows) => void alongside.push(rows) },
    commit: () => journal.commitWith((append, stored) => alongside.forEach((rows) => rows(append, stored))),
  }
}
`

function effectsBeforeIntents(): Plugin {
  return {
    name: 'effects-before-intents',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('core/capabilities/batch.ts')) return undefined
      if (!code.includes(recordThenRun)) throw new Error('the door no longer reads as the negative control expects')
      return code.replace(recordThenRun, runThenRecord) + lateJournal
    },
  }
}
