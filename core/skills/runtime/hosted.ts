import type { Outcome } from '../../domain/thread.ts'
import {
  createSkills,
  type SkillRefused,
  type SkillsConfig,
  type SkillsContract,
  type SkillsRun,
  type SkillsSeams,
} from './contract.ts'

/**
 * Skills that whoever hosts the engine brings, beside those of the app: every thread that a person begins is told of them, and
 * loads them by `load_skill`. Source: seed R, the first-class agent option; RULES 18.
 */
export interface HostedSkills {
  /** Catalogue and injected bodies for a thread that begins; '' for none. @throws the signal's reason */
  begin(thread: { readonly id: string; readonly goal: string }, signal: AbortSignal): Promise<string>
  /** An error is a result. @throws the signal's reason */
  load(
    threadId: string,
    asked: { readonly name: string; readonly version?: number | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly text: string } | SkillRefused>
  ended(threadId: string, outcome: Outcome): void
}

/** A contract is taken as it is; a config is made one with the engine's own seams. */
export function createHostedSkills(given: SkillsConfig | SkillsContract, seams: SkillsSeams): HostedSkills {
  const skills = 'catalogue' in given ? given : createSkills(given, seams)
  const runs = new Map<string, SkillsRun>()
  /** After a restart a thread goes on with a budget of its own: what it had loaded stands in its record. */
  const runOf = (threadId: string): SkillsRun => {
    const run = runs.get(threadId) ?? skills.run(threadId)
    runs.set(threadId, run)
    return run
  }
  return {
    async begin({ id, goal }, signal) {
      const { text } = await skills.catalogue(signal, id)
      const bodies = await runOf(id).preload(goal, signal)
      return [text, ...bodies.map((body) => body.text)].filter((part) => part !== '').join('\n\n')
    },
    load(threadId, { name, version }, signal) {
      return runOf(threadId).load({ name, ...(version !== undefined && { version }) }, signal)
    },
    ended(threadId, outcome) {
      runs.get(threadId)?.end(outcome)
      runs.delete(threadId)
    },
  }
}
