import { durationText } from '../format/figures.ts'
import { type Axis, type Range, toUnits } from './axis.ts'
import { markText } from './notes.ts'
import { isFailure, outcomeOf, type Span, type SpanKind } from './span.ts'
import { labelOf } from './ticks.ts'
import { childrenOf, spanAt, type Timeline } from './timeline.ts'

/**
 * How a piece of a row's lane is drawn. `pre`: asked, no token yet. `open`: began, and no end is on record. `approval`: a
 * person was asked. `mark`: an instant.
 */
export type BarLook = SpanKind | 'pre' | 'slot' | 'backoff' | 'approval' | 'open' | 'mark'

/** In percent of the shown range, cut to it. */
export interface Bar {
  readonly look: BarLook
  readonly left: number
  readonly width: number
  readonly isThin: boolean
  readonly isFailed: boolean
  /** Reaches now: its right end follows the clock. */
  readonly isLive: boolean
  readonly title: string
}

export interface Lane {
  readonly bars: readonly Bar[]
  /** Beside the last bar. */
  readonly note: { readonly text: string; readonly at: number; readonly tone: NoteTone } | null
  /** The row lies wholly outside of the range: where. */
  readonly outside: { readonly side: 'left' | 'right'; readonly label: string } | null
}

type NoteTone = 'plain' | 'bad' | 'live' | 'warm'

export interface View {
  readonly axis: Axis
  readonly range: Range
  /** The instant up to which live bars reach; of a thread at rest, its last event. */
  readonly now: number
  /** Calls still go on: only then does an open end mean "now". */
  readonly isLive: boolean
}

const maxFoldedBars = 80
/** Clocks of the record differ by a ms: an answer that took less after its first token came in one piece. */
const splitMs = 2

/** What stands in a row's lane. `isFolded`: a folded step shows its calls as thin bars. */
export function laneOf(timeline: Timeline, span: Span, view: View & { readonly isFolded: boolean }): Lane {
  const from = toUnits(view.axis, beginOf(span))
  const to = toUnits(view.axis, endOf(span, view))
  if (to < view.range.from) return outside('left', labelOf(view.axis, span.startedAt))
  if (from > view.range.to) return outside('right', labelOf(view.axis, span.startedAt))
  const bars = piecesOf(timeline, span, view).flatMap((piece) => place(piece, view))
  const right = Math.max(0, Math.min(100, percentOf(view, to)))
  const note = noteOf(timeline, span, view)
  return { bars, note: note && { ...note, at: right }, outside: null }
}

/** A resting thread has no end and yet is not open: it was at work until `now`, its last event. */
function isOpenEnded(span: Span, view: View): boolean {
  return span.endedAt === null && !view.isLive && span.kind !== 'thread'
}

/** Asking a person is where a call begins. */
function beginOf({ asked, startedAt }: Span): number {
  return asked?.at ?? startedAt
}

function endOf(span: Span, view: View): number {
  if (span.state === 'waiting') return span.endedAt ?? view.now
  return span.endedAt ?? (isOpenEnded(span, view) ? span.startedAt : view.now)
}

interface Piece {
  readonly look: BarLook
  readonly from: number
  readonly to: number
  readonly isThin?: boolean
  readonly isFailed?: boolean
  readonly isLive?: boolean
  readonly title: string
}

function piecesOf(timeline: Timeline, span: Span, view: View & { readonly isFolded: boolean }): readonly Piece[] {
  switch (span.kind) {
    case 'thread':
      return threadPieces(timeline, span, view)
    case 'step':
      return stepPieces(timeline, span, view)
    case 'model':
      return modelPieces(span, view)
    case 'action':
      return actionPieces(span, view)
    case 'query':
      return [{ ...wholeOf(span, view), isFailed: isFailure(span.state) }]
    case 'code':
    case 'child':
      return without({ ...wholeOf(span, view), isFailed: isFailure(span.state) }, restsOf(timeline, view))
  }
}

