import { type ComponentProps, useId } from 'react'
import { Icon } from './icon.tsx'

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string
  /** What is wrong with the value; shown below it and read with it. */
  readonly problem?: string | undefined
  readonly isMono?: boolean
}

/** A labelled line of text. */
export function Field({ label, problem, isMono = false, ...rest }: FieldProps) {
  const id = useId()
  const problemId = `${id}problem`
  const classes = ['input', isMono ? 'mono' : '', problem ? 'invalid' : ''].filter((name) => name !== '').join(' ')
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={classes}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? problemId : undefined}
        {...rest}
      />
      {problem && (
        <p id={problemId} className="field-err">
          <Icon name="alert" size="small" />
          <span>{problem}</span>
        </p>
      )}
    </div>
  )
}
