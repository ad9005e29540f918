import { home } from '../routes.ts'
import { go } from './navigation.ts'
import { recall, remember } from './remembered.ts'

/** What is written but not sent, by conversation (null: the next new one). It survives a reload of the window. */
export function draftOf(conversationId: string | null): string {
  return recall(draftKey(conversationId), sessionStorage) ?? ''
}

export function keepDraft(conversationId: string | null, text: string): void {
  remember(draftKey(conversationId), text === '' ? null : text, sessionStorage)
}

const listeners = new Set<() => void>()

/** Told when a draft was written by something else than its own composer. */
export function onDraft(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens a new chat with this text written, not sent. */
export function startChat(text: string): void {
  keepDraft(null, text)
  go(home)
  for (const listener of listeners) listener()
}

function draftKey(conversationId: string | null): string {
  return `draft.${conversationId ?? 'new'}`
}
