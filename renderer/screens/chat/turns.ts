import type { ChatMessage } from '../../../core/domain/contract.ts'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { daysBetween } from '../../format/dates.ts'

/** What stands in the column of a chat, top to bottom. */
export type Turn =
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'person'; readonly key: string; readonly message: ChatMessage }
  | AgentTurn

/** What Threadsmith did and said in one go. */
export interface AgentTurn {
  readonly kind: 'agent'
  readonly key: string
  readonly threadId: string
  readonly at: number
  /** The thread's card stands once, after the message that began it. */
  readonly hasWork: boolean
  readonly answers: readonly ChatMessage[]
  /** The last turn of its thread: what is being said now, or how the thread ended, stands here. */
  readonly isLast: boolean
}

/**
 * The turns of a chat from its messages and threads, both oldest first. A thread whose first messages are on a page that is
 * not loaded begins at what is there. A thread without a message of its own (a goal that was run again, or one that has just
 * begun) still has its turn, between those of its neighbours.
 */
export function turnsOf(messages: readonly ChatMessage[], threads: readonly ThreadHeader[]): readonly Turn[] {
  const turns = createTurns()
  const order = new Map(threads.map((thread, index) => [thread.id, index]))
  const speaking = new Set(messages.map((message) => message.threadId))
  let nextThread = order.get(messages[0]?.threadId ?? '') ?? 0

  function addSilent(until: number): void {
    for (const thread of threads.slice(nextThread, until)) {
      if (!speaking.has(thread.id)) turns.addAgent(thread.id, thread.createdAt)
    }
    nextThread = Math.max(nextThread, until)
  }

  for (const [index, message] of messages.entries()) {
    addSilent(order.get(message.threadId) ?? 0)
    turns.addDay(message)
    if (message.role === 'user') turns.addPerson(message, messages[index + 1]?.threadId !== message.threadId)
    else turns.addAnswer(message)
  }
  addSilent(threads.length)
  return withLast(turns.list)
}

function createTurns() {
  const list: Turn[] = []
  const worked = new Set<string>()
  let lastAt: number | null = null

  function addAgent(threadId: string, at: number): AgentTurn {
    const key = `${threadId}.${list.length}`
    const hasWork = !worked.has(threadId)
    const turn: AgentTurn = { kind: 'agent', key, threadId, at, hasWork, answers: [], isLast: false }
    worked.add(threadId)
    list.push(turn)
    return turn
  }

  return {
    list,
    addAgent,
    addDay({ seq, at }: ChatMessage): void {
      if (lastAt === null || daysBetween(lastAt, at) !== 0) list.push({ kind: 'day', key: `day.${seq}`, at })
      lastAt = at
    },
    /** After the message that began the thread, and after its last one, stands what Threadsmith does about it. */
    addPerson(message: ChatMessage, isLastOfThread: boolean): void {
      list.push({ kind: 'person', key: String(message.seq), message })
      if (!worked.has(message.threadId) || isLastOfThread) addAgent(message.threadId, message.at)
    },
    addAnswer(message: ChatMessage): void {
      const before = list.at(-1)
      const isSame = before?.kind === 'agent' && before.threadId === message.threadId
      const turn = isSame ? before : addAgent(message.threadId, message.at)
      list[list.length - 1] = { ...turn, answers: [...turn.answers, message] }
    },
  }
}

function withLast(turns: readonly Turn[]): readonly Turn[] {
  const last = new Map<string, Turn>()
  for (const turn of turns) if (turn.kind === 'agent') last.set(turn.threadId, turn)
  return turns.map((turn) =>
    turn.kind === 'agent' && last.get(turn.threadId) === turn ? { ...turn, isLast: true } : turn,
  )
}
