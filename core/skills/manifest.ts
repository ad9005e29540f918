import { limits } from '../domain/limits.ts'
import type { Tier } from '../domain/thread.ts'
import type { SkillFile } from './file/parse.ts'

/** What a skill says of its own run. Source: seed L; RULES 19. */
export interface SkillManifest {
  readonly tier: Tier
  /** The skill itself says which. */
  readonly hasOwnTier: boolean
  /** Names of actions that it asks for: what it is given is decided elsewhere. */
  readonly tools: readonly string[]
  readonly maxTurns: number
}

/** `metadata.threadsmith.{tier, tools, maxTurns}`, with what holds where it says nothing. */
export function manifestOf({ fields }: Pick<SkillFile, 'fields'>): SkillManifest {
  const { tier, tools = [], maxTurns = limits.skillTurns } = fields.metadata?.threadsmith ?? {}
  return {
    ...{ tier: tier ?? 'allegro', hasOwnTier: tier !== undefined, tools: [...new Set(tools)] },
    maxTurns: Math.min(Math.max(1, maxTurns), limits.maxSteps),
  }
}
