import type { ActiveSkill } from '../domain/skill.ts'
import type { Store } from '../store/store.ts'

/** The skills that threads work with, from their records: the same after a restart. */
export interface ActiveSkills {
  /** In the order in which they joined. */
  of(threadId: string): readonly ActiveSkill[]
  /** To be said by whoever is about to record another choice, in the turn in which that is committed. */
  changes(threadId: string): void
}

/** Threads whose skills are kept: every call asks. */
const mostKept = 1_000

export function createActiveSkills({ events }: Pick<Store, 'events'>): ActiveSkills {
  const known = new Map<string, readonly ActiveSkill[]>()

  function read(threadId: string): readonly ActiveSkill[] {
    const [created] = events.ofThread(threadId, 0, 1)
    const retryOf = created?.kind === 'thread.created' ? created.data.retryOf : undefined
    // It goes on with that thread's record: what stands in its transcript is active.
    const before = retryOf === undefined ? [] : of(retryOf)
    const joined = events.skillsOf(threadId).flatMap(({ skills }) => skills)
    return [...before, ...joined]
  }

  function of(threadId: string): readonly ActiveSkill[] {
    const active = known.get(threadId) ?? read(threadId)
    if (known.size >= mostKept) known.clear()
    known.set(threadId, active)
    return active
  }

  return { of, changes: (threadId) => void known.delete(threadId) }
}
