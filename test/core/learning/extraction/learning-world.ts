import { onTestFinished } from 'vitest'
import type { EventData } from '../../../../core/domain/event.ts'
import { createSkillExtraction } from '../../../../core/learning/learning.ts'
import type { Episode } from '../../../../core/learning/miner/episode.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { openSkillWorld, type SkillWorld } from '../../../support/skill-world.ts'
import { minerForTests, sandboxForTests } from '../miner/sandbox.ts'

/** Skills on a real store, with finished threads in it and the miner in a real sandbox. */
export interface LearningWorld {
  readonly skills: SkillWorld
  /** An episode as the engine would have it on record. */
  ended(
    episode: Episode,
    of?: { readonly outcome?: 'answered' | 'stopped'; readonly events?: readonly EventData[] },
  ): void
  /** The miner's clock; it can be put another. */
  monotonicMs: () => number
  /** What the learning thread found: `new stock 2`, `support stock 0`. */
  learn(signal?: AbortSignal): Promise<readonly string[]>
  /** Decides on the one candidate that waits. */
  decide(decision: 'approve' | 'reject'): Promise<void>
}

export function openLearningWorld(dataDir = temporaryFolder()): LearningWorld {
  const skills = openSkillWorld(dataDir)
  const sandbox = sandboxForTests()
  onTestFinished(async () => {
    await sandbox.close()
    await skills.close()
  })
  const { store, events } = skills
  if (store.projects.get('p') === undefined) skills.project('p')
  const extraction = createSkillExtraction({
    ...{ store, events, review: skills.skills.review, now: () => skills.now, skillNames: () => [] },
    miner: minerForTests(sandbox, () => world.monotonicMs()),
  })
  let runs = 0
  const world: LearningWorld = {
    skills,
    monotonicMs: () => performance.now(),
    ended(episode, { outcome = 'answered', events: more = [] } = {}) {
      const { threadId: id, goal } = episode
      skills.thread({ id, goal, outcome })
      const number = store.threads.get(id)?.number ?? 0
      events.commit((append) => {
        for (const event of [...beginning(id, number, goal), ...callsOf(episode), ...more, ...ending(episode, outcome)])
          append(id, event)
      })
    },
    async learn(signal = AbortSignal.timeout(60_000)) {
      runs += 1
      const own = `learning ${runs} ${store.events.lastSeq()}`
      skills.thread({ id: own, goal: '# Mission: skill-extraction', outcome: 'stopped' })
      const task = { projectId: 'p', threadId: own, signal }
      const { findings } = await extraction.run(task)
      return findings.map(({ reason, subjectId }) => `${reason} ${subjectId}`)
    },
    async decide(decision) {
      const { review } = skills.skills
      const [waiting] = review.list({ state: 'pending', limit: 10 }).rows
      const { id, sha256, before } = await review.get(waiting?.id ?? 'nothing waits')
      await review.decide({ id, sha256, before: before?.sha256 ?? null, decision })
    },
  }
  return world
}

function beginning(id: string, number: number, goal: string): readonly EventData[] {
  const facts = { number, projectId: 'p', conversationId: id, title: goal, tier: 'allegro' } as const
  return [
    { kind: 'thread.created', data: facts, body: { goal } },
    { kind: 'message.added', data: { role: 'user', preview: goal }, body: { content: goal } },
  ]
}

function callsOf({ steps }: Episode): readonly EventData[] {
  return steps.flatMap(({ calls }, step) =>
    calls.flatMap(({ action: name, args, ok, effects, result }, at): readonly EventData[] => {
      const place = { step, path: String(at + 1), callId: `${step}.${at}`, name, summary: `${name} ${at}` }
      const policy = { verdict: 'allow', check: null, reason: null, effects } as const
      const none = { argsHash: null, leaseId: null, usesLeft: null }
      return [
        { kind: 'action.started', data: { ...place, ...none, policy }, body: { arguments: args } },
        { kind: 'action.finished', data: { ...place, ok, durationMs: 1 }, body: { result } },
      ]
    }),
  )
}

function ending({ answer }: Episode, outcome: 'answered' | 'stopped'): readonly EventData[] {
  return [
    { kind: 'message.added', data: { role: 'assistant', origin: 'final', preview: answer }, body: { content: answer } },
    { kind: 'thread.state', data: { from: 'Running', to: 'Completed', outcome } },
    { kind: 'thread.state', data: { from: 'Completed', to: 'Done', outcome } },
  ]
}
