import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Followed {
  /** What scrolls, and the column in it that grows. */
  readonly area: RefObject<HTMLElement | null>
  readonly column: RefObject<HTMLElement | null>
  /** Changes when the person said something: whoever speaks wants to see it. */
  readonly saidKey: number | undefined
}

const nearPx = 48
const airPx = 16
/** An answer that comes in one piece and fills more of the area than this is read from its beginning. */
const longPart = 0.8
const intentMs = 400

/**
 * Keeps the end in sight while the person is there. They scroll away to read, and back to follow again; what a changed
 * layout does to the place (a resized window, rows that were only guessed) is none of their doing.
 */
export function useFollow({ area, column, saidKey }: Followed) {
  const [isFollowing, setFollowing] = useState(true)
  const follows = useRef(true)
  const intentUntil = useRef(0)
  const lastSaid = useRef(saidKey)

  const follow = useCallback((next: boolean) => {
    follows.current = next
    setFollowing(next)
  }, [])
  const toEnd = useCallback(() => {
    follow(true)
    area.current?.scrollTo({ top: area.current.scrollHeight })
  }, [area, follow])

  useLayoutEffect(() => {
    if (saidKey !== lastSaid.current) toEnd()
    lastSaid.current = saidKey
  }, [saidKey, toEnd])

  useEffect(() => {
    const [box, content] = [area.current, column.current]
    if (!box || !content) return
    let last = measure(content)
    const onResize = () => {
      const newest = measure(content)
      const grownPx = grownOf(last, newest)
      last = newest
      if (!follows.current) return
      if (!newest || grownPx < box.clientHeight * longPart) return toEnd()
      box.scrollTop = newest.turn.offsetTop - airPx
      follow(false)
    }
    const observer = new ResizeObserver(onResize)
    observer.observe(content)
    observer.observe(box)
    toEnd()
    return () => observer.disconnect()
  }, [area, column, follow, toEnd])

  /** The person's hand is on it: what scrolls in the next moment is meant. */
  const onIntent = (event: { readonly timeStamp: number }) => {
    intentUntil.current = event.timeStamp + intentMs
  }
  const onScroll = (event: { readonly timeStamp: number }) => {
    const box = area.current
    if (!box) return
    const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx
    if (isNear) follow(true)
    else if (event.timeStamp < intentUntil.current) {
      // A thumb that is dragged goes on being meant.
      onIntent(event)
      follow(false)
    }
  }
  const handlers = { onScroll, onWheel: onIntent, onKeyDown: onIntent, onPointerDown: onIntent, onTouchMove: onIntent }
  return { isFollowing, toEnd, handlers }
}

interface Measured {
  readonly turn: HTMLElement
  readonly heightPx: number
  /** What was never drawn has a height that was only guessed. */
  readonly isDrawn: boolean
}

function measure(column: HTMLElement): Measured | null {
  const turn = column.lastElementChild
  if (!(turn instanceof HTMLElement)) return null
  return { turn, heightPx: turn.offsetHeight, isDrawn: turn.checkVisibility({ contentVisibilityAuto: true }) }
}

/** By how much the newest turn grew; a turn that is new grew by all of itself. */
function grownOf(before: Measured | null, after: Measured | null): number {
  if (!before || !after) return 0
  if (before.turn !== after.turn) return after.heightPx
  return before.isDrawn ? after.heightPx - before.heightPx : 0
}
