import { skillActions } from '../capabilities/capabilities.ts'
import { AppError } from '../domain/error.ts'
import type { StoredEvent } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
import type { ModelMessage } from '../domain/model.ts'
import { profileText } from '../domain/profile.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Journal } from '../events/events.ts'
import {
  createConversation,
  createRepeats,
  createSurroundings,
  createTaint,
  type LoopContext,
  nothingBefore,
  replayEnded,
  replayRecord,
  type Taint,
} from '../orchestrator/orchestrator.ts'
import { hostedCeiling } from '../skills/skills.ts'
import type { ProjectRow, Store } from '../store/store.ts'
import { createChildren } from './children.ts'
import { saidAtBeginning } from './firing.ts'
import { saidBefore } from './fork.ts'
import { releaseSlot, takeSlot } from './hold-slot.ts'
import { requireThread } from './lifecycle.ts'
import { eventsOf, retriedBy } from './record.ts'
import { createRunCalls } from './run-calls.ts'
import { runMarkOf } from './run-mark.ts'
import type { Working } from './working.ts'

/** Earlier turns of the chat that a new thread is told, newest last. */
const earlierMessages = 40

/** Everything that one run of the loop works on, read from the thread's record. @throws AppError project.not_found */
export function contextOf(working: Working): LoopContext {
  const { run, parts, journal } = working
  const { thread } = run
  const { store } = parts
  const project = store.projects.get(thread.projectId)
  if (project === undefined)
    throw new AppError('project.not_found', {
      message: thread.projectId,
      userMessage: 'The project of this thread is not in the store. Its record is safe.',
    })
  const retried = retriedBy(store, thread)
  const taint = createTaint({ trustsProject: project.trusted, said: saidBeside(working, project) })
  const { system, earlier, asked } = beginningOf(store, thread, retried[0] ?? thread)
  const conversation = createConversation([...system, ...noted(earlier, taint).flatMap(turnOf), ...asked])
  const repeats = createRepeats()
  let before = nothingBefore
  for (const { id } of retried) before = replayEnded(noting(eventsOf(store, id), taint), conversation, before)
  for (const { role, content } of noted(saidSince(store, thread, retried), taint).flatMap(turnOf)) {
    if (role === 'user') conversation.addUser(content)
    else conversation.addAssistant(content, [])
  }
  const replayed = replayRecord(noting(eventsOf(store, thread.id), taint), conversation, repeats, before)
  const later = replayed.step?.later ?? []
  run.injected.unshift(...later.flatMap((message) => (message.as === 'said' ? [message.content] : [])))
  const leases = store.leases.ofThread(thread.id).filter((lease) => lease.argsHash === null)
  const mark = runMarkOf(store, thread.id)
  // A skill's run is told of none that a host brought.
  const hosted = mark === undefined ? parts.hostedSkills : undefined
  const hasSkills = hosted !== undefined || parts.skills.hasAny(thread.projectId)
  const offered = leases.filter(({ capability }) => capability !== skillActions || hasSkills)
  const tools = parts.capabilities.definitions(offered.flatMap((lease) => lease.actions))
  const own = notedJournal(journal, taint)
  const children = createChildren(working, taint)
  run.runCalls = createRunCalls(working, { journal: own, taint, conversation, children })
  return {
    ...{ thread, folder: project.folder, conversation, repeats, replayed, taint, timeZone: parts.timeZone, tools },
    journal: own,
    signal: run.controller.signal,
    takeInjected: () => run.injected.splice(0),
    injectedCount: () => run.injected.length,
    onBackoff: (waitMs) => {
      if (waitMs > limits.slotReleaseBackoffMs) releaseSlot(run, parts.slots)
    },
    afterBackoff: () => takeSlot(working),
    onAsking: (isAsking) => {
      run.asking += isAsking ? 1 : -1
    },
    meter: parts.meters.of(thread),
    children,
    isRun: mark !== undefined,
    runsCode: parts.settings().runsCode,
    surroundings: () => createSurroundings(project.folder),
    functions: () => parts.prompts.functions(tools),
    hostedSkills: async () =>
      thread.parentId === null
        ? ((await hosted?.begin(thread, run.controller.signal)) ?? null)
        : hostedCeiling(mark === undefined ? parts.skills.active(thread.parentId) : []),
    // What a skill's run works with was settled when it began.
    skills: (said) => (mark === undefined ? parts.skills.choose({ ...said, thread }) : null),
    snippets: () => parts.skills.snippets(thread.id),
    knowledge: async (text) =>
      // It stands in the run's system message.
      mark !== undefined && text === thread.goal
        ? null
        : parts.knowledge({ projectId: thread.projectId, text, signal: run.controller.signal }),
  }
}

