import type { Tier } from '../../core/domain/thread.ts'
import { call } from '../engine/client.ts'
import { loadChat, loadThread } from './load.ts'

export interface Message {
  readonly text: string
  readonly tier: Tier
  /** The newest thread of the chat, or the folder in which a new chat begins. */
  readonly to: { readonly threadId: string } | { readonly projectId: string }
}

/** Sends a message and answers the thread that works on it, already known to the store. */
export async function sendMessage({ text, tier, to }: Message) {
  const { threadId } = await call('thread.send', { text, tier, ...to })
  const thread = await loadThread(threadId)
  await loadChat(thread.conversationId)
  return thread
}

/** Starts an ended thread's goal again, as the next thread of its chat. */
export async function retryThread(id: string) {
  const { threadId } = await call('thread.retry', { id })
  const thread = await loadThread(threadId)
  await loadChat(thread.conversationId)
  return thread
}
