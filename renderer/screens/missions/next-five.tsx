import { useCallback, useState } from 'react'
import type { CronInstant, CronPreview, CronRefusal } from '../../../core/domain/cron.ts'
import type { Cadence } from '../../../core/domain/mission.ts'
import { call } from '../../engine/client.ts'
import { useLoad } from '../../state/use-load.ts'

const changeWords = {
  skipped: 'that time does not exist on this day: the clocks go forward',
  repeated: 'that time happens twice on this day: the clocks go back',
  shifted: 'the clocks changed since the one before',
} as const satisfies Record<NonNullable<CronInstant['clockChange']>, string>

/** The next instants in the mission's zone; where the clocks change, that is said. */
export function NextFive({ next, notes }: Pick<CronPreview, 'next' | 'notes'>) {
  if (next.length === 0) return <span className="mute">none by the clock</span>
  return (
    <>
      <ul className="msn-next" aria-label="Next five">
        {next.map(({ at, local, clockChange }) => (
          <li
            key={at}
            className={clockChange === null ? 'chip line' : 'chip st waiting'}
            title={clockChange === null ? undefined : changeWords[clockChange]}
          >
            {weekdayOf(local)} {local}
            {clockChange !== null && <span className="sr">, {changeWords[clockChange]}</span>}
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="small dim msn-said">
          {note}
        </p>
      ))}
    </>
  )
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' })

function weekdayOf(local: string): string {
  return weekday.format(Date.parse(`${local.slice(0, 10)}T00:00:00Z`))
}

/** From where to ask, so that the first answer is the instant at which it fires next; null where the clock sets off nothing. */
export function upcomingFrom(cadence: Cadence, nextFireAt: number | null): number | null {
  if (nextFireAt === null) return null
  switch (cadence.kind) {
    case 'cron':
    case 'once':
      return nextFireAt - 1
    case 'every':
      return nextFireAt - cadence.everyMs
    case 'event':
    case 'webhook':
    case 'manual':
      return null
  }
}

export interface CadenceAsked {
  readonly cadence: Cadence
  readonly zone: string
}

/** What a cadence means, as the engine answers it; the answer before stays until the next one is there. */
export function useCadencePreview({ cadence, zone }: CadenceAsked, from?: number) {
  const [answer, setAnswer] = useState<{ readonly of: string; readonly preview: CronPreview | CronRefusal } | null>(
    null,
  )
  const of = JSON.stringify([cadence, zone, from])
  const load = useLoad(
    useCallback(async () => {
      const asked = { cadence, ...(zone !== '' && { zone }), ...(from !== undefined && { from }), count: 5 }
      const preview = await call('cadence.preview', asked)
      setAnswer({ of, preview })
    }, [of]),
  )
  return { preview: answer?.preview ?? null, isCurrent: answer?.of === of, load }
}
