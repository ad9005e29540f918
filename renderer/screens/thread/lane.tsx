import { useNow } from '../../engine/clock.ts'
import { type Bar, type BarLook, laneOf, type View } from '../../timeline/bars.ts'
import type { Span } from '../../timeline/span.ts'
import type { Timeline } from '../../timeline/timeline.ts'

interface LaneProps {
  readonly timeline: Timeline
  readonly span: Span
  readonly view: View
  readonly isFolded: boolean
}

const looks: Readonly<Record<BarLook, string>> = {
  thread: 'bar th',
  step: 'bar th',
  model: 'bar lm',
  action: 'bar tl',
  code: 'bar cx',
  query: 'bar lm',
  child: 'bar th',
  pre: 'bar lm early',
  slot: 'bar seg-slot',
  backoff: 'bar seg-backoff',
  approval: 'bar seg-approval',
  mark: 'bar mark-at',
  open: 'bar open',
}
/** About what a character of a note takes of a lane, in percent. */
const characterPercent = 1.2
const leastRoom = 10

/** A row's bars in percent of the window. */
export function Lane(props: LaneProps) {
  const isLive = props.span.endedAt === null && props.view.isLive
  return isLive ? <LiveLane {...props} /> : <StillLane {...props} />
}

/** Only this node follows the clock. */
function LiveLane(props: LaneProps) {
  const now = useNow(250)
  return <StillLane {...props} view={{ ...props.view, now }} />
}

function StillLane({ timeline, span, view, isFolded }: LaneProps) {
  const { bars, note, outside } = laneOf(timeline, span, { ...view, isFolded })
  if (outside?.side === 'left') return <span className="bar-txt mute edge-left">◂ {outside.label}</span>
  if (outside?.side === 'right') return <span className="bar-txt mute edge-right">{outside.label} ▸</span>
  return (
    <>
      {bars.map((bar, at) => (
        <span
          // Pieces have no identity but their place.
          key={at}
          className={classOf(bar)}
          title={bar.title}
          style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
        />
      ))}
      {note && <LaneNote note={note} first={bars[0]?.left ?? 0} />}
    </>
  )
}

function LaneNote({
  note,
  first,
}: {
  readonly note: { text: string; at: number; tone: string }
  readonly first: number
}) {
  const className = note.tone === 'plain' ? 'bar-txt' : `bar-txt ${note.tone}`
  // A failed bar has an outline around it.
  const gap = note.tone === 'bad' ? '9px' : '5px'
  const needs = note.text.length * characterPercent
  const [before, behind] = [first, 100 - note.at]
  const turns = behind < needs && before > behind
  if (Math.max(before, behind) < leastRoom) return null
  const style = turns
    ? { right: `calc(${100 - first}% + ${gap})`, maxWidth: `calc(${first}% - ${gap})` }
    : { left: `calc(${note.at}% + ${gap})`, maxWidth: `calc(${100 - note.at}% - ${gap})` }
  return (
    <span className={className} title={note.text} style={style}>
      {note.text}
    </span>
  )
}

function classOf({ look, isThin, isFailed, isLive }: Bar): string {
  return `${looks[look]}${isThin ? ' thin' : ''}${isFailed ? ' fail' : ''}${isLive ? ' live' : ''}`
}
