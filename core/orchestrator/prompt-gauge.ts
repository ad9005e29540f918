/** A request of this thread as it was counted: messages by our own estimate, the whole prompt by the model's server. */
export interface PromptCount {
  /** `<providerId>/<model>`: another model counts otherwise. */
  readonly model: string
  readonly messageTokens: number
  readonly countedTokens: number
}

/** What was counted of one model in a thread. */
export interface PromptCounts {
  /** Since the transcript was last shortened: what comes continues these. */
  readonly first: PromptCount | undefined
  readonly last: PromptCount | undefined
  /** Survives that: the text is another one, of the same kind. */
  readonly measure: PromptCount | undefined
}

export const noCounts: PromptCounts = { first: undefined, last: undefined, measure: undefined }

export function withCount({ first }: PromptCounts, count: PromptCount): PromptCounts {
  return { first: first?.model === count.model ? first : count, last: count, measure: count }
}

/** The transcript was shortened. */
export function withoutPrefix({ measure }: PromptCounts): PromptCounts {
  return { first: undefined, last: undefined, measure }
}

/**
 * How many tokens of a model one of our estimate is; 1 where nothing is known. Four characters a token is far off for code and
 * for Chinese: what the model's server counted before brings it right.
 */
export function tokenRatio({ measure }: PromptCounts, model: string, toolTokens: number): number {
  if (measure?.model !== model) return 1
  const estimated = measure.messageTokens + toolTokens
  const ratio = measure.countedTokens / estimated
  return estimated < leastTokens || ratio < lowestRatio || ratio > highestRatio ? 1 : ratio
}

/** A short text is mostly the server's own framing; a figure beyond all text is of a server that counts something else. */
const leastTokens = 500
const lowestRatio = 0.5
const highestRatio = 8

/** One answered request, by what was sent and what its server says that it read. All but `reportedTokens` are estimates. */
export interface Reading {
  readonly sentTokens: number
  /** What no request before it held: a server that had the rest cached may count this alone. */
  readonly newTokens: number
  readonly sentBytes: number
  /** What the model was asked to run with; null for a server that is not told. What a server says of itself may be wrong. */
  readonly askedTokens: number | null
  /** 0: the server says nothing. */
  readonly reportedTokens: number
  /** The first request that began as this one does. */
  readonly before: { readonly sentTokens: number; readonly reportedTokens: number } | null
}

/** Hardly any text has more than a token for two bytes. */
const fewestBytes = 2
const slackTokens = 256
/** How far an estimate may be off. */
const tolerance = 0.5

/**
 * Whether a server left out the front of a prompt without a word. A prompt only grows: a count that does not grow with it, or
 * is under half of any estimate, is of a part, unless it is that of the new part alone. docs/models.md, Windows.
 */
export function isFrontDropped(reading: Reading): boolean {
  const { sentTokens, sentBytes, askedTokens, reportedTokens, before } = reading
  if (askedTokens !== null && sentBytes / fewestBytes <= askedTokens) return false
  if (isCountOfNew(reading)) return false
  if (reportedTokens < sentTokens * tolerance) return sentTokens - reportedTokens > slackTokens
  if (before === null) return false
  const grown = Math.max(0, sentTokens - before.sentTokens) * tolerance
  return reportedTokens + slackTokens < before.reportedTokens * 0.95 + grown
}

/** Old versions of Ollama count only what they had not cached: nothing at all, or about what is new. */
function isCountOfNew({ newTokens, reportedTokens }: Reading): boolean {
  if (reportedTokens <= slackTokens) return true
  return reportedTokens >= newTokens * 0.75 && reportedTokens <= newTokens * (1 + tolerance) + slackTokens
}
