import type { LocalModel } from '../../../../core/domain/local.ts'
import { changeLocalModel } from '../../../state/local.ts'
import { amountText, parseThreads, parseWindow } from '../amounts.ts'
import { DraftField } from '../draft-field.tsx'

interface LocalModelFormProps {
  readonly model: LocalModel
  onClose(): void
}

/** How large its window is and how many threads of the processor it takes. Each is saved when it is left. */
export function LocalModelForm({ model, onClose }: LocalModelFormProps) {
  const { name, contextTokens, threads } = model
  return (
    <fieldset
      className="setmore limits-form local-form"
      aria-label={`Limits of ${model.title}`}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <DraftField
        label="Window, tokens"
        placeholder="as much as fits"
        isFirst
        stored={amountText(contextTokens)}
        parse={parseWindow}
        save={(tokens) => changeLocalModel({ name, contextTokens: tokens, threads })}
      />
      <DraftField
        label="Threads of the processor"
        placeholder="as many as help"
        isFirst={false}
        stored={amountText(threads)}
        parse={parseThreads}
        save={(count) => changeLocalModel({ name, contextTokens, threads: count })}
      />
      <p className="sub">
        A larger window takes more memory. A model that is in memory is loaded anew with the next message.
      </p>
    </fieldset>
  )
}
