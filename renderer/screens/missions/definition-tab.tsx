import type { MissionDetail } from '../../../core/domain/mission.ts'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { limitTexts, missedText, overlapText, sourceWords } from './words.ts'

const tierWords = { minuet: 'Fast', allegro: 'Default', forte: 'Deep' } as const

/** What was written, in words, and its versions. */
export function DefinitionTab({ mission }: { readonly mission: MissionDetail }) {
  const { definition, versions, cadence, zone } = mission
  return (
    <>
      {definition && (
        <div className="section">
          <dl className="kv msn-facts">
            <dt>Goal</dt>
            <dd className="msn-text">{definition.goal}</dd>
            <dt>Reached when</dt>
            <dd className="msn-text">{definition.success ?? 'never: it goes on until you pause it'}</dd>
            <dt>First focus</dt>
            <dd className="msn-text">{definition.focus ?? 'finds out where things stand'}</dd>
            <dt>Cadence</dt>
            <dd>
              {cadence}, {zone}
            </dd>
            <dt>If missed</dt>
            <dd>{missedText(definition)}</dd>
            <dt>If still at work</dt>
            <dd>{overlapText(definition)}</dd>
            <dt>Limits</dt>
            <dd>{limitTexts(definition).join('. ')}.</dd>
            <dt>Model</dt>
            <dd>{tierWords[definition.tier]}</dd>
            <dt>Skills</dt>
            <dd>
              {definition.skills.length === 0 ? 'chosen by goal, none must be there' : definition.skills.join(', ')}
            </dd>
            <dt>Actions</dt>
            <dd>
              {definition.actions === null
                ? 'what any thread may; whatever needs your approval asks'
                : definition.actions.length === 0
                  ? 'none'
                  : definition.actions.join(', ')}
            </dd>
          </dl>
        </div>
      )}
      <div className="section">
        <h3 className="label label-row">Versions</h3>
        <ul>
          {versions.map(({ version, at, source }) => (
            <li key={version} className="hist short">
              <span />
              <span className="medium">v{version}</span>
              <span className="dim">{sourceWords[source]}</span>
              <time className="mute" dateTime={new Date(at).toISOString()} title={exactText(at)}>
                {relativeText(at, nowMs())}
              </time>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
