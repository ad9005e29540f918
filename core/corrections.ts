import { AppError } from './domain/error.ts'
import { isTerminal, type ThreadHeader } from './domain/thread.ts'
import type { Events } from './events/events.ts'
import type { SkillSystem } from './skills/skills.ts'
import type { Store } from './store/store.ts'

export interface CorrectionParts {
  readonly store: Store
  readonly events: Events
  readonly tracker: Pick<SkillSystem['tracker'], 'corrected'>
}

/**
 * A person says of a thread that ended that it was wrong: nothing is learnt from it any more, and what skills did in it counts
 * against them. Twice is once. @throws AppError thread.not_found, thread.ended
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
  events.commit((append) => {
    store.learning.dropThread(id)
    append(id, { kind: 'thread.corrected', data: { wrong: reason } })
  })
  await tracker.corrected(thread, reason)
  return thread
}
