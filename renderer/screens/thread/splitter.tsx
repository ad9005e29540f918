// biome-ignore-all lint/a11y: a separator that moves is a control, which no native element is
import type { KeyboardEvent, PointerEvent } from 'react'

interface SplitterProps {
  readonly label: string
  readonly className: string
  readonly widthPx: number
  readonly minPx: number
  readonly maxPx: number
  /** Which way makes the pane wider: it lies left or right of the splitter. */
  readonly side: 'left' | 'right'
  readonly onChange: (widthPx: number) => void
}

const keyStepPx = 16

/** Moves by dragging and by arrow keys; Home and End go to the ends. */
export function Splitter({ label, className, widthPx, minPx, maxPx, side, onChange }: SplitterProps) {
  const sign = side === 'left' ? 1 : -1
  const set = (px: number) => onChange(Math.round(Math.max(minPx, Math.min(maxPx, px))))
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: widthPx + sign * keyStepPx,
      ArrowLeft: widthPx - sign * keyStepPx,
      Home: minPx,
      End: maxPx,
    }
    const px = moves[event.key]
    if (px === undefined) return
    event.preventDefault()
    event.stopPropagation()
    set(px)
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    const target = event.currentTarget
    const fromX = event.clientX
    target.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => set(widthPx + sign * (moved.clientX - fromX))
    const end = () => {
      target.removeEventListener('pointermove', move)
      target.removeEventListener('pointerup', end)
      target.removeEventListener('pointercancel', end)
    }
    target.addEventListener('pointermove', move)
    target.addEventListener('pointerup', end)
    target.addEventListener('pointercancel', end)
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={widthPx}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      tabIndex={0}
      className={`splitter ${className}`}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    />
  )
}