function wholeOf(span: Span, view: View): Piece {
  const isLive = span.endedAt === null && view.isLive
  const isOpen = isOpenEnded(span, view)
  const to = endOf(span, view)
  const title = isOpen ? `${span.name}: its end is not recorded` : `${span.name}: ${durationText(to - span.startedAt)}`
  return { look: isOpen ? 'open' : span.kind, from: span.startedAt, to, isLive, title }
}

/** The wait for an answer, then what ran; of what was denied or still waits there is only the wait. */
function actionPieces(span: Span, view: View): readonly Piece[] {
  const { asked, state } = span
  const whole = { ...wholeOf(span, view), isFailed: isFailure(state) }
  if (asked === null) return state === 'waiting' ? [{ ...whole, look: 'approval', isLive: false }] : [whole]
  const until = asked.until ?? endOf(span, view)
  const title = `Waited ${durationText(until - asked.at)} for your answer`
  const wait: Piece = { look: 'approval', from: asked.at, to: until, title }
  const ran = state !== 'waiting' && state !== 'refused' && span.startedAt > asked.at
  return ran ? [wait, { ...whole, from: Math.max(whole.from, until) }] : [wait]
}

/** Times in which the thread waited for somebody, or was suspended: nothing of it ran. */
function restsOf(timeline: Timeline, view: View): readonly { startedAt: number; endedAt: number }[] {
  const rests = timeline.pauses.filter(({ why }) => why !== 'slot')
  return rests.map(({ startedAt, endedAt }) => ({ startedAt, endedAt: endedAt ?? view.now }))
}

/** The thread's line is drawn where it was at work; its waits have textures of their own, its rests are blank. */
function threadPieces(timeline: Timeline, span: Span, view: View): readonly Piece[] {
  const whole = { ...wholeOf(span, view), isThin: true }
  const rests = timeline.pauses.map((pause) => ({ ...pause, endedAt: pause.endedAt ?? whole.to }))
  const waits = rests.flatMap((rest): Piece[] =>
    rest.why === 'slot' && rest.endedAt - rest.startedAt >= 1
      ? [{ look: 'slot', from: rest.startedAt, to: rest.endedAt, title: slotTitle(rest.endedAt - rest.startedAt) }]
      : [],
  )
  const blanks = [...rests, ...view.axis.gaps].sort((a, b) => a.startedAt - b.startedAt)
  return [...waits, ...without(whole, blanks), ...markPieces(timeline)]
}

/** What happened to the thread beside its calls, where it deserves a look. */
function markPieces({ notes }: Timeline): readonly Piece[] {
  return notes.flatMap((note): Piece[] => {
    const title = markText(note)
    return title === null ? [] : [{ look: 'mark', from: note.at, to: note.at, title }]
  })
}

function slotTitle(ms: number): string {
  return `Waited ${durationText(ms)} for a slot`
}

function stepPieces(timeline: Timeline, span: Span, view: View & { readonly isFolded: boolean }): readonly Piece[] {
  const calls = childrenOf(timeline, span.id)
  if (view.isFolded && calls.length <= maxFoldedBars) {
    return calls.map((id) => {
      const call = spanAt(timeline, id)
      return {
        ...wholeOf(call, view),
        isThin: true,
        isFailed: isFailure(call.state),
        ...(call.state === 'waiting' && { look: 'approval' as const }),
      }
    })
  }
  const blanks = [...restsOf(timeline, view), ...view.axis.gaps].sort((a, b) => a.startedAt - b.startedAt)
  return without({ ...wholeOf(span, view), isThin: true }, blanks)
}

function modelPieces(span: Span, view: View): readonly Piece[] {
  const whole = wholeOf(span, view)
  const isFailed = isFailure(span.state)
  const pieces: Piece[] = []
  let from = whole.from
  for (const { at, waitMs, code } of span.backOffs) {
    if (at > from) pieces.push({ ...whole, from, to: at, isLive: false, title: `${span.name}: ${code}` })
    const until = Math.min(at + waitMs, Math.max(whole.to, at))
    pieces.push({ look: 'backoff', from: at, to: until, title: `Back-off ${durationText(waitMs)} after ${code}` })
    from = until
  }
  const first = span.firstTokenAt
  const isWaiting = first === null && whole.isLive === true
  if (isWaiting) return [...pieces, { ...whole, look: 'pre', from, isFailed }]
  pieces.push({ ...whole, from, isFailed })
  if (first !== null && first > from && isSplit(span)) {
    pieces.push({
      look: 'pre',
      from,
      to: Math.min(first, whole.to),
      title: `First token after ${durationText(first - from)}`,
    })
  }
  return pieces
}

