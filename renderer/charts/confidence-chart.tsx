import { Fragment, useMemo } from 'react'
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  useActiveTooltipDataPoints,
  usePlotArea,
  useXAxisScale,
  XAxis,
  YAxis,
} from 'recharts'
import { rangeText, successText } from '../components/interval.tsx'
import { dayTimeText } from '../format/dates.ts'
import type { Run, VersionStretch } from '../screens/skills/metrics.ts'
import { axisLook } from './axis-look.ts'
import './charts.css'

interface ConfidenceChartProps {
  readonly stretches: readonly VersionStretch[]
  /** Versions that were taken back: red. */
  readonly rolledBack: ReadonlySet<number>
}

interface Point extends Run {
  readonly stretch: number
}

const chartPx = 236
const ticksPx = 30
const halfRun = 0.5
const bandOpacity = 0.16
/** The band of a single run has no width of its own. */
const loneBandPx = 10

/** Confidence run by run, anew for each version, in its 95 % band; below it every run as it ended. */
export function ConfidenceChart({ stretches, rolledBack }: ConfidenceChartProps) {
  const points = useMemo(
    () => stretches.flatMap(({ runs }, stretch) => runs.map((run): Point => ({ ...run, stretch }))),
    [stretches],
  )
  return (
    <div className="chart" role="img" aria-label={summaryOf(stretches, rolledBack)}>
      <ResponsiveContainer width="100%" height={chartPx}>
        <ComposedChart data={points} margin={{ top: 8, right: 4, bottom: ticksPx, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} />
          <XAxis dataKey="at" type="number" domain={[1 - halfRun, points.length + halfRun]} hide allowDataOverflow />
          <YAxis {...axisLook} domain={[0, 1]} ticks={[0, 0.5, 1]} width={28} axisLine={false} />
          {stretches.map(({ version, runs }, at) => {
            const color = rolledBack.has(version) ? 'var(--st-failed-fill)' : 'var(--accent)'
            const first = runs[0]
            const key = `${version} ${at}`
            return (
              <Fragment key={key}>
                <Area
                  dataKey={(point: Point) =>
                    point.stretch === at ? [point.confidence.low, point.confidence.high] : null
                  }
                  stroke="none"
                  fill={color}
                  fillOpacity={bandOpacity}
                  isAnimationActive={false}
                  activeDot={false}
                  dot={false}
                />
                <Line
                  dataKey={(point: Point) => (point.stretch === at ? point.confidence.value : null)}
                  stroke={color}
                  strokeWidth={1.75}
                  dot={runs.length === 1 ? { r: 2.5, fill: color, strokeWidth: 0 } : false}
                  activeDot={{ r: 3 }}
                  isAnimationActive={false}
                />
                {first && runs.length === 1 && (
                  <ReferenceLine
                    segment={[
                      { x: first.at, y: first.confidence.low },
                      { x: first.at, y: first.confidence.high },
                    ]}
                    stroke={color}
                    strokeOpacity={bandOpacity}
                    strokeWidth={loneBandPx}
                  />
                )}
                {first && (
                  <ReferenceLine
                    x={first.at - halfRun}
                    stroke={at === 0 ? 'none' : 'var(--fg-3)'}
                    strokeDasharray="2 3"
                  />
                )}
              </Fragment>
            )
          })}
          <VersionNames stretches={stretches} rolledBack={rolledBack} />
          <RunTicks points={points} />
          <Tooltip content={<RunTip />} cursor={{ stroke: 'var(--line-strong)' }} isAnimationActive={false} />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}

const nameGap = { right: 5, up: 6 } as const

/** Which version a stretch is of, at its foot. */
function VersionNames({ stretches, rolledBack }: ConfidenceChartProps) {
  const plot = usePlotArea()
  const scale = useXAxisScale()
  if (plot === undefined || scale === undefined) return null
  return (
    <g>
      {stretches.map(({ version, runs }) => {
        const at = runs[0]?.at ?? 1
        const isBad = rolledBack.has(version)
        return (
          <text
            key={at}
            className={isBad ? 'chart-label bad' : 'chart-label'}
            x={(scale(at - halfRun) ?? 0) + nameGap.right}
            y={plot.y + plot.height - nameGap.up}
          >
            {isBad ? `v${version} rolled back` : `v${version}`}
          </text>
        )
      })}
    </g>
  )
}

const tick = { most: 8, least: 2, height: 10, below: 14 } as const

/** One mark for each run: filled for a success, crossed for a failure. */
function RunTicks({ points }: { readonly points: readonly Point[] }) {
  const plot = usePlotArea()
  const scale = useXAxisScale()
  if (plot === undefined || scale === undefined) return null
  const width = Math.max(tick.least, Math.min(tick.most, (plot.width / Math.max(1, points.length)) * 0.6))
  const top = plot.y + plot.height + tick.below
  return (
    <g>
      {points.map(({ at, ok }) => {
        const x = (scale(at) ?? 0) - width / 2
        return ok ? (
          <rect key={at} className="chart-ok" x={x} y={top} width={width} height={tick.height} rx={1} />
        ) : (
          <path
            key={at}
            className="chart-failed"
            d={`M${x} ${top}h${width}v${tick.height}h${-width}zl${width} ${tick.height}m0 ${-tick.height}l${-width} ${tick.height}`}
          />
        )
      })}
    </g>
  )
}

function RunTip() {
  const point = useActiveTooltipDataPoints<Point>()?.[0]
  if (point === undefined) return null
  const { at, use, ok, confidence } = point
  return (
    <div className="chart-tip float">
      <b>
        Run {at}, v{use.version}, {ok ? 'success' : 'failure'}
      </b>
      <span>
        {successText(confidence)}, {rangeText(confidence)}
      </span>
      <span className="mute">
        #{use.threadNumber}, {dayTimeText(use.at)}
      </span>
    </div>
  )
}

/** `v1 6 of 8, v2 14 of 16, v3 3 of 7 rolled back`. */
function summaryOf(stretches: readonly VersionStretch[], rolledBack: ReadonlySet<number>): string {
  return stretches
    .flatMap(({ version, runs }) => {
      const last = runs.at(-1)
      return last ? [`v${version} ${successText(last.confidence)}${rolledBack.has(version) ? ' rolled back' : ''}`] : []
    })
    .join(', ')
}
