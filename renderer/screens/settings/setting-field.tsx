import { type ReactNode, useId } from 'react'
import { ErrorNote } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import type { Draft } from './use-draft.ts'

interface SettingFieldProps {
  readonly label: string
  readonly detail?: ReactNode
  readonly unit: string
  readonly placeholder: string
  readonly draft: Draft
}

/** A row with a short field, saved when it is left or by Enter; Escape takes back what was written. */
export function SettingField({ label, detail, unit, placeholder, draft }: SettingFieldProps) {
  const id = useId()
  const { text, problem, error, write, commit, revert } = draft
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          <label htmlFor={id}>{label}</label>
          {detail !== undefined && <div className="sub">{detail}</div>}
        </div>
        <div className="amount">
          <input
            id={id}
            className={problem ? 'input invalid' : 'input'}
            inputMode="decimal"
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}problem` : `${id}unit`}
            value={text}
            onChange={(event) => write(event.target.value)}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit()
              if (event.key === 'Escape') revert()
            }}
          />
          <span id={`${id}unit`} className="unit">
            {unit}
          </span>
        </div>
      </div>
      {problem && (
        <p id={`${id}problem`} className="setmore field-err" role="alert">
          <Icon name="alert" size="small" />
          <span>{problem}</span>
        </p>
      )}
      {error && (
        <div className="setmore">
          <ErrorNote title="The limit was not saved" error={error} />
        </div>
      )}
    </div>
  )
}
