import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import type { LearntItem, LearntSource, LearntState } from '../../domain/learnt.ts'
import { limits } from '../../domain/limits.ts'
import { boundText } from '../../domain/text.ts'
import type { ThreadHeader } from '../../domain/thread.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Store } from '../../store/store.ts'
import type { LearntBook } from '../book.ts'
import { notTaken } from '../refusals.ts'
import type { ProposableSettings } from '../setting-changes.ts'
import { isOfLearning } from '../sound-threads.ts'

/** What actions that propose work on. */
export interface ProposalParts {
  readonly store: Store
  readonly book: Pick<LearntBook, 'propose'>
  readonly memory: Pick<Memory, 'writeDoc'>
  readonly settings: ProposableSettings
}

export const threadNumbers = z.array(z.number().int().positive()).min(1).max(limits.learntSources)
export const reasonText = z.string().trim().min(1).max(500)
/** Keyed by what they say: the same call run again finds its own item. They change nothing by themselves. */
export const proposing = { effects: ['Compute'], isIdempotent: true } as const
/** A note, as other threads may read it; keyed by the call. */
export const noting = {
  effects: ['WriteLocal'],
  isIdempotent: true,
  askedFor: ['note', 'write', 'keep', 'learn'],
} as const

/** For a row of the timeline. */
export function summaryOf(text: string): string {
  return boundText(text.replace(/\s+/g, ' ').trim(), limits.actionSummaryCharacters)
}

export function threadsOf(store: Store, projectId: string, numbers: readonly number[]): readonly ThreadHeader[] {
  return numbers.map((number) => threadOf(store, projectId, number))
}

/** Of this project, not of learning itself, and not one that a person said to be wrong. */
export function threadOf(store: Store, projectId: string, number: number): ThreadHeader {
  const thread = store.threads.find(String(number))
  if (thread?.projectId !== projectId || isOfLearning(store, thread) || store.events.isCorrected(thread.id))
    throw notTaken(`There is no thread #${number} of this project to learn from.`)
  return thread
}

export function sourceOf({ id, number }: ThreadHeader, quote: string): LearntSource {
  return { threadId: id, threadNumber: number, seq: null, quote }
}

/** What it is to the model. */
export function told({ id, kind, state }: LearntItem): JsonObject {
  return { id, kind, state, note: notes[state] }
}

const notes: Readonly<Record<LearntState, string>> = {
  pending: 'The user decides.',
  live: 'It is in force, as the settings allow; the user can take it back.',
  rejected: 'The user said no to this before: it is not asked about again.',
  expired: 'Nobody decided on this in time.',
  undone: 'This was in force and was taken back: it is not proposed again.',
  replaced: 'Another insight stands for this one.',
}
