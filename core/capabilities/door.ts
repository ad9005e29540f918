import type { PrepareParts } from './prepare.ts'
import type { RateMeter } from './rate.ts'
import type { Requests } from './requests.ts'
import type { RunParts } from './run-call.ts'

/** What the one door is made of. */
export interface CapabilitiesOptions extends PrepareParts, RunParts {
  readonly requests: Requests
  readonly rates: RateMeter
  /** One use of a counted lease and its ancestors; within a transaction. */
  readonly consume: (leaseId: string, now: number) => void
}
