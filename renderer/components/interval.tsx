import type { SkillConfidence } from '../../core/domain/skill.ts'

interface IntervalProps {
  readonly confidence: SkillConfidence
  /** What was counted, before its figures: `All versions`. */
  readonly of?: string
}

const goodFrom = 0.6

/** A ratio with its 95 % interval: never a lone percentage. Nothing is known where n is 0, and that is said. */
export function Interval({ confidence, of }: IntervalProps) {
  const { value, low, high, n } = confidence
  if (n === 0) return <span className="mute">no data</span>
  const text = `${of === undefined ? '' : `${of}: `}${successText(confidence)}, 95 % interval ${rangeText(confidence)}`
  return (
    <span className={`ival ${toneOf(confidence)}`} role="img" aria-label={text} title={text}>
      <i style={{ left: percent(low), right: percent(1 - high) }} />
      <b style={{ left: percent(value) }} />
    </span>
  )
}

/** Green once even the low end is good, amber where the value itself is not. */
export function toneOf({ value, low }: SkillConfidence): 'done' | 'waiting' | 'queued' {
  if (low >= goodFrom) return 'done'
  return value < goodFrom ? 'waiting' : 'queued'
}

/** `34 of 42`. */
export function successText({ value, n }: SkillConfidence): string {
  return `${Math.round(value * n).toLocaleString('en')} of ${n.toLocaleString('en')}`
}

/** `67 – 90 %`. */
export function rangeText({ low, high }: SkillConfidence): string {
  return `${Math.round(low * 100)} – ${Math.round(high * 100)} %`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
