import type { MissionDetail } from '../../../core/domain/mission.ts'
import { tierTitles } from '../../../core/domain/thread.ts'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import {
  actionsText,
  firstFocusText,
  limitTexts,
  missedText,
  overlapText,
  skillsText,
  sourceWords,
  successText,
} from './words.ts'

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
            <dd className="msn-text">{successText(definition)}</dd>
            <dt>First focus</dt>
            <dd className="msn-text">{firstFocusText(definition)}</dd>
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
            <dd>{tierTitles[definition.tier]}</dd>
            <dt>Skills</dt>
            <dd>{skillsText(definition)}</dd>
            <dt>Actions</dt>
            <dd>{actionsText(definition)}</dd>
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
