import { AppError } from '../domain/error.ts'
import type { StoredEvent } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
import type { ModelMessage } from '../domain/model.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import {
  createConversation,
  createRepeats,
  createSurroundings,
  type LoopContext,
  nothingBefore,
  replayEnded,
  replayRecord,
} from '../orchestrator/orchestrator.ts'
import type { Store } from '../store/store.ts'
import { createChildren } from './children.ts'
import { saidBefore } from './fork.ts'
import { releaseSlot, takeSlot } from './hold-slot.ts'
import { eventsOf, retriedBy } from './record.ts'
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
  const conversation = createConversation(beginningOf(store, thread, retried[0] ?? thread))
  const repeats = createRepeats()
  let before = nothingBefore
  for (const { id } of retried) before = replayEnded(eventsOf(store, id), conversation, before)
  for (const { role, content } of saidSince(store, thread, retried)) {
    if (role === 'user') conversation.addUser(content)
    else conversation.addAssistant(content, [])
  }
  const replayed = replayRecord(eventsOf(store, thread.id), conversation, repeats, before)
  const later = replayed.step?.later ?? []
  run.injected.unshift(...later.flatMap((message) => (message.as === 'said' ? [message.content] : [])))
  const leases = store.leases.ofThread(thread.id).filter((lease) => lease.argsHash === null)
  const tools = parts.capabilities.definitions(leases.flatMap((lease) => lease.actions))
  return {
    ...{ thread, folder: project.folder, conversation, repeats, journal, replayed, timeZone: parts.timeZone, tools },
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
    children: createChildren(working),
    runsCode: parts.settings().runsCode,
    surroundings: () => createSurroundings(project.folder),
    functions: () => parts.prompts.functions(tools),
    skills: (said) => parts.skills.choose({ ...said, thread }),
    snippets: () => parts.skills.snippets(thread.id),
    knowledge: (text) => parts.knowledge({ projectId: thread.projectId, text, signal: run.controller.signal }),
  }
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
function saidSince(store: Store, thread: ThreadHeader, retried: readonly ThreadHeader[]): readonly Turn[] {
  const [from, own] = [retried[0], thread].map((each) => each && store.events.ofThread(each.id, 0, 1)[0]?.seq)
  if (from === undefined || own === undefined) return []
  const ids = new Set(retried.map(({ id }) => id))
  return saidBefore(store, thread, { before: own, max: earlierMessages })
    .filter((event) => event.seq > from && !ids.has(event.threadId))
    .toReversed()
    .flatMap(turnOf)
}

/** The system message as it was recorded when the thread began, then what was said in the chat before it, or what it retries. */
function beginningOf(store: Store, thread: ThreadHeader, oldest: ThreadHeader): ModelMessage[] {
  const first = store.events.ofThread(oldest.id, 0, 3)
  const own = oldest.id === thread.id ? first : store.events.ofThread(thread.id, 0, 3)
  const system = own.find((event) => event.kind === 'message.added' && event.data.role === 'system')
  const messages: ModelMessage[] = []
  if (system?.kind === 'message.added') messages.push({ role: 'system', content: system.body.content })
  // A child knows its question and nothing of the chat.
  if (thread.parentId !== null) return messages
  const before = first[0]?.seq ?? 0
  messages.push(...saidBefore(store, oldest, { before, max: earlierMessages }).toReversed().flatMap(turnOf))
  // A goal that was said before this thread began, and perhaps before the last answer: it is what is asked now.
  const asksAnew = first.some((event) => event.kind === 'message.added' && event.data.role === 'user')
  if (!asksAnew && messages.at(-1)?.role !== 'user') messages.push({ role: 'user', content: oldest.goal })
  return messages
}
