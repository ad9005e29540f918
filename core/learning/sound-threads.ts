import type { ErrorCode } from '../domain/error.ts'
import type { EventFact, EventHeader } from '../domain/event.ts'
import type { TraceIssue } from '../domain/issue.ts'
import { learningMissions } from '../domain/learnt.ts'
import { provenanceOf } from '../domain/provenance.ts'
import type { Source } from '../domain/source.ts'
import { isTerminal, type ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import { issuesWorthKeeping } from './issues.ts'

const pageRows = 500

/** The mission that a thread works for; undefined for a person's. */
export function missionOf(store: Store, { rootId }: Pick<ThreadHeader, 'rootId'>): string | undefined {
  const firing = store.missions.firingOfThread(rootId)
  return firing === undefined ? undefined : store.missions.get(firing.missionId)?.name
}

export function isOfLearning(store: Store, thread: Pick<ThreadHeader, 'rootId'>): boolean {
  return learningMissions.includes(missionOf(store, thread) ?? '')
}

/**
 * A thread whose end says something about how the agent works: one that a person began and that came to its own end. What a
 * person stopped, refused or said to be wrong, what a budget or an outage ended, and threads of learning itself say nothing.
 */
export function isTelling(store: Store, thread: ThreadHeader): boolean {
  if (thread.parentId !== null || !isTerminal(thread.state) || isOfLearning(store, thread)) return false
  if (store.events.isCorrected(thread.id)) return false
  switch (thread.outcome) {
    case 'answered':
    case 'maxSteps':
      return true
    case 'failed':
      return !isOutage(store.events.lastState(thread.id)?.code)
    default:
      return false
  }
}

function isOutage(code: ErrorCode | undefined): boolean {
  return code !== undefined && /^(?:model|local|secret|store|engine|project)\./.test(code)
}

/** What of it learning may be about: no outage, and nothing that lies in the surroundings rather than in the work (asks A14). */
export function issuesToLearnFrom(issues: readonly TraceIssue[]): readonly TraceIssue[] {
  return issuesWorthKeeping(issues).filter(({ code }) => code === undefined || !surroundings.test(code))
}
const surroundings =
  /^(?:http\.(?:connect|lost|timeout|refused|credential)|action\.(?:timeout|rate_limited|interrupted)|secret\.|model\.|local\.|store\.|engine\.|project\.|policy\.|approval\.|budget\.)/

/** What was found wrong with a thread that is over; none where nobody looked. */
export function issuesOf(store: Store, threadId: string): readonly TraceIssue[] {
  const after = store.events.headersOf(threadId, store.calls.indexedSeq(threadId), pageRows)
  const analysed = after.findLast((event) => event.kind === 'trace.analysed')
  return analysed?.kind === 'trace.analysed' ? issuesToLearnFrom(analysed.data.issues) : []
}

/** A thread, or a turn of its chat before it, had read what nobody of this computer wrote. Files of a trusted project are people's. */
export function hasReadForeign(store: Store, thread: ThreadHeader): boolean {
  const isTrusted = store.projects.get(thread.projectId)?.trusted === true
  const isForeign = (source: Source) => !(isTrusted && source.isOfProject === true)
  const turns = store.threads.ofConversation(thread.conversationId).filter(({ number }) => number <= thread.number)
  for (const { id } of turns)
    for (const event of headersOf(store, id)) if (sourcesOf(event).some(isForeign)) return true
  return false
}

function sourcesOf(event: EventFact): readonly Source[] {
  if (event.kind === 'docs.retrieved')
    return event.data.docs.flatMap(({ untrusted, title }) => (untrusted ? [{ kind: 'memory', name: title }] : []))
  const provenance = provenanceOf(event)
  return provenance === null || !('sources' in provenance) ? [] : provenance.sources
}

/** A page at a time, without bodies. */
export function* headersOf(store: Store, threadId: string): Generator<EventHeader> {
  let after = 0
  for (;;) {
    const page = store.events.headersOf(threadId, after, pageRows)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageRows) return
    after = last.seq
  }
}
