/** The first `limit` items of any number of them, kept without holding all. */
interface TopItems<Item> {
  add(item: Item): void
  /** In order; items that compare equal stay in the order they were added. */
  sorted(): Item[]
}

/** `compare` as for `Array.sort`. Memory and sorting stay proportional to `limit`, whatever is added. */
export function createTopItems<Item>(limit: number, compare: (a: Item, b: Item) => number): TopItems<Item> {
  const roomFor = limit * 2 + 64
  let kept: Item[] = []
  let worst: Item | undefined
  const cut = () => {
    kept = kept.sort(compare).slice(0, limit)
    worst = kept.length === limit ? kept.at(-1) : undefined
  }
  return {
    add(item) {
      // Equal to the worst one comes after it, so it cannot be among the first.
      if (worst !== undefined && compare(item, worst) >= 0) return
      kept.push(item)
      if (kept.length >= roomFor) cut()
    },
    sorted() {
      cut()
      return kept
    },
  }
}
