import { useEffect, useState } from 'react'

/** The window's wall clock in epoch ms. What must be tested takes the time as a parameter instead. */
export function nowMs(): number {
  return Math.round(performance.timeOrigin + performance.now())
}

/** The time, again each `everyMs` while `isRunning`. Only the component that shows it draws again. */
export function useNow(everyMs: number, isRunning = true): number {
  const [now, setNow] = useState(nowMs)
  useEffect(() => {
    if (!isRunning) return
    setNow(nowMs())
    const timer = setInterval(() => setNow(nowMs()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, isRunning])
  return now
}
