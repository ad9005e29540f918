// biome-ignore-all lint/a11y: virtual rows cannot be a table, so the roles of one are given by hand
import { memo } from 'react'
import { Icon } from '../../components/icon.tsx'
import { Kind } from '../../components/kind.tsx'
import { RedactedText } from '../../components/redacted.tsx'
import { callLooks, Status, type StatusLook } from '../../components/status.tsx'
import { useNow } from '../../engine/clock.ts'
import { durationText, tokensText } from '../../format/figures.ts'
import type { View } from '../../timeline/bars.ts'
import { type Span, tokensOf } from '../../timeline/span.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { ConnectLink } from './connect-link.tsx'
import { Lane } from './lane.tsx'

export interface RowProps {
  readonly timeline: Timeline
  readonly span: Span
  readonly view: View
  readonly level: number
  readonly rowIndex: number
  readonly top: number
  /** Undefined for what has no children. */
  readonly isExpanded: boolean | undefined
  readonly isSelected: boolean
  readonly isTabStop: boolean
  readonly isOffPath: boolean
  readonly threadLook: StatusLook
  readonly onSelect: (id: number, opens: boolean) => void
  readonly onFold: (id: number, isFolded: boolean) => void
}

/** One line: tree cells and lane are the same element, so they cannot drift apart. */
export const Row = memo(function Row(props: RowProps) {
  const { span, level, isExpanded, isSelected, isTabStop, view, onSelect, onFold } = props
  const look = lookOf(props)
  return (
    <div
      role="row"
      id={`span-${span.id}`}
      className={props.isOffPath ? 'trow off-path' : 'trow'}
      aria-level={level}
      aria-rowindex={props.rowIndex}
      aria-expanded={isExpanded}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={() => onSelect(span.id, true)}
    >
      <div className="tgrid">
        <div className={span.kind === 'thread' || span.kind === 'step' ? 'name strong' : 'name'} role="gridcell">
          <span className={`ind l${level}`} />
          <Twist isExpanded={isExpanded} onToggle={() => onFold(span.id, isExpanded === true)} />
          <NameText span={span} />
        </div>
        <span role="gridcell">{span.kind !== 'step' && <Kind kind={span.kind} />}</span>
        <span role="gridcell">
          <Status {...look} look="icon" />
        </span>
        <span className="num" role="gridcell">
          <Duration span={span} view={view} />
        </span>
        <span className="num" role="gridcell">
          {tokensOf(span) > 0 ? tokensText(tokensOf(span)) : ''}
        </span>
      </div>
      <div className="lane" role="gridcell">
        <Lane timeline={props.timeline} span={span} view={view} isFolded={isExpanded === false} />
      </div>
    </div>
  )
})

function NameText({ span }: { readonly span: Span }) {
  const isCall = span.kind === 'model' || span.kind === 'action' || span.kind === 'query'
  const name = nameOf(span)
  // A model call's answer is what its step is called by; twice below each other it would only be noise.
  const summary = span.kind === 'model' ? '' : span.summary
  return (
    <>
      <span className={isCall ? 'mono trunc' : 'trunc'} title={name}>
        {name}
      </span>
      {summary !== '' && (
        <span className={span.kind === 'action' ? 'mono trunc mute' : 'trunc mute sub'} title={summary}>
          <RedactedText text={summary} />
        </span>
      )}
      {span.code === 'http.credential' && span.endSeq !== null && <ConnectLink endSeq={span.endSeq} />}
    </>
  )
}

function nameOf({ kind, name, path }: Span): string {
  if (kind === 'model') return `chat ${name}`
  if (kind === 'child') return `child ${name}`
  if (kind === 'query') return path.startsWith('0') ? `shorten with ${name}` : `llm_query ${name}`
  return name
}

function Twist({ isExpanded, onToggle }: { readonly isExpanded: boolean | undefined; readonly onToggle: () => void }) {
  if (isExpanded === undefined) return <span className="tw" />
  return (
    <span
      className="tw"
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    >
      <Icon name={isExpanded ? 'down' : 'right'} />
    </span>
  )
}

function Duration({ span, view }: { readonly span: Span; readonly view: View }) {
  if (span.endedAt !== null) return durationText(Math.max(0, span.endedAt - span.startedAt))
  if (view.isLive) return <LiveDuration since={span.startedAt} />
  return span.kind === 'thread' ? durationText(Math.max(0, view.now - span.startedAt)) : '–'
}

function LiveDuration({ since }: { readonly since: number }) {
  const now = useNow(500)
  return durationText(Math.max(0, now - since))
}

function lookOf({ span, view, threadLook }: RowProps): StatusLook {
  if (span.kind === 'thread') return threadLook
  const isLost = span.state === 'started' && !view.isLive
  return isLost ? { status: 'queued', word: 'End not recorded' } : callLooks[span.state]
}
