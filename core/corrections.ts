import { AppError } from './domain/error.ts'
import { isTerminal, type ThreadHeader } from './domain/thread.ts'
import type { Events } from './events/events.ts'
import type { SkillSystem } from './skills/skills.ts'
import type { Store } from './store/store.ts'

export interface CorrectionParts {
  readonly store: Store
  readonly events: Events
  readonly tracker: Pick<SkillSystem['tracker'], 'ended' | 'corrected'>
}

/**
 * A person says of a thread that ended that it was wrong: nothing is learnt from it any more, and what skills did in it counts
 * against them, in one transaction. Twice is once: the first reason stands. @throws AppError thread.not_found, thread.transition
 */
export async function correctThread(
  { store, events, tracker }: CorrectionParts,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<ThreadHeader> {
  const thread = store.threads.get(id)
  if (thread === undefined)
    throw new AppError('thread.not_found', {
      message: `there is no thread ${id}`,
      userMessage: 'That thread is not in the store. Nothing was changed.',
    })
  if (!isTerminal(thread.state))
    throw new AppError('thread.transition', {
      message: `thread ${id} is ${thread.state}`,
      userMessage: 'That thread has not ended yet. Say what is wrong in the chat, or stop it first.',
    })
  // What it shows about its skills is counted first, so that it can be counted otherwise.
  await tracker.ended(thread)
  const settle = events.commit((append) => {
    if (store.events.isCorrected(id)) return () => {}
    store.learning.dropThread(id)
    append(id, { kind: 'thread.corrected', data: { wrong: reason } })
    return tracker.corrected(append, thread, reason)
  })
  settle()
  return thread
}
