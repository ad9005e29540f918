import type { MissedPolicy, OverlapPolicy } from '../../../core/domain/mission.ts'
import { tiers, tierTitles } from '../../../core/domain/thread.ts'
import { Segmented } from '../../components/segmented.tsx'
import type { FormState } from './editor-draft.ts'
import { Labelled, Line, Problem, Small } from './form-parts.tsx'

const missedOptions = [
  ['skip', 'leave out'],
  ['once', 'run once'],
  ['all', 'catch up'],
] as const satisfies readonly (readonly [MissedPolicy, string])[]
const overlapOptions = [
  ['skip', 'skip the new one'],
  ['queue', 'let it wait'],
  ['cancel', 'cancel the old one'],
] as const satisfies readonly (readonly [OverlapPolicy, string])[]

export function PolicyFields({ draft, problems, change }: FormState) {
  return (
    <>
      <Labelled label="If missed">
        <div className="row msn-wrap">
          <Segmented
            label="If missed"
            options={missedOptions}
            value={draft.missed}
            onChange={(missed) => change({ missed })}
          />
          {draft.missed === 'all' && (
            <Small
              label="At most"
              unit="of the newest"
              value={draft.catchUp}
              problem={problems.catchUp}
              onChange={(catchUp) => change({ catchUp })}
            />
          )}
          {draft.missed !== 'skip' && (
            <Small
              label="At most late"
              unit="minutes late at most"
              placeholder="usual"
              value={draft.lateness}
              problem={problems.maxLatenessMs}
              onChange={(lateness) => change({ lateness })}
            />
          )}
        </div>
        <p className="mute small">
          For instants while the app was closed or the computer slept. Later than that, an instant is missed.
        </p>
        <Problem text={problems.catchUp ?? problems.maxLatenessMs} />
      </Labelled>
      <Labelled label="If still at work">
        <Segmented
          label="If still at work"
          options={overlapOptions}
          value={draft.overlap}
          onChange={(overlap) => change({ overlap })}
        />
      </Labelled>
    </>
  )
}

export function LimitFields({ draft, problems, change }: FormState) {
  return (
    <>
      <Labelled label="How often">
        <div className="row msn-wrap">
          <Small
            label="Daily cap"
            unit="a day"
            value={draft.dailyCap}
            problem={problems.dailyCap}
            onChange={(dailyCap) => change({ dailyCap })}
          />
          <Small
            label="Cooldown"
            unit="minutes of rest"
            placeholder="0"
            value={draft.cooldown}
            problem={problems.cooldownMs}
            onChange={(cooldown) => change({ cooldown })}
          />
          <Small
            label="The same trigger within"
            unit="minutes is one"
            placeholder="0"
            value={draft.dedupe}
            problem={problems.dedupeMs}
            onChange={(dedupe) => change({ dedupe })}
          />
        </div>
        <Problem text={problems.dailyCap ?? problems.cooldownMs ?? problems.dedupeMs} />
      </Labelled>
      <Labelled label="Pause after">
        <Small
          label="Pause after"
          unit="failures in a row"
          value={draft.pauseAfter}
          problem={problems.pauseAfter}
          onChange={(pauseAfter) => change({ pauseAfter })}
        />
        <Problem text={problems.pauseAfter} />
      </Labelled>
      <Labelled label="Each firing">
        <div className="row msn-wrap">
          <Small
            label="Budget"
            unit="tokens"
            placeholder="any"
            value={draft.tokens}
            problem={problems.budget}
            onChange={(tokens) => change({ tokens })}
          />
          <Small
            label="Budget"
            unit="USD"
            placeholder="any"
            value={draft.usd}
            problem={problems.budget}
            onChange={(usd) => change({ usd })}
          />
          <Small
            label="Budget"
            unit="steps"
            placeholder="any"
            value={draft.steps}
            problem={problems.budget}
            onChange={(steps) => change({ steps })}
          />
          <Small
            label="Budget"
            unit="minutes"
            placeholder="any"
            value={draft.minutes}
            problem={problems.budget}
            onChange={(minutes) => change({ minutes })}
          />
        </div>
        <p className="mute small">Left empty, the limits of any thread hold (Settings, Budgets).</p>
        <Problem text={problems.budget} />
      </Labelled>
    </>
  )
}

export function MeansFields({ draft, problems, change }: FormState) {
  return (
    <>
      <Labelled label="Model">
        <Segmented
          label="Model"
          options={tiers.map((tier) => [tier, tierTitles[tier]] as const)}
          value={draft.tier}
          onChange={(tier) => change({ tier })}
        />
      </Labelled>
      <Line
        label="Skills"
        value={draft.skills}
        problem={problems.skills}
        hint="Names with commas. Where one of them is missing, a firing is blocked and says so."
        onChange={(skills) => change({ skills })}
      />
      <Line
        label="Actions"
        value={draft.actions}
        problem={problems.actions}
        isMono
        placeholder="read_file, grep"
        hint="All that its threads may use; none for no action at all. Empty: what any thread may, and whatever needs your approval asks."
        onChange={(actions) => change({ actions })}
      />
    </>
  )
}
