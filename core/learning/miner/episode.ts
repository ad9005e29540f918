import type { EffectType } from '../../domain/action.ts'
import { type Json, type JsonObject, jsonLength } from '../../domain/json.ts'

/**
 * One finished thread as the miner reads it. `environment`: a provider, the network or a limit ended it; neither that nor a stop
 * by a person counts, for or against. Source: learning 3.1.
 */
export interface Episode {
  readonly threadId: string
  readonly goal: string
  readonly outcome: 'success' | 'failure' | 'stopped' | 'environment'
  /** Epoch ms. */
  readonly endedAt: number
  readonly steps: readonly EpisodeStep[]
  readonly answer: string
}

/** One turn of the model, with the calls that came of it. */
export interface EpisodeStep {
  readonly stepId: string
  readonly calls: readonly EpisodeCall[]
}

export interface EpisodeCall {
  readonly callId: string
  readonly action: string
  readonly args: JsonObject
  readonly ok: boolean
  readonly effects: readonly EffectType[]
  readonly result: Json
  /** The skill whose function made it: it confirms that skill, and supports no other. */
  readonly viaSkill: string | null
}

/** Of its arguments and results, about as many as their JSON. */
export function bytesOf({ steps }: Pick<Episode, 'steps'>): number {
  const each = steps.flatMap(({ calls }) => calls.map(({ args, result }) => jsonLength(args) + jsonLength(result)))
  return each.reduce((sum, bytes) => sum + bytes, 0)
}
