import fs from 'node:fs'
import path from 'node:path'
import type { Store } from '../../core/store/store.ts'
import { type Recorded, recordsOf, withStore } from './check-record.ts'
import { turns, writtenFiles } from './script.ts'
import { lost, type Violation } from './violation.ts'

/** What must hold of a round that came to its end: all of the script is on record, and what it wrote is there. */
export function lookAtEnd(dataDir: string, folder: string): Promise<readonly Violation[]> {
  return withStore(dataDir, (store) => {
    const records = recordsOf(store)
    return [...records.flatMap(ofThread), ...ofFiles(folder), ...ofKept(store, records), ...ofNotes(store, records)]
  })
}

function ofThread({ thread, events }: Recorded): readonly Violation[] {
  const { number, outcome, state, reason, parentId } = thread
  const steps = events.flatMap((event) => (event.kind === 'model.completed' ? [event.data.step] : []))
  const diverged = events.filter((event) => event.kind === 'orchestrator.diverged')
  const isWhole = parentId !== null || number > 1 || steps.length >= turns
  return [
    ...(outcome === 'answered'
      ? []
      : [{ what: 'stuck', detail: `#${number} is ${state}, ${outcome}: ${reason}` } as const]),
    ...(steps.some((step, at) => step !== at) ? [lost(`steps of #${number}: ${steps.join(' ')}`)] : []),
    ...(steps.length === thread.steps ? [] : [lost(`#${number} counts ${thread.steps} steps of ${steps.length}`)]),
    ...(isWhole ? [] : [lost(`only ${steps.length} of ${turns} turns`)]),
    ...diverged.map(({ seq }) => ({ what: 'failed', detail: `#${number} diverged at event ${seq}` }) as const),
  ]
}

/** The last text of each file, and nothing beside them. */
function ofFiles(folder: string): readonly Violation[] {
  const wanted = writtenFiles()
  const names = fs.readdirSync(folder).toSorted()
  if (names.join() !== [...wanted.keys()].toSorted().join()) return [lost(`the folder holds ${names.join(', ')}`)]
  return names
    .filter((name) => fs.readFileSync(path.join(folder, name), 'utf8') !== wanted.get(name))
    .map((name) => lost(`${name} is not what was written last`))
}

/** Each write kept what it replaced, once. */
function ofKept(store: Store, records: readonly Recorded[]): readonly Violation[] {
  const writes = finishedWell(records, 'write_file')
  const kept = records.flatMap(({ thread }) => store.trash.ofThread(thread.id))
  const calls = new Set(kept.map(({ step, path: callPath }) => `${step}/${callPath}`))
  if (calls.size !== kept.length) return [{ what: 'twice', detail: 'a write is in the trash twice' }]
  return kept.length === writes ? [] : [lost(`${writes} writes, ${kept.length} of them can be undone`)]
}

/** Each note is one version. */
function ofNotes(store: Store, records: readonly Recorded[]): readonly Violation[] {
  const notes = finishedWell(records, 'memory_write')
  const { version = 0 } = store.docs.byTitle(records[0]?.thread.projectId ?? '', 'Note', 'log') ?? {}
  if (version === notes) return []
  return [{ what: version > notes ? 'twice' : 'lost', detail: `${notes} notes, ${version} versions` }]
}

function finishedWell(records: readonly Recorded[], name: string): number {
  const events = records.flatMap((record) => record.events)
  return events.filter((event) => event.kind === 'action.finished' && event.data.name === name && event.data.ok).length
}
