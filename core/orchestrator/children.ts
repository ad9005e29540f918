import type { Source } from '../domain/source.ts'
import type { Outcome, ThreadHeader } from '../domain/thread.ts'
import type { Append } from '../events/events.ts'

/** How a child came to rest. */
export type ChildRest =
  | {
      readonly kind: 'ended'
      readonly outcome: Outcome | null
      readonly text: string
      /** What it had read that was not from a person. */
      readonly sources: readonly Source[]
    }
  | { readonly kind: 'waits'; readonly reason: string }

/** Threads that a thread's own code asks for; given at wiring, because threads stand above (RULES 32). */
export interface Children {
  /** Why this thread may have none: it is deep enough. */
  readonly refusal: string | null
  /** Made, but not yet on disk: `insert` is called within the transaction of the intent. */
  plan(goal: string): { readonly child: ThreadHeader; readonly insert: (append: Append) => void }
  /** Runs it in the parent's slot until it rests; one that has ended already answers at once. @throws AppError cancelled */
  run(childId: string): Promise<ChildRest>
}
