import path from 'node:path'
import { type CallTable, foldCall } from '../../core/domain/calls.ts'
import type { StoredEvent } from '../../core/domain/event.ts'
import type { CallRow, ThreadHeader } from '../../core/domain/thread.ts'
import { openStore, type Store } from '../../core/store/store.ts'
import type { Violation } from './violation.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../core/store/worker.ts')

/** A thread with the whole of its log. */
export interface Recorded {
  readonly thread: ThreadHeader
  readonly events: readonly StoredEvent[]
}

/** Reads a store that no engine has open. */
export async function withStore<Result>(dataDir: string, look: (store: Store) => Result): Promise<Result> {
  const store = openStore({ dataDir, readOnly: true, workerEntry })
  try {
    return look(store)
  } finally {
    await store.close()
  }
}

export function recordsOf(store: Store): readonly Recorded[] {
  return store.threads
    .list({ conversations: false, limit: 1_000 })
    .map((thread) => ({ thread, events: store.events.ofThread(thread.id, 0, 100_000) }))
}

/** Whenever it is looked at: every row says what the log says. */
export function ofRows(store: Store): readonly Violation[] {
  const records = recordsOf(store)
  return [
    ...records.flatMap((record) => ofThread(store, record)),
    ...ofChildren(records),
    ...ofRequests(store, records),
  ]
}

function ofThread(store: Store, { thread, events }: Recorded): readonly Violation[] {
  const violations: Violation[] = []
  const moved = events.findLast((event) => event.kind === 'thread.state')
  const state = moved?.kind === 'thread.state' ? moved.data.to : 'Created'
  if (thread.state !== state) {
    violations.push({ what: 'state', detail: `#${thread.number} is ${thread.state}, and its log says ${state}` })
  }
  const table: CallTable = new Map()
  for (const event of events) foldCall(table, event)
  if (textOf(store.calls.page(thread.id, -1, 100_000)) !== textOf([...table.values()])) {
    violations.push({ what: 'index', detail: `the calls of #${thread.number} are not the fold of its log` })
  }
  return violations
}

/** Whatever the order of the rows and of their columns. */
function textOf(rows: readonly CallRow[]): string {
  return rows
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted()
    .join('\n')
}

/** A child is there exactly where its parent's log says that it was made. */
function ofChildren(records: readonly Recorded[]): readonly Violation[] {
  const spawned = records.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'child.spawned' ? [event.data.childId] : [])),
  )
  const made = records.flatMap(({ thread }) => (thread.parentId === null ? [] : [thread.id]))
  if (spawned.toSorted().join() === made.toSorted().join()) return []
  return [{ what: 'state', detail: `children on record: ${spawned.length}, made: ${made.length}` }]
}

/** What waits for a person is what was asked and not decided. */
function ofRequests(store: Store, records: readonly Recorded[]): readonly Violation[] {
  const open = new Set<string>()
  for (const { events } of records) {
    for (const event of events) {
      if (event.kind === 'approval.requested') open.add(event.data.approvalId)
      if (event.kind === 'approval.decided') open.delete(event.data.approvalId)
    }
  }
  const pending = store.approvals.pending(1_000).map(({ id }) => id)
  if (pending.toSorted().join() === [...open].toSorted().join()) return []
  return [{ what: 'state', detail: `requests pending: ${pending.length}, undecided on record: ${open.size}` }]
}