/** Everything that the thread is told of passes its taint on the way. */
function* noting(events: Iterable<StoredEvent>, taint: Taint): Generator<StoredEvent> {
  for (const event of events) {
    taint.note(event)
    yield event
  }
}

function noted(events: readonly StoredEvent[], taint: Taint): readonly StoredEvent[] {
  return [...noting(events, taint)]
}

function notedJournal(journal: Journal, taint: Taint): Journal {
  return {
    ...journal,
    stage(event) {
      taint.note(event)
      journal.stage(event)
    },
  }
}

/** What people said elsewhere: of themselves, of the project, and, for a child, in the chat that it works for. */
function saidBeside({ run: { thread }, parts }: Working, { goals }: ProjectRow): readonly string[] {
  const { store } = parts
  const about = [profileText(parts.settings().profile), ...goals]
  if (thread.parentId === null) return [...saidAtBeginning(store, thread), ...about]
  const root = requireThread(store, thread.rootId)
  const inChat = saidBefore(store, root, { before: Number.MAX_SAFE_INTEGER, max: earlierMessages })
  return [
    ...saidAtBeginning(store, root),
    ...about,
    ...inChat.flatMap(turnOf).flatMap(({ role, content }) => (role === 'user' ? [content] : [])),
  ]
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

function turnOf(event: StoredEvent): readonly Turn[] {
  if (event.kind !== 'message.added') return []
  const { role, origin } = event.data
  const isSaid = role === 'assistant' || (role === 'user' && origin === undefined)
  return isSaid ? [{ role, content: event.body.content }] : []
}

/** What was said in the chat between the threads that are gone on with and this one. */
function saidSince(store: Store, thread: ThreadHeader, retried: readonly ThreadHeader[]): readonly StoredEvent[] {
  const [from, own] = [retried[0], thread].map((each) => each && store.events.ofThread(each.id, 0, 1)[0]?.seq)
  if (from === undefined || own === undefined) return []
  const ids = new Set(retried.map(({ id }) => id))
  return saidBefore(store, thread, { before: own, max: earlierMessages })
    .filter((event) => event.seq > from && !ids.has(event.threadId))
    .toReversed()
}

interface Beginning {
  readonly system: readonly ModelMessage[]
  readonly earlier: readonly StoredEvent[]
  /** The goal, where nothing else says it. */
  readonly asked: readonly ModelMessage[]
}

/** The system message as it was recorded when the thread began, then what was said in the chat before it, or what it retries. */
function beginningOf(store: Store, thread: ThreadHeader, oldest: ThreadHeader): Beginning {
  const first = store.events.ofThread(oldest.id, 0, 3)
  const own = oldest.id === thread.id ? first : store.events.ofThread(thread.id, 0, 3)
  const system = own.find((event) => event.kind === 'message.added' && event.data.role === 'system')
  const messages: ModelMessage[] = []
  if (system?.kind === 'message.added') messages.push({ role: 'system', content: system.body.content })
  // A child knows its question and nothing of the chat.
  if (thread.parentId !== null) return { system: messages, earlier: [], asked: [] }
  const before = first[0]?.seq ?? 0
  const earlier = saidBefore(store, oldest, { before, max: earlierMessages }).toReversed()
  // A goal that was said before this thread began, and perhaps before the last answer: it is what is asked now.
  const asksAnew = first.some((event) => event.kind === 'message.added' && event.data.role === 'user')
  const isSaidLast = earlier.flatMap(turnOf).at(-1)?.role === 'user'
  return { system: messages, earlier, asked: asksAnew || isSaidLast ? [] : [{ role: 'user', content: oldest.goal }] }
}
