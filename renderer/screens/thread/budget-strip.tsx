import { useMemo } from 'react'
import { tokensText, usdText } from '../../format/figures.ts'
import { toUnits } from '../../timeline/axis.ts'
import type { View } from '../../timeline/bars.ts'
import { type BurnLine, burnLinesOf, shareLeft } from '../../timeline/budget.ts'
import type { Timeline } from '../../timeline/timeline.ts'

interface BudgetStripProps {
  readonly timeline: Timeline
  readonly version: number
  readonly view: View
}

/** Where a limit begins to warn: the engine's own share, drawn where a check said so. */
const softLeft = 0.2
const shownLines = 3
const looks = ['', 'dashed', 'dotted'] as const

/** What was left of each limit, at the instants at which it was checked. Without a check there is nothing to draw. */
export function BudgetStrip({ timeline, version, view }: BudgetStripProps) {
  const lines = useMemo(() => burnLinesOf(timeline), [timeline, version]).slice(0, shownLines)
  if (lines.length === 0) return null
  return (
    <>
      <div className="lab burn-lab">
        {lines.map((line, at) => (
          <span key={`${line.scope} ${line.kind}`} className="burn-key">
            <i className={looks[at] ?? ''} />
            <span>{nameOf(line)}</span>
            <b>{leftText(line)}</b>
          </span>
        ))}
      </div>
      <div className="burn" role="img" aria-label={describe(lines)}>
        <span className="burn-soft" />
        <span className="burn-hard" />
        <div className="burn-lines">
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {lines.map((line, at) => (
              <path key={`${line.scope} ${line.kind}`} className={looks[at] ?? ''} d={pathOf(line, view)} />
            ))}
          </svg>
          {lines.flatMap((line) =>
            line.checks.map((_check, at) => (
              <Dot key={`${line.scope} ${line.kind} ${at}`} line={line} at={at} view={view} />
            )),
          )}
        </div>
      </div>
    </>
  )
}

function Dot({ line, at, view }: { readonly line: BurnLine; readonly at: number; readonly view: View }) {
  const check = line.checks[at]
  if (check === undefined) return null
  const crossed = check.verdict !== 'ok' && line.checks[at - 1]?.verdict !== check.verdict
  const look = crossed ? `crossed ${check.verdict}` : ''
  return (
    <i
      className={look}
      title={`Step ${check.step + 1}: ${amount(line, check.limit - check.used)} of ${amount(line, check.limit)} left`}
      style={{ left: `${percentOf(check.at, view)}%`, top: `${(1 - shareLeft(check)) * 100}%` }}
    />
  )
}

/** Steps: between two checks nothing is known. */
function pathOf(line: BurnLine, view: View): string {
  let path = ''
  for (const check of line.checks) {
    const [x, y] = [percentOf(check.at, view).toFixed(3), ((1 - shareLeft(check)) * 100).toFixed(2)]
    path += path === '' ? `M${x} ${y}` : `H${x}V${y}`
  }
  return path
}

function percentOf(at: number, { axis }: View): number {
  return (toUnits(axis, at) / axis.total) * 100
}

function nameOf({ scope, kind }: BurnLine): string {
  const unit = kind === 'usd' ? 'dollars' : kind
  return scope === 'thread' ? `${unit} left` : `${unit} left, ${scope === 'day' ? 'today' : 'project'}`
}

function leftText(line: BurnLine): string {
  const last = line.checks.at(-1)
  return last ? `${amount(line, Math.max(0, last.limit - last.used))} of ${amount(line, last.limit)}` : ''
}

function amount({ kind }: BurnLine, value: number): string {
  return kind === 'usd' ? usdText(value) : tokensText(Math.max(0, value))
}

function describe(lines: readonly BurnLine[]): string {
  const texts = lines.map((line) => `${nameOf(line)}: ${leftText(line)}, ${line.checks.length} checks`)
  return `Budget by recorded checks. ${texts.join('. ')}. It warns at ${softLeft * 100} % left and stops at none.`
}
