import { type ReactNode, useId } from 'react'
import { Icon } from '../../components/icon.tsx'

/** A label on the left, what it names on the right. */
export function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="msn-line">
      <span className="msn-label">{label}</span>
      <div className="msn-with">{children}</div>
    </div>
  )
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly problem?: string | undefined
  readonly hint?: string
  onChange(value: string): void
}

interface LineProps extends TextProps {
  readonly isMono?: boolean
  readonly placeholder?: string
  readonly maxLength?: number
  readonly autoFocus?: boolean
  readonly list?: string
}

export function Line({ label, value, problem, hint, isMono = false, onChange, ...rest }: LineProps) {
  const id = useId()
  return (
    <div className="msn-line">
      <label className="msn-label" htmlFor={id}>
        {label}
      </label>
      <div>
        <input
          id={id}
          className={inputClass(problem, isMono)}
          spellCheck={false}
          autoComplete="off"
          value={value}
          {...described(id, problem, hint)}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
        />
        <Below id={id} problem={problem} hint={hint} />
      </div>
    </div>
  )
}

export function Area({ label, value, problem, hint, rows, onChange }: TextProps & { readonly rows: number }) {
  const id = useId()
  return (
    <div className="msn-line top">
      <label className="msn-label" htmlFor={id}>
        {label}
      </label>
      <div>
        <textarea
          id={id}
          className={`${inputClass(problem, false)} area`}
          rows={rows}
          value={value}
          {...described(id, problem, hint)}
          onChange={(event) => onChange(event.target.value)}
        />
        <Below id={id} problem={problem} hint={hint} />
      </div>
    </div>
  )
}

interface SmallProps {
  readonly label: string
  readonly value: string
  readonly unit: string
  readonly placeholder?: string
  readonly problem?: string | undefined
  readonly type?: 'text' | 'time' | 'date'
  onChange(value: string): void
}

/** A short value with its unit behind it; its name is read with the unit. */
export function Small({ label, value, unit, problem, type = 'text', placeholder, onChange }: SmallProps) {
  return (
    <span className="msn-small">
      <input
        type={type}
        className={inputClass(problem, false)}
        data-type={type}
        aria-label={unit === '' ? label : `${label}, ${unit}`}
        aria-invalid={problem ? true : undefined}
        autoComplete="off"
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {unit !== '' && <span className="mute small">{unit}</span>}
    </span>
  )
}

export function Problem({ id, text }: { readonly id?: string; readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p id={id} className="field-err" role="alert">
      <Icon name="alert" size="small" />
      <span>{text}</span>
    </p>
  )
}

function Below({
  id,
  problem,
  hint,
}: {
  readonly id: string
  readonly problem: string | undefined
  readonly hint: string | undefined
}) {
  if (problem !== undefined) return <Problem id={`${id}below`} text={problem} />
  if (hint === undefined) return null
  return (
    <p id={`${id}below`} className="mute small">
      {hint}
    </p>
  )
}

function described(id: string, problem: string | undefined, hint: string | undefined) {
  if (problem === undefined && hint === undefined) return {}
  return { 'aria-describedby': `${id}below`, ...(problem !== undefined && { 'aria-invalid': true }) }
}

function inputClass(problem: string | undefined, isMono: boolean): string {
  return ['input', isMono ? 'mono' : '', problem === undefined ? '' : 'invalid'].filter((name) => name !== '').join(' ')
}
