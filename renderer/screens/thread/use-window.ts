import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { nowMs } from '../../engine/clock.ts'
import { liveEndAt } from '../../timeline/axis.ts'

/** The instant at which the axis ends. While calls go on it moves in steps, so that bars stand still between them. */
export function useAxisEnd(startedAt: number, endedAt: number, isLive: boolean): number {
  const [liveEnd, setLiveEnd] = useState(() => liveEndAt(startedAt, nowMs()))
  useEffect(() => {
    if (!isLive) return
    const look = () => setLiveEnd(liveEndAt(startedAt, nowMs()))
    look()
    const timer = setInterval(look, 250)
    return () => clearInterval(timer)
  }, [startedAt, isLive])
  return isLive ? Math.max(liveEnd, endedAt) : endedAt
}

/** Width and height of an element's content box, 0 until it is there. */
export function useSize<Target extends HTMLElement>() {
  const ref = useRef<Target>(null)
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 })
  useLayoutEffect(() => {
    const target = ref.current
    if (!target) return
    const read = () => setSize({ widthPx: target.clientWidth, heightPx: target.clientHeight })
    const observer = new ResizeObserver(read)
    observer.observe(target)
    read()
    return () => observer.disconnect()
  }, [])
  return [ref, size] as const
}

/** Counts up when theme or density change: what reads tokens by itself must read them again. */
export function useLookCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const change = () => setCount((n) => n + 1)
    const observer = new MutationObserver(change)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-density', 'class'] })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', change)
    return () => {
      observer.disconnect()
      scheme.removeEventListener('change', change)
    }
  }, [])
  return count
}

/** Height of a row in px, as the density has it. */
export function useRowHeight(): number {
  const look = useLookCount()
  const [height, setHeight] = useState(28)
  useLayoutEffect(() => {
    const px = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--h-row'))
    if (px > 0) setHeight(px)
  }, [look])
  return height
}
