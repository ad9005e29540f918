import { clockText, durationText } from '../format/figures.ts'
import { type Axis, type Range, toTime, toUnits } from './axis.ts'

/** A mark on the axis; `percent` is its place in the shown range. */
export interface Tick {
  readonly percent: number
  readonly label: string
}

/** An idle gap in the shown range, in percent of it. `label` is its length. */
export interface GapMark {
  readonly fromPercent: number
  readonly toPercent: number
  readonly label: string
}

const stepsMs = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * 3_600_000),
]
const edgePercent = 2.5
const gapDistancePercent = 4

/** Round times about every `spacingPx` pixels; none at the edges and none inside or beside a gap. */
export function ticksOf(axis: Axis, range: Range, { widthPx = 520, spacingPx = 56 } = {}): readonly Tick[] {
  const span = range.to - range.from
  if (span <= 0 || widthPx <= 0) return []
  const stepMs = roundStep(span / Math.max(1, widthPx / spacingPx))
  const originAt = axis.mode === 'wall' ? midnightBefore(axis.at[0] ?? 0) : (axis.at[0] ?? 0)
  const gaps = gapMarksOf(axis, range)
  const ticks: Tick[] = []
  let k = Math.ceil((toTime(axis, range.from) - originAt) / stepMs)
  while (ticks.length < 200) {
    const at = originAt + k * stepMs
    const percent = ((toUnits(axis, at) - range.from) / span) * 100
    if (percent > 100 - edgePercent) break
    const gap = gaps.find(
      (one) => percent > one.fromPercent - gapDistancePercent && percent < one.toPercent + gapDistancePercent,
    )
    if (percent >= edgePercent && !gap) ticks.push({ percent, label: labelOf(axis, at, stepMs) })
    k = gap && percent < gap.toPercent ? afterGap(axis, range, { gap, originAt, stepMs, k }) : k + 1
  }
  return ticks
}

export function gapMarksOf(axis: Axis, range: Range): readonly GapMark[] {
  const span = range.to - range.from
  const shown = axis.gaps.filter((gap) => gap.toUnits > range.from && gap.fromUnits < range.to)
  return shown.map((gap) => ({
    fromPercent: ((gap.fromUnits - range.from) / span) * 100,
    toPercent: ((gap.toUnits - range.from) / span) * 100,
    label: clockText(gap.endedAt - gap.startedAt),
  }))
}

/** What a place on the axis is called: 0:42 since the beginning, or the time of day. */
export function labelOf(axis: Axis, at: number, stepMs = 1_000): string {
  if (axis.mode === 'wall') return timeOfDay(at, stepMs)
  const sinceMs = at - (axis.at[0] ?? 0)
  if (stepMs >= 1_000) return clockText(Math.round(sinceMs / 1_000) * 1_000)
  if (sinceMs < 1_000) return durationText(sinceMs)
  return `${(sinceMs / 1_000).toFixed(stepMs >= 100 ? 1 : stepMs >= 10 ? 2 : 3)} s`
}

/** 14:05:09, with as much behind it as the step needs. */
export function timeOfDay(at: number, stepMs = 1_000): string {
  const date = new Date(at)
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':')
  return stepMs >= 1_000 ? clock : `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function roundStep(ms: number): number {
  const found = stepsMs.find((step) => step >= ms)
  return found ?? Math.ceil(ms / 86_400_000) * 86_400_000
}

function afterGap(
  axis: Axis,
  range: Range,
  at: { readonly gap: GapMark; readonly originAt: number; readonly stepMs: number; readonly k: number },
): number {
  const units = range.from + (at.gap.toPercent / 100) * (range.to - range.from)
  return Math.max(at.k + 1, Math.ceil((toTime(axis, units) - at.originAt) / at.stepMs))
}

function midnightBefore(at: number): number {
  const date = new Date(at)
  date.setHours(0, 0, 0, 0)
  return date.getTime()
}
