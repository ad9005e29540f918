import { useEffect } from 'react'
import { isMoving, loadLocal } from '../state/local.ts'
import { supervise, useApp } from '../state/store.ts'
import { useLoad } from '../state/use-load.ts'

const movingMs = 500
const restingMs = 5_000

/** Models in the app, asked for again and again while they are in sight: what moves is no event. */
export function useLocal() {
  const status = useApp((state) => state.local)
  const load = useLoad(loadLocal)
  const everyMs = status !== null && isMoving(status) ? movingMs : restingMs
  const isReady = load.phase === 'ready'
  useEffect(() => {
    if (!isReady) return
    const timer = setInterval(() => document.hidden || supervise(loadLocal), everyMs)
    return () => clearInterval(timer)
  }, [isReady, everyMs])
  return { status, load }
}
