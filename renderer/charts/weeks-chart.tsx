import { Bar, BarChart, ResponsiveContainer, Tooltip, useActiveTooltipDataPoints, XAxis } from 'recharts'
import { longDayText } from '../format/dates.ts'
import type { Week } from '../screens/skills/metrics.ts'
import { axisLook } from './axis-look.ts'
import './charts.css'

const chartPx = 116
const barPx = 26

/** Runs by week: what ended well below, what failed hatched above it. */
export function WeeksChart({ weeks }: { readonly weeks: readonly Week[] }) {
  const summary = weeks.map(({ monday, ok, failed }) => `${longDayText(monday)}: ${ok} ok, ${failed} failed`)
  return (
    <div className="chart weeks" role="img" aria-label={summary.join('; ')}>
      <ResponsiveContainer width="100%" height={chartPx}>
        <BarChart
          data={weeks}
          barSize={barPx}
          margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <defs>
            <pattern id="failed-hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="4" height="4" className="chart-hatch-ground" />
              <line y2="4" className="chart-hatch" />
            </pattern>
          </defs>
          <XAxis
            {...axisLook}
            axisLine={false}
            dataKey="monday"
            interval={0}
            tickFormatter={(monday: number) => String(new Date(monday).getDate()).padStart(2, '0')}
          />
          <Bar dataKey="ok" stackId="runs" className="chart-ok" isAnimationActive={false} />
          <Bar
            dataKey="failed"
            stackId="runs"
            fill="url(#failed-hatch)"
            stroke="var(--st-failed-fill)"
            isAnimationActive={false}
          />
          <Tooltip content={<WeekTip />} cursor={{ fill: 'var(--bg-hover)' }} isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

function WeekTip() {
  const week = useActiveTooltipDataPoints<Week>()?.[0]
  if (week === undefined) return null
  return (
    <div className="chart-tip float">
      <b>From {longDayText(week.monday)}</b>
      <span>
        {week.ok} ok, {week.failed} failed
      </span>
    </div>
  )
}
