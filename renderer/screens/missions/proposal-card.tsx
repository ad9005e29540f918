import type { MissionDetail } from '../../../core/domain/mission.ts'
import { tierTitles } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { StatusIcon } from '../../components/status.tsx'
import { ProposalOrigin } from './proposal-origin.tsx'
import type { MissionActions } from './use-mission-actions.tsx'
import { actionsText, firstFocusText, limitTexts, missedText, overlapText, skillsText, successText } from './words.ts'

interface ProposalCardProps {
  readonly mission: MissionDetail
  readonly actions: MissionActions
}

/** Nothing sets a proposed mission off: what it would do, and the decision about exactly this version. */
export function ProposalCard({ mission, actions }: ProposalCardProps) {
  const { definition, version, cadence, zone } = mission
  return (
    <section className="card warm msn-ask" aria-label="Proposal">
      <p>
        <span className="st waiting">
          <StatusIcon status="waiting" />
        </span>{' '}
        <b>The agent proposes this mission. It does nothing until you start it.</b>
      </p>
      <ProposalOrigin proposal={mission.proposal} />
      {definition && (
        <dl className="kv msn-facts">
          <dt>It would fire</dt>
          <dd>
            {cadence}, {zone}
          </dd>
          <dt>It would do</dt>
          <dd className="msn-text">{definition.goal}</dd>
          <dt>Reached when</dt>
          <dd className="msn-text">{successText(definition)}</dd>
          <dt>First focus</dt>
          <dd className="msn-text">{firstFocusText(definition)}</dd>
          <dt>It may use</dt>
          <dd>{actionsText(definition)}</dd>
          <dt>Skills</dt>
          <dd>{skillsText(definition)}</dd>
          <dt>Model</dt>
          <dd>{tierTitles[definition.tier]}</dd>
          <dt>If missed</dt>
          <dd>{missedText(definition)}</dd>
          <dt>If still at work</dt>
          <dd>{overlapText(definition)}</dd>
          <dt>Limits</dt>
          <dd>{limitTexts(definition).join('. ')}.</dd>
        </dl>
      )}
      <div className="acts">
        <Button onClick={actions.askRemove}>Refuse and remove it</Button>
        <Button look="primary" disabled={actions.isBusy || definition === null} onClick={actions.resume}>
          Start v{version}
        </Button>
      </div>
      <p className="small mute">
        Your answer is about v{version}: if it changes before you start it, you are asked about the new version.
      </p>
    </section>
  )
}
