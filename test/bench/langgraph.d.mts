import type { Timed } from './timed.mjs'

export interface PeerCost extends Timed {
  readonly diskBytesPerStep: number
}
export function langGraphLoop(work: {
  readonly steps: number
  readonly textBytes: number
  /** LangGraph's own default (`async`) without. */
  readonly durability?: 'sync'
}): Promise<PeerCost>
