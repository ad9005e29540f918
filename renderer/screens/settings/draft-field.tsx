import { ErrorNote } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import type { Parsed } from './amounts.ts'
import { useDraft } from './use-draft.ts'

export interface DraftFieldProps {
  readonly label: string
  readonly stored: string
  readonly placeholder: string
  /** It has the focus when its form opens: opened by a press, the next thing is to write. */
  readonly isFirst: boolean
  parse(text: string): Parsed<number | null>
  save(value: number | null): Promise<unknown>
}

/** One amount of a small form, saved when it is left or by Enter. */
export function DraftField({ label, stored, placeholder, isFirst, parse, save }: DraftFieldProps) {
  const draft = useDraft({ stored, parse, save })
  return (
    <div>
      <Field
        label={label}
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
      {draft.error && <ErrorNote title="It was not saved" error={draft.error} />}
    </div>
  )
}
