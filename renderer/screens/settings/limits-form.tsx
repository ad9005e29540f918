import { limits } from '../../../core/domain/limits.ts'
import { type ModelRef, modelRefText } from '../../../core/domain/model.ts'
import { ErrorNote } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { type ModelLimitName, withLimit } from '../../state/model-limits.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useApp } from '../../state/store.ts'
import { amountText, type Parsed, parseSeconds, parseWindow, secondsText } from './amounts.ts'
import { useDraft } from './use-draft.ts'

interface LimitsFormProps {
  readonly model: ModelRef
  /** The window that the server told of. */
  readonly toldTokens: number | null
  onClose(): void
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A model's real window and how long it may take. Each field is saved when it is left. */
export function LimitsForm({ model, toldTokens, onClose }: LimitsFormProps) {
  const own = useApp((state) => state.settings?.modelLimits[modelRefText(model)])
  const window: LimitFieldProps = {
    ...{ model, name: 'contextTokens', label: 'Window, tokens', isFirst: true },
    stored: amountText(own?.contextTokens ?? null),
    parse: parseWindow,
    placeholder: toldTokens === null ? 'not known' : amountText(toldTokens),
  }
  const seconds = (name: ModelLimitName, label: string, mostMs: number, usualMs: number | null): LimitFieldProps => ({
    ...{ model, name, label, isFirst: false },
    stored: secondsText(own?.[name] ?? null),
    parse: parseSeconds(mostMs),
    placeholder: usualMs === null ? 'the usual' : secondsText(usualMs),
  })
  return (
    <fieldset
      className="limits-form"
      aria-label={`Limits of ${model.model}`}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <LimitField {...window} />
      <LimitField {...seconds('firstTokenMs', 'First token, seconds', hourMs, limits.firstTokenMs)} />
      <LimitField {...seconds('idleMs', 'Between tokens, seconds', hourMs, limits.idleMs)} />
      <LimitField {...seconds('totalMs', 'Whole answer, seconds', dayMs, null)} />
      <p className="sub">
        Empty fields hold what is shown in them. The window is what the model really reads: a request that is larger is
        shortened before it is sent.
      </p>
    </fieldset>
  )
}

interface LimitFieldProps {
  readonly model: ModelRef
  readonly name: ModelLimitName
  readonly label: string
  readonly stored: string
  readonly placeholder: string
  readonly isFirst: boolean
  parse(text: string): Parsed<number | null>
}

function LimitField({ model, name, label, stored, placeholder, isFirst, parse }: LimitFieldProps) {
  const draft = useDraft({
    stored,
    parse,
    save: (value) => changeSettingsBy((settings) => withLimit(settings, model, [name, value])),
  })
  return (
    <div>
      <Field
        label={label}
        // Opened by a press: what it is about is written at once.
        autoFocus={isFirst}
        inputMode="numeric"
        placeholder={placeholder}
        value={draft.text}
        problem={draft.problem}
        onChange={(event) => draft.write(event.target.value)}
        onBlur={draft.commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') draft.commit()
        }}
      />
      {draft.error && <ErrorNote title="The limit was not saved" error={draft.error} />}
    </div>
  )
}
