import type { Room, RoomQuestion } from './domain/contract.ts'
import { limits } from './domain/limits.ts'
import { type ModelRef, parseModelRef } from './domain/model.ts'
import type { Settings } from './domain/settings.ts'
import { tokensOfLength } from './domain/text.ts'
import { type CallRow, isTerminal, type ThreadHeader } from './domain/thread.ts'
import { fitsWindow } from './domain/window.ts'
import type { Models } from './models/models.ts'
import type { Store } from './store/store.ts'

export interface RoomParts {
  readonly store: Store
  readonly models: Models
  readonly settings: () => Settings
  /** Of a new chat, estimated: what each request holds besides the conversation. */
  readonly systemTokens: () => number
  readonly toolTokens: number
}

/** What the next request of a chat would hold with what is being written, beside the window of its model. */
export async function roomFor(question: RoomQuestion, parts: RoomParts, signal: AbortSignal): Promise<Room> {
  const { store, models } = parts
  const thread = question.threadId === undefined ? undefined : store.threads.get(question.threadId)
  const found = models.windowOf(modelFor(question, thread, parts.settings()), signal)
  const fixed = parts.toolTokens + (thread === undefined ? parts.systemTokens() : systemTokensOf(store, thread.id))
  const said = thread === undefined ? 0 : Math.max(0, heldBy(store, thread) - fixed)
  const draft = tokensOfLength(question.draftCharacters)
  const windowTokens = await found
  // What was said before can be summed up; what is being written cannot.
  const least = fixed + Math.min(said, limits.summaryTokens) + draft
  return { promptTokens: fixed + said + draft, windowTokens, fits: fitsWindow(least, windowTokens) }
}

function modelFor(question: RoomQuestion, thread: ThreadHeader | undefined, { tiers }: Settings): ModelRef {
  const { tier, model } = question
  const asked = model ?? (tier === undefined ? thread?.model : null) ?? null
  return asked === null ? tiers[tier ?? thread?.tier ?? 'allegro'] : parseModelRef(asked)
}

/** What is said to a thread that ended begins another, which is told the chat but not the work. */
function heldBy(store: Store, thread: ThreadHeader): number {
  if (!isTerminal(thread.state)) return heldByTail(store, thread)
  const first = store.calls.page(thread.id, -1, rowsOfStep).find((row) => row.step === 0 && isAnswered(row))
  return (first?.inputTokens ?? 0) + tokensOfLength(store.events.lastAnswer(thread.id)?.length ?? 0)
}

/** What the last request held by its server's count, the answer to it, and what came after. */
function heldByTail(store: Store, { id: threadId, steps }: ThreadHeader): number {
  // The header of a thread at rest counts its steps; what happened since is read with the last of them.
  const last = store.calls.page(threadId, steps - lastSteps, lastSteps * rowsOfStep).findLast(isAnswered)
  if (last?.endSeq == null) return 0
  let after = 0
  for (const { kind, bodyBytes } of store.events.headersOf(threadId, last.endSeq, limits.pageRows)) {
    if (kind === 'action.finished' || kind === 'code.finished' || kind === 'message.added') after += bodyBytes
  }
  return last.inputTokens + last.outputTokens + tokensOfLength(after)
}

const rowsOfStep = limits.callsPerAnswer + limits.codeCalls + 2
/** The newest may have broken off. */
const lastSteps = 4

function isAnswered({ kind, path, endSeq, state }: CallRow): boolean {
  return kind === 'model' && path === '0' && endSeq !== null && state === 'done'
}

function systemTokensOf(store: Store, threadId: string): number {
  const system = store.events
    .ofThread(threadId, 0, 3)
    .find((event) => event.kind === 'message.added' && event.data.origin === 'orientation')
  return system?.kind === 'message.added' ? tokensOfLength(system.body.content.length) : 0
}
