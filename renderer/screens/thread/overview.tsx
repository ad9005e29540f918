// biome-ignore-all lint/a11y: a window has two ends, which no native slider has
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react'
import { useNow } from '../../engine/clock.ts'
import { counted, durationText } from '../../format/figures.ts'
import { type Range, toTime } from '../../timeline/axis.ts'
import type { View } from '../../timeline/bars.ts'
import { overviewColumns, overviewInks, overviewLanes } from '../../timeline/overview.ts'
import { gapMarksOf, labelOf } from '../../timeline/ticks.ts'
import { spanAt, type Timeline } from '../../timeline/timeline.ts'
import { useLookCount, useSize } from './use-window.ts'

interface OverviewProps {
  readonly timeline: Timeline
  readonly version: number
  readonly view: View
  /** In axis units. */
  readonly onRange: (range: Range, isNew: boolean) => void
}

const lanes = [
  { y: 2, height: 3 },
  { y: 7, height: 7 },
  { y: 16, height: 7 },
  { y: 25, height: 7 },
]
const smallestPart = 0.002

/** The whole thread on one canvas, with the brush that chooses the window below. */
export function Overview({ timeline, version, view, onRange }: OverviewProps) {
  const [boxRef, { widthPx }] = useSize<HTMLDivElement>()
  const { axis, range } = view
  const gaps = gapMarksOf(axis, { from: 0, to: axis.total })
  const [left, right] = [(range.from / axis.total) * 100, (range.to / axis.total) * 100]
  const set = (from: number, to: number, isNew = false) => {
    const least = axis.total * smallestPart
    const start = Math.max(0, Math.min(from, axis.total - least))
    onRange({ from: start, to: Math.min(axis.total, Math.max(to, start + least)) }, isNew)
  }
  const unitsAt = (clientX: number) => {
    const box = boxRef.current?.getBoundingClientRect()
    return box ? ((clientX - box.left) / Math.max(1, box.width)) * axis.total : 0
  }
  const select = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    const from = unitsAt(event.clientX)
    let isNew = true
    drag(event, (x) => {
      const to = unitsAt(x)
      if (isNew && Math.abs(to - from) < axis.total * 0.005) return
      set(Math.min(from, to), Math.max(from, to), isNew)
      isNew = false
    })
  }
  const isZoomed = left > 0.01 || right < 99.99
  return (
    <div className="ovw" ref={boxRef} onPointerDown={select}>
      <OverviewCanvas timeline={timeline} version={version} view={view} widthPx={widthPx} />
      {gaps.map((gap) => (
        <span
          key={gap.fromPercent}
          className="brk-o"
          style={{ left: `${gap.fromPercent}%`, width: `${gap.toPercent - gap.fromPercent}%` }}
        >
          {gap.toPercent - gap.fromPercent > 4 ? gap.label : ''}
        </span>
      ))}
      {isZoomed && <div className="shade" style={{ width: `${left}%` }} />}
      {isZoomed && <div className="shade after" style={{ left: `${right}%` }} />}
      <div className={isZoomed ? 'brush' : 'brush whole'} style={{ left: `${left}%`, width: `${right - left}%` }}>
        <Handle
          label="Window start"
          view={view}
          units={range.from}
          side="start"
          unitsAt={unitsAt}
          onMove={(units) => set(Math.min(units, range.to), range.to)}
        />
        <Handle
          label="Window end"
          view={view}
          units={range.to}
          side="end"
          unitsAt={unitsAt}
          onMove={(units) => set(range.from, Math.max(units, range.from))}
        />
      </div>
    </div>
  )
}

interface HandleProps {
  readonly label: string
  readonly side: 'start' | 'end'
  readonly view: View
  readonly units: number
  readonly unitsAt: (clientX: number) => number
  readonly onMove: (units: number) => void
}

