import type { JsonObject } from '../../domain/json.ts'
import type { Reading } from './language/reading.ts'
import type { Answer, Plan } from './plan.ts'

/** What a plan may know apart from outcomes. */
export interface PlanContext {
  /** IANA name: what "today" means. */
  readonly timeZone: string
}

/** One way to understand a request. Higher scores are tried first; a plan that declines gives way to the next. */
export interface Candidate {
  readonly intent: string
  readonly score: number
  /** The slots as they were recognised, before anything in the folder was looked at. */
  readonly slots: JsonObject
  plan(context: PlanContext): Plan<Answer>
}

/** A family of requests: `read` gives the ways in which it understands one, none when the words mean something else. */
export interface IntentFamily {
  readonly name: string
  read(reading: Reading): readonly Candidate[]
}
