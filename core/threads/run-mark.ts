import type { EventData, SkillRunMark, StoredEvent } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
import { type Outcome, type ThreadHeader, titleOf } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import { activeMsOf } from './clock.ts'
import type { RunWish } from './spawn-run.ts'

/** What a thread's first event says of the skill that it runs; undefined for any other thread. */
export function runMarkOf(store: Store, threadId: string): SkillRunMark | undefined {
  const [created] = store.events.ofThread(threadId, 0, 1)
  return created?.kind === 'thread.created' ? created.data.run : undefined
}

/** Names of the actions that a thread was ever leased, but for single calls that were approved. */
export function actionsLeasedTo(store: Store, threadId: string): readonly string[] {
  return store.leases.ofThread(threadId).flatMap((lease) => (lease.argsHash === null ? lease.actions : []))
}

/** A run as it was asked for, from its record: to be run again, with the same text and no more actions. */
export function runWishOf(store: Store, thread: ThreadHeader): RunWish | undefined {
  const [created, system, ...next] = store.events.ofThread(thread.id, 0, 4)
  const run = created?.kind === 'thread.created' ? created.data.run : undefined
  if (run === undefined || system?.kind !== 'message.added') return undefined
  const chosen = store.events.skillsOf(thread.id).find(({ kind }) => kind === 'skill.selected')
  return {
    mark: { skill: run.skill, version: run.version },
    skills: chosen?.kind === 'skill.selected' ? chosen.data.skills : [],
    ...{ goal: thread.goal, tier: thread.tier, hasOwnTier: thread.model === null },
    maxSteps: thread.maxSteps ?? limits.skillTurns,
    actions: actionsLeasedTo(store, thread.id),
    // Docs that came from strangers are among its sources.
    ...{ system: system.body.content, sources: system.data.sources ?? [], docs: [] },
    conversation: conversationIn(next),
  }
}

function conversationIn(events: readonly StoredEvent[]): RunWish['conversation'] {
  for (const event of events) {
    if (event.kind !== 'message.added' || event.data.origin !== 'knowledge') continue
    return { text: event.body.content, sources: event.data.sources ?? [] }
  }
  return null
}

interface RunEnd {
  readonly outcome: Outcome
  /** '' for none. */
  readonly answer: string
  readonly now: number
}

/** The run's row in the feed of activity, for the transaction that ends it; none for a thread that is no run. */
export function ranEvents(
  store: Store,
  { id, goal }: ThreadHeader,
  { outcome, answer, now }: RunEnd,
): readonly EventData[] {
  const mark = runMarkOf(store, id)
  if (mark === undefined) return []
  const { skill, version } = mark
  const figures = { elapsedMs: activeMsOf(store, id, now), turns: turnsOf(store, id), resultCharacters: answer.length }
  return [{ kind: 'skill.ran', data: { skill, version, objective: titleOf(goal), outcome, ...figures } }]
}

/** Model calls of its own, those that failed among them. */
function turnsOf(store: Store, threadId: string): number {
  return 1 + Math.max(-1, ...[...store.calls.tail(threadId).values()].map(({ step }) => step))
}
