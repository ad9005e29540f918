import type { StoredEvent } from '../domain/event.ts'
import { isTerminal, type ThreadHeader } from '../domain/thread.ts'
import type { Events } from '../events/events.ts'
import type { Memory } from '../memory/memory.ts'
import type { Store } from '../store/store.ts'
import { issueDoc, issuesWorthKeeping } from './issues.ts'
import { wholeRecord } from './record.ts'
import { analyseTrace } from './trace-analysis.ts'

/** Looks at a thread once it is over: what went wrong is put on record, and what matters becomes an Issue doc. */
export interface TraceWatch {
  /** Settles when it has looked. Costs next to nothing for a thread in which every call went well. */
  ended(thread: ThreadHeader): Promise<void>
  /** The newest threads that ended in a process that did not live to look. */
  catchUp(): Promise<void>
}

export interface TraceWatchParts {
  readonly store: Store
  readonly events: Events
  readonly memory: Pick<Memory, 'writeDoc'>
}

const pageRows = 200
/** More do not end in the moments before a crash. */
const newestThreads = 20

export function createTraceWatch({ store, events, memory }: TraceWatchParts): TraceWatch {
  return {
    ended: look,
    async catchUp() {
      const newest = store.threads.list({ conversations: false, limit: newestThreads })
      for (const thread of newest) {
        if (isTerminal(thread.state) && !isLookedAt(store, thread)) await look(thread)
      }
    },
  }

  async function look(thread: ThreadHeader): Promise<void> {
    if (isClean(store, thread)) return
    const record = await wholeRecord(store, thread.id)
    const issues = analyseTrace(thread, record)
    if (issues.length === 0) return
    const kept = issuesWorthKeeping(issues)
    // First the doc, whose key makes a second run write nothing: what is announced as analysed has it.
    if (kept.length > 0) {
      const { projectId, id: sourceThreadId } = thread
      const from = { provenance: 'analysis', sourceThreadId, callKey: `${sourceThreadId}/issues` } as const
      const untrusted = record.some(failedOnForeignText)
      memory.writeDoc({ projectId, type: 'Issue', ...issueDoc(thread, kept), tags: ['trace'], untrusted, ...from })
    }
    events.commit((append) => append(thread.id, { kind: 'trace.analysed', data: { issues } }))
  }
}

/** What went wrong may be told in the words of whoever wrote what was read. */
function failedOnForeignText(event: StoredEvent): boolean {
  if (event.kind === 'action.finished') return !event.data.ok && event.data.source !== undefined
  return event.kind === 'code.finished' && !event.data.ok && event.data.sources !== undefined
}

/** It is announced right after the end. */
function isLookedAt(store: Store, { id }: ThreadHeader): boolean {
  const after = store.events.headersOf(id, store.calls.indexedSeq(id), pageRows)
  return after.some(({ kind }) => kind === 'trace.analysed')
}

/** Answered, and no call failed: what is left to say is no more than a remark. */
function isClean(store: Store, thread: ThreadHeader): boolean {
  return thread.outcome === 'answered' && !store.calls.hasFailures(thread.id)
}
