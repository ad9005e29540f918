import { limits } from '../domain/limits.ts'
import { createModelsWith, type Models, type ModelsOptions } from './create-models.ts'

export type { Completed, RetryNotice } from './complete.ts'
export type { Models, ModelsOptions } from './create-models.ts'
export type { UsualServer } from './discover.ts'
export type { EmbeddedProvider } from './embedded.ts'
export { createLocalModels, type LocalModels } from './local/local.ts'
export { createPlanner } from './planner/planner.ts'
export { type ReplayResult, replayStream } from './replay.ts'

/** Wires the providers to the settings; holds connections until `close`. Source: ARCHITECTURE `models/`, RULES 5, 28, 39. */
export function createModels(options: ModelsOptions): Models {
  return createModelsWith(options, limits.modelRetries)
}
