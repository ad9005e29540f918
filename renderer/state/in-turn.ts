/**
 * Runs works one after the other, each when the one before it is over, however that ended: for changes that read what is
 * stored and write it back with a part of it changed.
 */
export function createTurns(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    // Who asked is told of a failure; the next work is not held up by it.
    last = done.catch(() => undefined)
    return done
  }
}
