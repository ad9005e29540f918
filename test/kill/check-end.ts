import fs from 'node:fs'
import path from 'node:path'
import { type CallTable, foldCall } from '../../core/domain/calls.ts'
import { openStore } from '../../core/store/store.ts'
import type { Violation } from './check.ts'
import { turns } from './script.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../core/store/worker.ts')

/** What must hold of a round that came to its end: all of the script is on record, and the indexes are folds of the log. */
export async function lookAtEnd(dataDir: string, folder: string): Promise<readonly Violation[]> {
  const store = openStore({ dataDir, readOnly: true, workerEntry })
  try {
    const violations: Violation[] = []
    const threads = store.threads.ofRoot(store.threads.find('1')?.id ?? '')
    for (const thread of threads) {
      if (thread.outcome !== 'answered')
        violations.push({
          what: 'stuck',
          detail: `#${thread.number} is ${thread.state}, ${thread.outcome}: ${thread.reason}`,
        })
      const events = store.events.ofThread(thread.id, 0, 100_000)
      const table: CallTable = new Map()
      for (const event of events) foldCall(table, event)
      const indexed = store.calls.page(thread.id, -1, 100_000)
      if (JSON.stringify(sorted(indexed)) !== JSON.stringify(sorted([...table.values()]))) {
        violations.push({ what: 'index', detail: `the calls of #${thread.number} are not the fold of its log` })
      }
      const answers = events.flatMap((event) => (event.kind === 'model.completed' ? [event.data.step] : []))
      if (answers.some((step, at) => step !== at))
        violations.push({ what: 'lost', detail: `steps of #${thread.number}: ${answers.join(' ')}` })
      if (thread.parentId === null && answers.length < turns)
        violations.push({ what: 'lost', detail: `only ${answers.length} of ${turns} turns` })
      for (const event of events) {
        if (event.kind === 'orchestrator.diverged')
          violations.push({ what: 'failed', detail: `step ${event.data.step} diverged` })
      }
    }
    violations.push(...ofFiles(store.trash.ofThread(threads[0]?.id ?? ''), folder))
    return violations
  } finally {
    await store.close()
  }
}

type Row = NonNullable<CallTable extends ReadonlyMap<string, infer Value> ? Value : never>

function sorted(rows: readonly Row[]): readonly unknown[] {
  return rows
    .map((row) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Each write kept once what it replaced, and the last text of each file is there. */
function ofFiles(
  kept: readonly { readonly step: number; readonly path: string; readonly file: string }[],
  folder: string,
): readonly Violation[] {
  const violations: Violation[] = []
  const calls = kept.map(({ step, path: callPath }) => `${step}/${callPath}`)
  if (new Set(calls).size !== calls.length) violations.push({ what: 'twice', detail: 'a write is in the trash twice' })
  for (let turn = 1; turn < turns; turn += 8) {
    const isWide = turn >= 16 && turn <= 18
    const file = path.join(folder, turn % 3 === 0 ? 'same.txt' : `f${turn}.txt`)
    if (isWide || turn % 3 === 0) continue
    if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== `t${turn}-w\n`) {
      violations.push({ what: 'lost', detail: `${file} is not what turn ${turn} wrote` })
    }
  }
  return violations
}
