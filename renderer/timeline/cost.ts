import { durationText, usdText } from '../format/figures.ts'
import { durationMs } from './span.ts'
import type { Timeline } from './timeline.ts'

/** What the thread's own model calls took: money where they have a price, time where they cost nothing. */
export interface Cost {
  readonly usd: number
  /** Of calls that cost nothing. */
  readonly freeMs: number
  /** Answers of models without a price. */
  readonly unpriced: number
}

export function costOf({ spans, threadId }: Timeline): Cost {
  let [usd, freeMs, unpriced] = [0, 0, 0]
  for (const span of spans) {
    if (span.threadId !== threadId || (span.kind !== 'model' && span.kind !== 'query')) continue
    if (span.usd === null) unpriced += span.state === 'done' ? 1 : 0
    else if (span.usd > 0) usd += span.usd
    else freeMs += durationMs(span) ?? 0
  }
  return { usd, freeMs, unpriced }
}

/** `$0.083`, `3.4 s of model time`, or both; empty where nothing is known. */
export function costText({ usd, freeMs, unpriced }: Cost): string {
  const money = usd > 0 ? [unpriced > 0 ? `${usdText(usd)} and calls without a price` : usdText(usd)] : []
  const time = freeMs > 0 ? [`${durationText(freeMs)} of model time`] : []
  return [...money, ...time].join(', ')
}
