import { limits } from '../../../core/domain/limits.ts'
import type { Firing, MissionDetail } from '../../../core/domain/mission.ts'
import { Skeleton } from '../../components/card.tsx'
import { useNow } from '../../engine/clock.ts'
import { useMissionDays } from '../../state/missions.ts'
import { bucketText, dayNames, daysOf, dayText, type Loom, lookWords, loomOf, zoneClock } from './strip.ts'

const tickMs = 30_000
const legend = ['ran', 'late', 'live', 'failed', 'missed', 'left', 'planned'] as const
const legendOfCut = [...legend, 'unread'] as const

/** Seven days around today, a row for each; a cell is a part of the day, with the worst of what fell into it. */
export function LoomView({
  mission,
  firings,
}: {
  readonly mission: MissionDetail
  readonly firings: readonly Firing[]
}) {
  const now = useNow(tickMs)
  const read = useMissionDays(mission.id, now)
  if (read === undefined) return <Skeleton rows={7} label="Reading the days" />
  // The pane holds more rows than the days do. The newest come first: before the last of a full page there may be more.
  const firingsFrom = firings.length < limits.pageRows ? 0 : (firings.at(-1)?.instant ?? 0)
  const days = daysOf({ ...read, firings, firingsFrom })
  const loom = loomOf(days, zoneClock(read.zone))
  const dayName = dayNames(read.zone)
  const isCut = loom.rows.some((row) => row.some(({ look }) => look === 'unread'))
  return (
    <>
      <div className="label-row">
        <h3 className="label">Seven days</h3>
        <span className="mute small">
          {loom.columns.length > 0 && `one cell is ${bucketText(loom.bucketMinutes)}, `}by the clocks of {read.zone}
        </span>
      </div>
      <div className="loom">
        <Hours loom={loom} />
        {days.map((day, index) => {
          const isToday = day.from <= now && now < day.to
          return (
            <div key={day.from} className={isToday ? 'loom-row today' : 'loom-row'}>
              <span>{dayName.format(day.from)}</span>
              <span
                className="loom-cells"
                role="img"
                aria-label={`${dayName.format(day.from)}${isToday ? ', today' : ''}: ${dayText(day)}`}
              >
                {loom.rows[index]?.map((cell, column) => (
                  <i key={loom.columns[column]} className={`cell ${cell.look}`} title={cell.title} />
                ))}
              </span>
              <span className="sum">{dayText(day)}</span>
            </div>
          )
        })}
      </div>
      <ul className="loom-legend" aria-label="What the cells mean">
        {(isCut ? legendOfCut : legend).map((look) => (
          <li key={look}>
            <i className={`cell ${look}`} />
            {lookWords[look]}
          </li>
        ))}
      </ul>
    </>
  )
}

const mostHours = 12

/** Full hours above their columns, as many as have room. */
function Hours({ loom }: { readonly loom: Loom }) {
  if (loom.columns.length === 0) return null
  const full = loom.columns.filter((minute) => minute % 60 === 0)
  const every = Math.ceil(Math.max(1, full.length) / mostHours)
  const shown = new Set(full.filter((_minute, index) => index % every === 0))
  return (
    <div className="loom-row" aria-hidden="true">
      <span />
      <span className="loom-cells">
        {loom.columns.map((minute) => (
          <span key={minute} className="loom-hours">
            {shown.has(minute) ? minute / 60 : ''}
          </span>
        ))}
      </span>
      <span />
    </div>
  )
}
