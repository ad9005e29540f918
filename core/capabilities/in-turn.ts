let last: Promise<unknown> = Promise.resolve()

/**
 * One write at a time in this process: between the look at what is there and the rename nothing else of ours comes in, from
 * whichever thread. One queue for all, because a move has two ends. Does not nest.
 */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = last.then(work)
  last = result.catch(() => undefined)
  return result
}
