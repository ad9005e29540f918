import type { CallRecord } from './call-record.ts'
import type { EventFacts } from './fact.ts'
import type { Pause, Span } from './span.ts'

/**
 * Everything that is known of one thread's course, and of those of its children that were opened, from pages of the call
 * index and from events, in any order and as often as they come: a fact that is known already changes nothing. One fact
 * touches its own span, its step and the thread.
 */
export interface Timeline {
  readonly threadId: string
  /** By id. `spans[0]` is the thread. */
  readonly spans: Span[]
  /** Ids of the spans below each span, in order. */
  readonly children: number[][]
  readonly pauses: Pause[]
  /** What is not only a call: states, messages, leases, approvals, checks of budgets; by seq. */
  readonly notes: EventFacts[]
  /** Counts up with every change, so that a view knows when to look again. */
  version: number
  /** Of the thread itself: by step. */
  readonly stepIds: Map<number, number>
  readonly callIds: Map<string, number>
  /** Steps of children, and the calls of each step whatever their depth. */
  readonly childStepIds: Map<string, number>
  readonly callsOfStep: Map<number, number[]>
  /** Rows of children that were opened: what happens in them is taken in. */
  readonly openChildren: Map<string, number>
  readonly records: Map<string, CallRecord>
  readonly noteSeqs: Set<number>
}
