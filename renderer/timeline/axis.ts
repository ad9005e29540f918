import { childrenOf, spanAt, type Timeline } from './timeline.ts'

export const axisModes = ['rel', 'wall', 'work'] as const
export type AxisMode = (typeof axisModes)[number]

/**
 * Time laid out along a line of `total` units. On `rel` and `wall` a unit is a millisecond; on `work` an idle gap takes a
 * fixed share of the line instead of its length. Piecewise linear: `at[i]` (epoch ms) stands at `units[i]`.
 */
export interface Axis {
  readonly mode: AxisMode
  readonly total: number
  readonly at: Float64Array
  readonly units: Float64Array
  readonly gaps: readonly Gap[]
}

/** A time without any call, longer than is worth drawing at its length. */
export interface Gap {
  readonly startedAt: number
  readonly endedAt: number
  readonly fromUnits: number
  readonly toUnits: number
}

/** Part of an axis that is shown, in units. */
export interface Range {
  readonly from: number
  readonly to: number
}

const gapMs = 10_000
const smallestGapMs = 1_000
const gapPart = 0.05
/** Of the line: one gap takes at most this share, and all of them at most `gapsShare`. */
const gapShare = 0.09
const gapsShare = 0.4

/** `endAt` is the last instant that the axis must hold: the thread's end, or a little after now. */
export function axisOf(timeline: Timeline, mode: AxisMode, endAt: number): Axis {
  const from = spanAt(timeline, 0).startedAt
  const to = Math.max(endAt, from + 1)
  if (mode !== 'work') return plainAxis(mode, from, to)
  const idle = idleTimes(timeline, { from, to })
  if (idle.length === 0) return plainAxis(mode, from, to)
  return gappedAxis(idle, { from, to })
}

export function toUnits(axis: Axis, at: number): number {
  return interpolate(axis.at, axis.units, at)
}

/** Epoch ms of a place on the axis. */
export function toTime(axis: Axis, units: number): number {
  return interpolate(axis.units, axis.at, units)
}

/**
 * Where a live axis ends: after now, in steps of an eighth of the elapsed time's magnitude, so that bars stand still while
 * the clock ticks.
 */
export function liveEndAt(startedAt: number, now: number): number {
  const elapsed = Math.max(1_000, now - startedAt)
  const grain = 2 ** Math.floor(Math.log2(elapsed)) / 8
  return startedAt + Math.ceil((elapsed * 1.02) / grain) * grain
}

/** How much of a thread's time up to now lies in gaps that the `work` axis folds. */
export function foldedMs(timeline: Timeline, mode: AxisMode, endAt: number): number {
  return axisOf(timeline, mode, endAt).gaps.reduce((sum, gap) => sum + gap.endedAt - gap.startedAt, 0)
}

function plainAxis(mode: AxisMode, from: number, to: number): Axis {
  return { mode, total: to - from, at: Float64Array.of(from, to), units: Float64Array.of(0, to - from), gaps: [] }
}

interface Times {
  readonly from: number
  readonly to: number
}

function gappedAxis(idle: readonly Times[], { from, to }: Times): Axis {
  const idleMs = idle.reduce((sum, one) => sum + one.to - one.from, 0)
  const workMs = Math.max(1, to - from - idleMs)
  const share = Math.min(gapShare, gapsShare / idle.length)
  const total = workMs / (1 - share * idle.length)
  const at = new Float64Array(idle.length * 2 + 2)
  const units = new Float64Array(idle.length * 2 + 2)
  at[0] = from
  let cursor = 0
  let before = from
  const gaps = idle.map((one, index) => {
    cursor += one.from - before
    const gap = { startedAt: one.from, endedAt: one.to, fromUnits: cursor, toUnits: cursor + total * share }
    at.set([one.from, one.to], index * 2 + 1)
    units.set([gap.fromUnits, gap.toUnits], index * 2 + 1)
    cursor = gap.toUnits
    before = one.to
    return gap
  })
  at[at.length - 1] = to
  units[units.length - 1] = total
  return { mode: 'work', total, at, units, gaps }
}

/** Times between calls that are long enough to be folded, in order. */
function idleTimes(timeline: Timeline, { from, to }: Times): readonly Times[] {
  const long = Math.max(smallestGapMs, Math.min(gapMs, (to - from) * gapPart))
  const idle: Times[] = []
  let busyUntil = from
  for (const busy of callsByStart(timeline, to)) {
    if (busy.from - busyUntil > long) idle.push({ from: busyUntil, to: busy.from })
    if (busy.to > busyUntil) busyUntil = busy.to
  }
  // After the last call only a finished or resting thread is idle; a running one may begin its next call at any moment.
  const threadEnd = spanAt(timeline, 0).endedAt ?? (isResting(timeline) ? to : null)
  if (threadEnd !== null && Math.min(threadEnd, to) - busyUntil > long) idle.push({ from: busyUntil, to: threadEnd })
  return idle
}

/** The thread waits for somebody, or is suspended, and nothing says when it goes on. */
function isResting({ pauses }: Timeline): boolean {
  const last = pauses.at(-1)
  return last !== undefined && last.endedAt === null && last.why !== 'slot'
}

function callsByStart(timeline: Timeline, to: number): readonly Times[] {
  const calls: Times[] = []
  const rests = timeline.pauses.filter(({ why }) => why !== 'slot')
  let ordered = true
  let last = 0
  for (const step of childrenOf(timeline, 0)) {
    for (const id of childrenOf(timeline, step)) {
      const { kind, startedAt, endedAt, state } = spanAt(timeline, id)
      // Asked, and not answered: nothing of it runs.
      if (state === 'waiting' && kind === 'action') continue
      ordered &&= startedAt >= last
      last = startedAt
      calls.push(...withoutRests({ from: startedAt, to: endedAt ?? to }, rests))
    }
  }
  return ordered ? calls : calls.sort((a, b) => a.from - b.from)
}

/** Code that stands at a call which waits for a person is not at work. */
function withoutRests(call: Times, rests: readonly { startedAt: number; endedAt: number | null }[]): readonly Times[] {
  if (rests.length === 0) return [call]
  const parts: Times[] = []
  let { from } = call
  for (const { startedAt, endedAt } of rests) {
    const until = endedAt ?? call.to
    if (until <= from || startedAt >= call.to) continue
    if (startedAt > from) parts.push({ from, to: startedAt })
    from = Math.max(from, until)
  }
  return from < call.to || parts.length === 0 ? [...parts, { from: Math.min(from, call.to), to: call.to }] : parts
}

function interpolate(from: Float64Array, to: Float64Array, value: number): number {
  let low = 0
  let high = from.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((from[middle] ?? 0) <= value) low = middle
    else high = middle
  }
  const [x0, x1, y0, y1] = [from[low] ?? 0, from[high] ?? 0, to[low] ?? 0, to[high] ?? 0]
  return x1 === x0 ? y0 : y0 + ((value - x0) / (x1 - x0)) * (y1 - y0)
}