/** Something is known apart about the time before and after a model's first token. */
export function isSplit({ firstTokenAt, endedAt }: Span): boolean {
  return firstTokenAt !== null && (endedAt === null || endedAt - firstTokenAt >= splitMs)
}

function without(piece: Piece, blanks: readonly { readonly startedAt: number; readonly endedAt: number }[]): Piece[] {
  const pieces: Piece[] = []
  let from = piece.from
  for (const blank of blanks) {
    if (blank.endedAt <= from || blank.startedAt >= piece.to) continue
    if (blank.startedAt > from) pieces.push({ ...piece, from, to: blank.startedAt, isLive: false })
    from = Math.max(from, blank.endedAt)
  }
  if (from < piece.to || pieces.length === 0) pieces.push({ ...piece, from: Math.min(from, piece.to) })
  return pieces
}

function place(piece: Piece, view: View): readonly Bar[] {
  const left = percentOf(view, toUnits(view.axis, piece.from))
  const right = percentOf(view, toUnits(view.axis, piece.to))
  if (right < 0 || left > 100) return []
  const { look, title, isThin = false, isFailed = false, isLive = false } = piece
  const [start, end] = [Math.max(-1, left), Math.min(101, right)]
  return [{ look, title, isThin, isFailed, isLive, left: start, width: Math.max(0, end - start) }]
}

function percentOf(view: View, units: number): number {
  return ((units - view.range.from) / (view.range.to - view.range.from)) * 100
}

const stateNotes: Readonly<Record<Span['state'], string>> = {
  waiting: 'waits',
  started: '',
  done: '',
  failed: 'failed',
  refused: 'refused',
  interrupted: 'interrupted',
  cancelled: 'stopped',
}

function noteOf(timeline: Timeline, span: Span, view: View): { text: string; tone: NoteTone } | null {
  if (span.kind === 'thread') return slotNote(timeline)
  if (span.kind === 'step') return null
  if (span.state === 'waiting') return span.kind === 'action' ? { text: 'waits for you', tone: 'warm' } : null
  if (span.undoneAt !== null) return { text: 'undone', tone: 'plain' }
  if (span.state === 'refused' && span.asked) return { text: refusedText[span.asked.state], tone: 'warm' }
  if (isFailure(span.state)) return { text: span.code ?? stateNotes[span.state], tone: 'bad' }
  if (isOpenEnded(span, view)) return { text: 'end not recorded', tone: 'plain' }
  if (span.backOffs.length > 0) return { text: backOffNote(span), tone: 'plain' }
  const text = outcomeOf(span) || stateNotes[span.state]
  return text === '' ? null : { text, tone: 'plain' }
}

const refusedText = {
  pending: 'waits for you',
  approved: 'refused',
  denied: 'you denied it',
  expired: 'expired, denied',
  cancelled: 'cancelled',
} as const

function slotNote(timeline: Timeline): { text: string; tone: 'plain' } | null {
  let waitedMs = 0
  for (const pause of timeline.pauses) {
    if (pause.why === 'slot' && pause.endedAt !== null) waitedMs += pause.endedAt - pause.startedAt
  }
  return waitedMs >= 100 ? { text: `slot wait ${durationText(waitedMs)}`, tone: 'plain' } : null
}

function backOffNote({ backOffs }: Span): string {
  const waitedMs = backOffs.reduce((sum, one) => sum + one.waitMs, 0)
  const codes = [...new Set(backOffs.map((one) => one.code))].join(', ')
  const times = ['', 'once', 'twice'][backOffs.length] ?? `${backOffs.length} times`
  return `${codes} ${times}, ${durationText(waitedMs)} back-off`
}

function outside(side: 'left' | 'right', label: string): Lane {
  return { bars: [], note: null, outside: { side, label } }
}
