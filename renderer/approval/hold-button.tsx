import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Kbd } from '../components/button.tsx'

const holdMs = 900

interface HoldButtonProps {
  readonly children: ReactNode
  readonly shortcut: string
  readonly disabled: boolean
  readonly hold: ReturnType<typeof useHold>
}

/** What happens only when it is held for a moment: by pointer, Enter, Space, or the key on its cap. */
export function useHold(onHeld: () => void, isOff: boolean) {
  const [isHolding, setHolding] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const latest = useRef(onHeld)
  useEffect(() => {
    latest.current = onHeld
  })
  const release = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
    setHolding(false)
  }, [])
  const hold = useCallback(() => {
    // A key that is held down presses again and again.
    if (timer.current !== null || isOff) return
    setHolding(true)
    timer.current = setTimeout(() => {
      release()
      latest.current()
    }, holdMs)
  }, [isOff, release])
  useEffect(() => {
    window.addEventListener('keyup', release)
    window.addEventListener('blur', release)
    return () => {
      window.removeEventListener('keyup', release)
      window.removeEventListener('blur', release)
      release()
    }
  }, [release])
  return { isHolding, hold, release }
}

export function HoldButton({ children, shortcut, disabled, hold }: HoldButtonProps) {
  return (
    <button
      type="button"
      className={hold.isHolding ? 'btn primary hold holding' : 'btn primary hold'}
      disabled={disabled}
      aria-description="Hold it down for a second"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        hold.hold()
      }}
      onLostPointerCapture={hold.release}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        hold.hold()
      }}
    >
      <span>{children}</span>
      <Kbd keys={shortcut} />
    </button>
  )
}
