import type { ReactNode } from 'react'
import type { SkillVersionHeader } from '../../../core/domain/skill.ts'
import { Interval } from '../../components/interval.tsx'
import { Status } from '../../components/status.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'

interface VersionRailProps {
  readonly versions: readonly SkillVersionHeader[]
  /** What can be done with a version, at the end of its row. */
  readonly more?: (version: SkillVersionHeader) => ReactNode
  /** What stands before a version's row: a box to choose it by. */
  readonly before?: (version: SkillVersionHeader) => ReactNode
  /** Below the row of a version that was rolled back: why. */
  readonly below?: (version: SkillVersionHeader) => ReactNode
}

/** Every version on one line of time, the newest first: which is live, which failed, and what each was made from. */
export function VersionRail({ versions, more, before, below }: VersionRailProps) {
  const rows = versions.toSorted((a, b) => b.version - a.version)
  return (
    <ol className={before ? 'vrails chosen' : 'vrails'}>
      {rows.map((version, at) => {
        const { state, parent, reason, createdAt, confidence } = version
        // The line of time says it where a version follows the one before it.
        const isNext = parent === null || parent === rows[at + 1]?.version
        return (
          <li key={version.version}>
            <div className={`vrail ${state}`}>
              <i aria-hidden="true" />
              {before?.(version)}
              <b className="medium">v{version.version}</b>
              <Interval confidence={confidence} of={`v${version.version}`} />
              <time className="mute" dateTime={new Date(createdAt).toISOString()} title={exactText(createdAt)}>
                {relativeText(createdAt, nowMs())}
              </time>
              <span className="trunc dim" title={reason}>
                {isNext ? reason : `parent v${parent}: ${reason}`}
              </span>
              <span className="row vrail-more">
                {state === 'live' && <Status status="done" word="live" look="chip" />}
                {state === 'rolledBack' && <Status status="failed" word="rolled back" />}
                {more?.(version)}
              </span>
            </div>
            {below?.(version)}
          </li>
        )
      })}
    </ol>
  )
}
