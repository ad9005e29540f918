import { useMemo } from 'react'
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  useActiveTooltipDataPoints,
  XAxis,
  YAxis,
} from 'recharts'
import type { Canvas } from '../../core/domain/canvas.ts'
import { cellText, numberOf } from '../canvas/cells.ts'
import { axisLook, seriesLook } from './axis-look.ts'
import './charts.css'

type ChartCanvas = Extract<Canvas, { kind: 'chart' }>
type Row = ChartCanvas['rows'][number]

const chartPx = 240
const mostBarPx = 40

/** Lines, bars or areas that an agent drew. What is no number leaves a gap: nothing is made up. */
export function CanvasChart({ canvas }: { readonly canvas: ChartCanvas }) {
  const { rows, x, series, chart, title, unit } = canvas
  // Bars stand side by side; lines over figures keep the distances between them.
  const isScale = useMemo(() => chart !== 'bar' && rows.every((row) => numberOf(row[x]) !== null), [chart, rows, x])
  return (
    <div className="chart" role="img" aria-label={`${title}: ${chart} chart, ${rows.length} points`}>
      <ResponsiveContainer width="100%" height={chartPx}>
        <ComposedChart data={[...rows]} margin={{ top: 8, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} />
          <XAxis
            {...axisLook}
            dataKey={(row: Row) => (isScale ? numberOf(row[x]) : cellText(row[x]))}
            {...(isScale ? { type: 'number', domain: ['dataMin', 'dataMax'] } : { type: 'category' })}
            minTickGap={12}
          />
          <YAxis
            {...axisLook}
            axisLine={false}
            width={52}
            tickFormatter={(value: number) => short.format(value)}
            {...(unit !== undefined && { unit: ` ${unit}` })}
          />
          {series.map(({ key, title: name = key }, at) => {
            const { color, dash } = seriesLook(at)
            const common = {
              name,
              dataKey: (row: Row) => numberOf(row[key]),
              isAnimationActive: false,
              stroke: color,
            } as const
            if (chart === 'bar')
              return (
                <Bar key={key} {...common} stroke="none" fill={color} maxBarSize={mostBarPx} radius={[2, 2, 0, 0]} />
              )
            if (chart === 'area')
              return (
                <Area key={key} {...common} fill={color} fillOpacity={0.16} strokeWidth={1.75} strokeDasharray={dash} />
              )
            return <Line key={key} {...common} dot={rows.length <= 1} strokeWidth={1.75} strokeDasharray={dash} />
          })}
          <Tooltip
            content={<PointTip canvas={canvas} />}
            cursor={{ stroke: 'var(--line-strong)' }}
            isAnimationActive={false}
          />
        </ComposedChart>
      </ResponsiveContainer>
      <Keys canvas={canvas} />
    </div>
  )
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Which line is which: with its dash, for whoever does not see the colour. */
function Keys({ canvas: { series, chart } }: { readonly canvas: ChartCanvas }) {
  if (series.length < 2) return null
  return (
    <ul className="chart-keys" aria-hidden="true">
      {series.map(({ key, title = key }, at) => {
        const { color, dash } = seriesLook(at)
        return (
          <li key={key}>
            <svg viewBox="0 0 20 8" aria-hidden="true">
              {chart === 'bar' ? (
                <rect width="20" height="8" rx="2" fill={color} />
              ) : (
                <path d="M0 4h20" stroke={color} strokeWidth="2" strokeDasharray={dash} />
              )}
            </svg>
            {title}
          </li>
        )
      })}
    </ul>
  )
}

function PointTip({ canvas: { x, series, unit = '' } }: { readonly canvas: ChartCanvas }) {
  const row = useActiveTooltipDataPoints<Row>()?.[0]
  if (row === undefined) return null
  return (
    <div className="chart-tip float">
      <b>{cellText(row[x])}</b>
      {series.map(({ key, title = key }) => (
        <span key={key} className="of">
          <span className="mute">{title}</span>
          <span className="num">
            {cellText(row[key])} {unit}
          </span>
        </span>
      ))}
    </div>
  )
}
