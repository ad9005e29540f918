import { Checkbox } from '@base-ui/react/checkbox'

interface ToggleProps {
  /** The id of what names it. */
  readonly labelledBy: string
  readonly isOn: boolean
  readonly disabled?: boolean
  readonly words?: readonly [on: string, off: string]
  onChange(isOn: boolean): void
}

/** On or off, with the word beside it. */
export function Toggle({ labelledBy, isOn, disabled = false, words = ['on', 'off'], onChange }: ToggleProps) {
  return (
    <Checkbox.Root
      className="check"
      aria-labelledby={labelledBy}
      checked={isOn}
      disabled={disabled}
      onCheckedChange={onChange}
    >
      <i aria-hidden="true" />
      <span className="check-word">{isOn ? words[0] : words[1]}</span>
    </Checkbox.Root>
  )
}
