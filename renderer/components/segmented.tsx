import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'

interface SegmentedProps<Value extends string> {
  readonly label: string
  readonly options: readonly (readonly [value: Value, title: string])[]
  readonly value: Value
  onChange(value: Value): void
}

/** One of a few, all in sight. Arrow keys move the choice. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  function choose(chosen: unknown): void {
    const option = options.find(([candidate]) => candidate === chosen)
    if (option) onChange(option[0])
  }
  return (
    <RadioGroup className="seg" aria-label={label} value={value} onValueChange={choose}>
      {options.map(([option, title]) => (
        <Radio.Root key={option} value={option} className="seg-option" aria-label={title}>
          {title}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
