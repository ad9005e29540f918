import type { Outcome } from '../../domain/thread.ts'

/** What becomes of skills. `run`: as whoever runs the agent names it. Source: RULES 41. */
export type SkillsEvent =
  | (SkillsEventHead & { readonly kind: 'catalogued' | 'loaded' | 'injected' | 'used' })
  /** How a run ended in which the skill's text was given to the model. */
  | (SkillsEventHead & { readonly kind: 'outcome'; readonly outcome: Outcome })
  | (SkillsEventHead & { readonly kind: 'proposed' })
  | (SkillsEventHead & { readonly kind: 'decided'; readonly approved: boolean; readonly reason: string })

interface SkillsEventHead {
  /** Of the library. */
  readonly library: string
  readonly skill: string
  readonly version: number
  readonly run?: string
}

type WithoutLibrary<Event> = Event extends unknown ? Omit<Event, 'library'> : never
export type EmitSkillsEvent = (event: WithoutLibrary<SkillsEvent>) => void

/** A sink that throws, now or later, changes nothing for whoever works with skills. */
export function emitterOf(
  library: string,
  sink: ((event: SkillsEvent) => void | Promise<void>) | undefined,
): EmitSkillsEvent {
  return (event) => {
    try {
      const taken = sink?.({ library, ...event })
      if (taken instanceof Promise) taken.catch(() => undefined)
    } catch {
      // By the seed: errors of the sink are swallowed. Nothing of ours depends on it.
    }
  }
}