function Handle({ label, side, view: { axis }, units, unitsAt, onMove }: HandleProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = axis.total * (event.shiftKey ? 0.05 : 0.01)
    const moves: Readonly<Record<string, number>> = {
      ...{ ArrowRight: units + step, ArrowUp: units + step, PageUp: units + step * 5 },
      ...{ ArrowLeft: units - step, ArrowDown: units - step, PageDown: units - step * 5 },
      ...{ Home: 0, End: axis.total },
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onMove(next)
  }
  return (
    <i
      role="slider"
      tabIndex={0}
      className={side}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((units / axis.total) * 100)}
      aria-valuetext={labelOf(axis, toTime(axis, units))}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.stopPropagation()
        if (event.button === 0) drag(event, (x) => onMove(unitsAt(x)))
      }}
    />
  )
}

function drag(event: PointerEvent<HTMLElement>, onMove: (clientX: number) => void): void {
  event.preventDefault()
  const target = event.currentTarget
  target.setPointerCapture(event.pointerId)
  target.focus({ preventScroll: true })
  const move = (moved: globalThis.PointerEvent) => onMove(moved.clientX)
  const end = () => {
    target.removeEventListener('pointermove', move)
    target.removeEventListener('pointerup', end)
    target.removeEventListener('pointercancel', end)
  }
  target.addEventListener('pointermove', move)
  target.addEventListener('pointerup', end)
  target.addEventListener('pointercancel', end)
}

interface CanvasProps extends Omit<OverviewProps, 'onRange'> {
  readonly widthPx: number
}

function OverviewCanvas({ timeline, version, view, widthPx }: CanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null)
  const look = useLookCount()
  const clock = useNow(1_000, view.isLive)
  const now = view.isLive ? clock : view.now
  useLayoutEffect(() => {
    if (ref.current && widthPx > 0) paint(ref.current, timeline, { view: { ...view, now }, widthPx })
  }, [timeline, version, view, now, widthPx, look])
  return <canvas className="ov" ref={ref} role="img" aria-label={describe(timeline, view)} />
}

function paint(
  canvas: HTMLCanvasElement,
  timeline: Timeline,
  at: { readonly view: View; readonly widthPx: number },
): void {
  const scale = devicePixelRatio || 1
  const columns = Math.max(1, Math.round(at.widthPx * scale))
  canvas.width = columns
  canvas.height = Math.round(36 * scale)
  const pen = canvas.getContext('2d')
  if (pen === null) return
  const inks = readInks()
  const drawn = overviewColumns(timeline, at.view.axis, { widthPx: columns, now: at.view.now, isLive: at.view.isLive })
  for (let lane = 0; lane < overviewLanes; lane += 1) {
    const { y, height } = lanes[lane] ?? { y: 0, height: 0 }
    const row = drawn[lane] ?? new Uint8Array()
    let from = 0
    for (let x = 1; x <= columns; x += 1) {
      if (x < columns && row[x] === row[from]) continue
      const ink = row[from] ?? 0
      if (ink > 0) {
        pen.fillStyle = inks[ink] ?? ''
        pen.fillRect(from, y * scale, x - from, height * scale)
      }
      from = x
    }
  }
}

/** `light-dark()` does not resolve in a property's value, so a probe element wears each token in turn. */
function readInks(): readonly string[] {
  const probe = document.createElement('i')
  document.body.append(probe)
  const inks = overviewInks.map((token) => {
    probe.style.color = token === 'none' ? 'transparent' : `var(--${token})`
    return getComputedStyle(probe).color
  })
  probe.remove()
  return inks
}

function describe(timeline: Timeline, { axis, now }: View): string {
  const root = spanAt(timeline, 0)
  const idleMs = axis.gaps.reduce((sum, gap) => sum + gap.endedAt - gap.startedAt, 0)
  const wholeMs = (root.endedAt ?? now) - root.startedAt
  const idle = idleMs > 0 ? `, ${durationText(idleMs)} of it without any call` : ''
  const steps = counted(timeline.stepIds.size, 'step')
  return `Overview: ${steps} in ${durationText(wholeMs)}${idle}, ${counted(root.errors, 'error')}`
}
