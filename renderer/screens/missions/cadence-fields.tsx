import { useMemo } from 'react'
import type { CronRefusal } from '../../../core/domain/cron.ts'
import { missionEvents, missionEventWords } from '../../../core/domain/mission-event.ts'
import { ErrorNote } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Icon } from '../../components/icon.tsx'
import { useSettled } from '../../state/use-settled.ts'
import { cadenceOf, everyUnits, type FormState, type When, whens, withEvent } from './editor-draft.ts'
import { Labelled, Line, Problem, Small } from './form-parts.tsx'
import { NextFive, useCadencePreview } from './next-five.tsx'

const whenTitles: Readonly<Record<When, string>> = {
  weekdays: 'Every weekday at',
  daily: 'Every day at',
  every: 'Every so often',
  once: 'Once',
  cron: 'By a cron expression',
  event: 'When something happens',
  webhook: 'By webhook',
  manual: 'By hand only',
}

/** When it fires: a way to say it, the words that come of it, the next five instants, or where it is wrong. */
export function CadenceFields(state: FormState) {
  const { draft, problems, change } = state
  const meaning = useMeaning(state)
  function choose(value: string): void {
    const when = whens.find((each) => each === value)
    if (when) change({ when })
  }
  return (
    <>
      <Labelled label="Cadence">
        <div className="row msn-wrap">
          <Choice
            label="Cadence"
            options={whens.map((when) => ({ value: when, title: whenTitles[when] }))}
            value={draft.when}
            onChange={choose}
          />
          <Said {...state} />
        </div>
        {draft.when !== 'cron' && <Problem text={problems.cadence} />}
      </Labelled>
      {draft.when === 'cron' && (
        <Line
          label="Cron"
          value={draft.expression}
          problem={problems.cadence}
          isMono
          placeholder="*/15 9-16 * * 1-5"
          onChange={(expression) => change({ expression })}
        />
      )}
      <Labelled label="">
        <InWords {...meaning} />
      </Labelled>
      <ZoneField {...state} />
      <Upcoming {...meaning} />
    </>
  )
}

const units = everyUnits.map((unit) => ({ value: unit, title: unit }))

function Said({ draft, problems, change }: FormState) {
  const problem = problems.cadence
  switch (draft.when) {
    case 'weekdays':
    case 'daily':
      return (
        <Small
          label="Time"
          type="time"
          unit=""
          value={draft.time}
          problem={problem}
          onChange={(time) => change({ time })}
        />
      )
    case 'every':
      return (
        <>
          <Small
            label="How often"
            unit=""
            value={draft.everyCount}
            problem={problem}
            onChange={(everyCount) => change({ everyCount })}
          />
          <Choice
            label="Unit"
            options={units}
            value={draft.everyUnit}
            onChange={(chosen) => {
              const unit = units.find(({ value }) => value === chosen)
              if (unit) change({ everyUnit: unit.value })
            }}
          />
        </>
      )
    case 'once':
      return (
        <>
          <Small
            label="Day"
            type="date"
            unit=""
            value={draft.day}
            problem={problem}
            onChange={(day) => change({ day })}
          />
          <Small
            label="Time"
            type="time"
            unit=""
            value={draft.time}
            problem={problem}
            onChange={(time) => change({ time })}
          />
        </>
      )
    case 'event':
      return (
        <>
          <Choice
            label="Event"
            options={missionEvents.map((event) => ({ value: event, title: sentence(missionEventWords[event]) }))}
            value={draft.on}
            onChange={(on) => change(withEvent(on))}
          />
          {draft.on === 'file-changed' && (
            <Small
              label="Files"
              unit=""
              placeholder="notes/**/*.md"
              value={draft.paths}
              problem={problem}
              onChange={(paths) => change({ paths })}
            />
          )}
        </>
      )
    case 'cron':
    case 'webhook':
    case 'manual':
      return null
  }
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function ZoneField({ draft, problems, change }: FormState) {
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), [])
  return (
    <>
      <Line
        label="Time zone"
        value={draft.zone}
        problem={problems.zone}
        list="mission-zones"
        onChange={(zone) => change({ zone })}
      />
      <datalist id="mission-zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

/** What the engine makes of it, asked again a moment after the last key. */
function useMeaning({ draft }: FormState) {
  const settled = useSettled(draft)
  const cadence = cadenceOf(settled)
  const { preview, load } = useCadencePreview({ cadence: cadence ?? { kind: 'manual' }, zone: settled.zone.trim() })
  return { cadence, preview: cadence === null ? null : preview, load }
}
type Meaning = ReturnType<typeof useMeaning>

/** In words, or where it is wrong. */
function InWords({ cadence, preview, load }: Meaning) {
  if (load.phase === 'failed') return <ErrorNote title="Not worked out" error={load.error} />
  if (cadence === null || preview === null) return null
  if (preview.ok)
    return (
      <span className="row ink-done">
        <Icon name="check" size="small" /> {preview.words}
      </span>
    )
  return <Refusal refusal={preview} expression={cadence.kind === 'cron' ? cadence.expression : null} />
}

function Upcoming({ cadence, preview }: Meaning) {
  return (
    <Labelled label="Next five">
      {cadence !== null && preview?.ok ? (
        <NextFive {...preview} />
      ) : (
        <span className="mute">none, until the cadence is right</span>
      )}
    </Labelled>
  )
}

/** The sentence of the refusal, and the expression with the wrong place marked. */
function Refusal({ refusal, expression }: { readonly refusal: CronRefusal; readonly expression: string | null }) {
  const { message, position } = refusal
  return (
    <div className="msn-refusal" role="status">
      {expression !== null && position !== undefined && <Marked expression={expression} position={position} />}
      <p className="field-err">
        <Icon name="alert" size="small" />
        <span>
          {position !== undefined && `Position ${position + 1}: `}
          {message}
        </span>
      </p>
    </div>
  )
}

function Marked({ expression, position }: { readonly expression: string; readonly position: number }) {
  const rest = expression.slice(position)
  const wrong = /^[^\s,/-]+/.exec(rest)?.[0] ?? rest.slice(0, 1)
  return (
    <p className="mono msn-marked">
      {expression.slice(0, position)}
      <mark>{wrong === '' ? ' ' : wrong}</mark>
      {rest.slice(wrong.length)}
    </p>
  )
}
