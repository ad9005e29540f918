import { Select } from '@base-ui/react/select'
import { Icon } from './icon.tsx'

export interface ChoiceOption {
  readonly value: string
  readonly title: string
  readonly detail?: string
}

interface ChoiceProps {
  readonly label: string
  readonly options: readonly ChoiceOption[]
  readonly value: string
  readonly disabled?: boolean
  onChange(value: string): void
}

/** One of many, in a menu. */
export function Choice({ label, options, value, disabled = false, onChange }: ChoiceProps) {
  const items = options.map((option) => ({ value: option.value, label: option.title }))
  return (
    <Select.Root
      items={items}
      value={value}
      disabled={disabled}
      onValueChange={(chosen) => typeof chosen === 'string' && onChange(chosen)}
    >
      <Select.Trigger className="input choice" aria-label={label}>
        <Select.Value className="trunc grow" />
        <Icon name="down" size="small" />
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner className="float-place" sideOffset={4} alignItemWithTrigger={false}>
          <Select.Popup className="menu float">
            <Select.List>
              {options.map((option) => (
                <Select.Item key={option.value} value={option.value} className="menu-item">
                  <Select.ItemIndicator className="menu-tick" keepMounted>
                    <Icon name="check" size="small" />
                  </Select.ItemIndicator>
                  <Select.ItemText>{option.title}</Select.ItemText>
                  <span className="grow" />
                  {option.detail && <span className="mute small">{option.detail}</span>}
                </Select.Item>
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  )
}
