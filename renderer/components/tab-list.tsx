import type { KeyboardEvent } from 'react'

interface TabListProps<Name extends string> {
  readonly label: string
  readonly className: string
  readonly tabs: readonly {
    readonly name: Name
    readonly title: string
    readonly hint?: string
    readonly isBad?: boolean
  }[]
  readonly current: Name
  readonly onChoose: (name: Name) => void
}

/** One tab stop; the arrow keys go from tab to tab and show what they reach. */
export function TabList<Name extends string>({ label, className, tabs, current, onChoose }: TabListProps<Name>) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs[tabs.findIndex(({ name }) => name === current) + step]
    if (step === 0 || next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onChoose(next.name)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus()
  }
  return (
    <div className={className} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ name, title, hint, isBad }) => (
        <button
          key={name}
          type="button"
          role="tab"
          data-tab={name}
          aria-selected={name === current}
          tabIndex={name === current ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {title}
          {hint && (
            <span className={isBad ? 'ink-failed' : 'mute'} aria-hidden="true">
              {hint}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
