import { limits } from '../../../core/domain/limits.ts'
import { type ModelRef, modelRefText } from '../../../core/domain/model.ts'
import { type ModelLimitName, withLimit } from '../../state/model-limits.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useApp } from '../../state/store.ts'
import { amountText, parseSeconds, parseWindow, secondsText } from './amounts.ts'
import { DraftField } from './draft-field.tsx'

interface LimitsFormProps {
  readonly model: ModelRef
  /** The window that the server told of. */
  readonly toldTokens: number | null
  onClose(): void
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const times = [
  { name: 'firstTokenMs', label: 'First token, seconds', mostMs: hourMs, usual: secondsText(limits.firstTokenMs) },
  { name: 'idleMs', label: 'Between tokens, seconds', mostMs: hourMs, usual: secondsText(limits.idleMs) },
  { name: 'totalMs', label: 'Whole answer, seconds', mostMs: dayMs, usual: secondsText(limits.totalMs) },
] as const

/** A model's real window and how long it may take. Each field is saved when it is left. */
export function LimitsForm({ model, toldTokens, onClose }: LimitsFormProps) {
  const own = useApp((state) => state.settings?.modelLimits[modelRefText(model)])
  const save = (name: ModelLimitName) => (value: number | null) =>
    changeSettingsBy((settings) => withLimit(settings, model, [name, value]))
  return (
    <fieldset
      className="limits-form"
      aria-label={`Limits of ${model.model}`}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <DraftField
        label="Window, tokens"
        isFirst
        stored={amountText(own?.contextTokens ?? null)}
        placeholder={toldTokens === null ? 'not known' : amountText(toldTokens)}
        parse={parseWindow}
        save={save('contextTokens')}
      />
      {times.map(({ name, label, mostMs, usual }) => (
        <DraftField
          key={name}
          label={label}
          isFirst={false}
          stored={secondsText(own?.[name] ?? null)}
          placeholder={usual}
          parse={parseSeconds(mostMs)}
          save={save(name)}
        />
      ))}
      <p className="sub">
        An empty field takes the value that is shown in it. A request larger than the window is shortened before it is
        sent.
      </p>
    </fieldset>
  )
}
