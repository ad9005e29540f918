import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { recall, remember } from '../state/remembered.ts'

interface PaneWidth {
  /** 0 while the pane is folded away. */
  readonly width: number
  readonly isOpen: boolean
  readonly splitter: SplitterProps
  toggle(): void
}

interface SplitterProps {
  readonly label: string
  readonly width: number
  readonly min: number
  readonly max: number
  resize(width: number): void
  toggle(): void
}

interface PaneOptions {
  /** Under which the width is remembered. */
  readonly name: string
  readonly label: string
  readonly initial: number
  readonly min: number
  readonly max: number
}

/** A side pane that can be made wider, folded away, and is found again as it was left. */
export function usePaneWidth({ name, label, initial, min, max }: PaneOptions): PaneWidth {
  const [width, setWidth] = useState(() => clamp(Number(recall(`pane.${name}`) ?? initial), min, max))
  const [isOpen, setOpen] = useState(() => recall(`pane.${name}.open`) !== 'no')
  function resize(next: number): void {
    const clamped = clamp(next, min, max)
    setWidth(clamped)
    remember(`pane.${name}`, String(clamped))
  }
  function toggle(): void {
    setOpen(!isOpen)
    remember(`pane.${name}.open`, isOpen ? 'no' : null)
  }
  const shown = isOpen ? width : 0
  return { width: shown, isOpen, toggle, splitter: { label, width: shown, min, max, resize, toggle } }
}

const stepPx = 16
const halfPx = 4

/** The edge of a pane: drag it, or move it with the arrow keys; Enter folds the pane away and back. */
export function Splitter({ label, width, min, max, resize, toggle }: SplitterProps) {
  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    const startX = event.clientX
    const edge = event.currentTarget
    edge.setPointerCapture(event.pointerId)
    const onMove = (move: globalThis.PointerEvent) => resize(width + move.clientX - startX)
    edge.addEventListener('pointermove', onMove)
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', onMove), { once: true })
  }
  function onKeyDown(event: KeyboardEvent): void {
    const widths: Readonly<Record<string, number>> = {
      ArrowLeft: width - stepPx,
      ArrowRight: width + stepPx,
      Home: min,
      End: max,
    }
    const next = widths[event.key]
    if (next !== undefined) resize(next)
    else if (event.key === 'Enter') toggle()
    else return
    event.preventDefault()
  }
  return (
    // A focusable separator is a control; an hr is not.
    <div
      className="splitter"
      style={{ left: width - halfPx }}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={0}
      aria-valuemax={max}
      onPointerDown={onPointerDown}
      onDoubleClick={toggle}
      onKeyDown={onKeyDown}
    />
  )
}

function clamp(width: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Number.isFinite(width) ? width : min))
}
