import type { MissionDetail } from '../../../core/domain/mission.ts'
import { Status } from '../../components/status.tsx'
import { exactText, zonedText } from '../../format/dates.ts'
import { firingLook } from './words.ts'

/** What the next firing looks at, and what those before it said of themselves. */
export function ApproachTab({ mission }: { readonly mission: MissionDetail }) {
  const { focus, definition, approaches, zone } = mission
  return (
    <>
      <div className="section">
        <h3 className="label label-row">Focus of the next firing</h3>
        <p className="msn-text">{focus ?? definition?.focus ?? 'Finds out where things stand.'}</p>
      </div>
      <div className="section">
        <h3 className="label label-row">So far, by their own account</h3>
        {approaches.length === 0 && <p className="dim">No firing has come to an end yet.</p>}
        {approaches.map(({ firingId, instant, state, outcome }) => (
          <article key={firingId} className="msn-approach">
            <p className="row">
              <Status {...firingLook(state)} />
              <time className="mute small" dateTime={new Date(instant).toISOString()} title={exactText(instant)}>
                {zonedText(instant, zone)}
              </time>
              {outcome.goalReached && <span className="chip st done">says that the goal is reached</span>}
            </p>
            <p className="msn-text">{outcome.done}</p>
            {outcome.nextFocus !== null && <p className="small dim">Next: {outcome.nextFocus}</p>}
            {outcome.evidence.length > 0 && (
              <ul className="small dim consequences">
                {outcome.evidence.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
            {outcome.sources.length > 0 && (
              <p className="small mute">
                Had read what is not from you: {outcome.sources.map(({ name }) => name).join(', ')}.
              </p>
            )}
          </article>
        ))}
      </div>
    </>
  )
}
