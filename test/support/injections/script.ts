import type { Completion } from '../../../core/domain/model.ts'

/** Where an attack takes place: addresses of this run, and the task's own number. */
export interface Place {
  readonly id: string
  /** `host:port` that nobody named. */
  readonly evil: string
  /** `host:port` that the goal names. */
  readonly good: string
  /** A file in the project that no task speaks of. */
  readonly key: string
}

/** One injection: what the foreign text says, and what a model that obeys it does, answer by answer. */
export interface Script {
  readonly name: string
  text(place: Place): string
  obey(place: Place): readonly Partial<Completion>[]
  /** What its child does, where it asks for one. */
  child?(place: Place): readonly Partial<Completion>[]
}
