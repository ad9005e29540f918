import { type ActiveSkill, isHostedSkill } from '../domain/skill.ts'
import type { Store } from '../store/store.ts'

/** The skills that threads work with, from their records: the same after a restart. */
export interface ActiveSkills {
  /** In the order in which they joined. */
  of(threadId: string): readonly ActiveSkill[]
  /** How many the model asked for itself; those of a thread that this one retries, and a host's, do not count. */
  loads(threadId: string): number
  /** To be said by whoever is about to record another choice, in the turn in which that is committed. */
  changes(threadId: string): void
  /** One that the model asked for, or a host's: it is active at once, though the record of it is committed later. */
  loaded(threadId: string, skill: ActiveSkill): void
}

interface Joined {
  readonly skills: readonly ActiveSkill[]
  readonly loads: number
}

/** Threads whose skills are kept: every call asks. */
const mostKept = 1_000

export function createActiveSkills({ events }: Pick<Store, 'events'>): ActiveSkills {
  const known = new Map<string, Joined>()

  function read(threadId: string): Joined {
    const [created] = events.ofThread(threadId, 0, 1)
    const retryOf = created?.kind === 'thread.created' ? created.data.retryOf : undefined
    // It goes on with that thread's record: what stands in its transcript is active.
    const before = retryOf === undefined ? [] : joined(retryOf).skills
    const own = events.skillsOf(threadId)
    const skills = own.flatMap((event) => (event.kind === 'skill.loaded' ? [event.data.skill] : event.data.skills))
    const loads = own.filter((event) => event.kind === 'skill.loaded' && !isHostedSkill(event.data.skill)).length
    return { skills: [...before, ...skills], loads }
  }

  function joined(threadId: string): Joined {
    const found = known.get(threadId) ?? read(threadId)
    keep(threadId, found)
    return found
  }

  function keep(threadId: string, found: Joined): void {
    // The one that was asked for longest ago goes: what was just loaded may not be on disk yet.
    known.delete(threadId)
    const [oldest] = known.size >= mostKept ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    known.set(threadId, found)
  }

  return {
    of: (threadId) => joined(threadId).skills,
    loads: (threadId) => joined(threadId).loads,
    changes: (threadId) => void known.delete(threadId),
    loaded(threadId, skill) {
      const { skills, loads } = joined(threadId)
      keep(threadId, { skills: [...skills, skill], loads: loads + (isHostedSkill(skill) ? 0 : 1) })
    },
  }
}
