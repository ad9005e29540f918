import type { ComponentProps } from 'react'
import { keyText } from '../keys.ts'
import { Icon, type IconName } from './icon.tsx'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'title'> {
  readonly look?: 'plain' | 'primary' | 'ghost' | 'danger'
  readonly icon?: IconName
  /** Shown as the key cap, at rest. `Mod+K`, `g c`. */
  readonly shortcut?: string
}

/** Verb and object; its key cap is part of it. */
export function Button({ look = 'plain', icon, shortcut, className, children, ...rest }: ButtonProps) {
  const classes = ['btn', look === 'plain' ? '' : look, className ?? ''].filter((name) => name !== '').join(' ')
  return (
    <button type="button" className={classes} {...rest}>
      {icon && <Icon name={icon} size="small" />}
      {children}
      {shortcut && <Kbd keys={shortcut} />}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'title' | 'children'> {
  readonly icon: IconName
  /** Its name: for screen readers, and with the key in the title. */
  readonly label: string
  readonly shortcut?: string
  readonly look?: 'plain' | 'ghost'
}

export function IconButton({ icon, label, shortcut, look = 'ghost', className, ...rest }: IconButtonProps) {
  const classes = ['btn', 'icon', look === 'ghost' ? 'ghost' : '', className ?? '']
    .filter((name) => name !== '')
    .join(' ')
  return (
    <button type="button" className={classes} aria-label={label} title={titleWithKey(label, shortcut)} {...rest}>
      <Icon name={icon} size="small" />
    </button>
  )
}

/** A key cap, or one for each key of a sequence. For the eye only: the help dialog lists all keys as text. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className="keys" aria-hidden="true">
      {keys.split(' ').map((key) => (
        <kbd key={key}>{keyText(key)}</kbd>
      ))}
    </span>
  )
}

export function titleWithKey(label: string, shortcut: string | undefined): string {
  return shortcut ? `${label}  ${shortcut.split(' ').map(keyText).join(' ')}` : label
}
