import type { ChatMessage, Page } from '../../core/domain/contract.ts'
import type { PushedEvent } from '../engine/client.ts'
import type { Chat, Known } from './model.ts'

/**
 * A message of a person or an answer joins its chat when its text rides along. A longer one, or one whose chat is not
 * loaded, is left to `chat.messages`. What the engine noted, and what the children of a thread said, is no turn of the chat.
 */
export function foldMessage(known: Known, event: Extract<PushedEvent, { kind: 'message.added' }>): Known {
  const { role, origin } = event.data
  const thread = known.threads[event.threadId]
  const isSpoken = (role === 'user' && origin === undefined) || (role === 'assistant' && origin === 'final')
  if (role === 'system' || !isSpoken || event.body === undefined || thread?.parentId) return known
  const conversationId = thread?.conversationId
  const chat = conversationId === undefined ? undefined : known.chats[conversationId]
  if (conversationId === undefined || !chat) return known
  const message: ChatMessage = {
    seq: event.seq,
    threadId: event.threadId,
    role,
    content: event.body.content,
    at: event.at,
  }
  return withChat(known, conversationId, { ...chat, messages: mergeMessages(chat.messages, [message]) })
}

/** The newest page of a chat, or the page above what is loaded. */
export function mergeMessagePage(
  known: Known,
  conversationId: string,
  { rows, next }: Page<ChatMessage>,
  isOlderPage: boolean,
): Known {
  const chat = known.chats[conversationId]
  const messages = mergeMessages(chat?.messages ?? [], rows)
  const before = chat && !isOlderPage ? chat.before : next
  return withChat(known, conversationId, { messages, before })
}

function withChat(known: Known, conversationId: string, chat: Chat): Known {
  return { ...known, chats: { ...known.chats, [conversationId]: chat } }
}

/** Both runs in the order of their seq, each message once. */
function mergeMessages(before: readonly ChatMessage[], more: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = before.at(-1)
  const first = more[0]
  if (!first) return before
  if (!last || first.seq > last.seq) return [...before, ...more]
  const bySeq = new Map(before.map((message) => [message.seq, message]))
  for (const message of more) if (!bySeq.has(message.seq)) bySeq.set(message.seq, message)
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}
