import { Kbd } from '../../components/button.tsx'
import { Status } from '../../components/status.tsx'
import { counted, durationText } from '../../format/figures.ts'

export type LegendName = 'slot' | 'backoff' | 'approval' | 'pre'

interface FootProps {
  readonly rows: number
  readonly spans: number
  readonly criticalMs: number
  readonly showsCriticalPath: boolean
  readonly errors: number
  readonly isLive: boolean
  /** Rows that came in below while the end was out of sight. */
  readonly newRows: number
  readonly isFollowing: boolean
  readonly legend: ReadonlySet<LegendName>
  readonly onCritical: () => void
  readonly onError: () => void
  readonly onFollow: () => void
}

/** What is shown, where it went wrong, what the textures mean, and whether the view follows. */
export function Foot(props: FootProps) {
  const { rows, spans, errors, isLive, newRows, isFollowing, legend } = props
  const count = rows === spans ? counted(rows, 'row') : `${rows.toLocaleString('en')} of ${counted(spans, 'row')}`
  return (
    <div className="pane-foot th-foot">
      <span>{count}</span>
      {props.criticalMs > 0 && (
        <button type="button" className="link" aria-pressed={props.showsCriticalPath} onClick={props.onCritical}>
          critical path {durationText(props.criticalMs)} <Kbd keys="p" />
        </button>
      )}
      {errors > 0 && (
        <button type="button" className="link bad" onClick={props.onError}>
          {counted(errors, 'error')} <Kbd keys="e" />
        </button>
      )}
      <span className="grow" />
      {legend.has('slot') && <Legend look="seg-slot" word="slot wait" />}
      {legend.has('backoff') && <Legend look="seg-backoff" word="back-off" />}
      {legend.has('approval') && <Legend look="seg-approval" word="approval wait" />}
      {legend.has('pre') && <Legend look="seg-early" word="before first token" />}
      {isLive && <span className="vr" />}
      {isLive && isFollowing && <Status status="running" word="Following" />}
      {isLive && !isFollowing && (
        <button type="button" className="link" onClick={props.onFollow}>
          {newRows > 0 ? `${newRows} new ↓` : 'Follow ↓'}
        </button>
      )}
    </div>
  )
}

function Legend({ look, word }: { readonly look: string; readonly word: string }) {
  return (
    <span className="lg">
      <i className={look} />
      {word}
    </span>
  )
}
