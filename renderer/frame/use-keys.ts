import { useEffect } from 'react'
import { type Command, commands } from '../commands.ts'
import { isSingleKey, isTextKey, matchKeys, pressName } from '../keys.ts'
import { getApp } from '../state/store.ts'

const sequenceMs = 1_000
const textFields = 'input, textarea, select, [contenteditable="true"]'
const ownKeys = '[role="dialog"], [role="menu"], [role="listbox"], [role="combobox"]'

/** Runs the registry's keys. Single letters are off in text fields, and everywhere where the person switched them off. */
export function useKeys(): void {
  useEffect(() => {
    let pending = ''
    let pendingUntil = 0

    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return
      const state = getApp()
      const available = commands.filter((command) => command.when(state))
      const bindings = available.flatMap((command) => command.keys).filter((keys) => isAllowed(keys, event.target))
      const press = pressName(event)
      const match = matchKeys(bindings, event.timeStamp < pendingUntil ? pending : '', press)
      pending = match.kind === 'prefix' ? match.keys : ''
      pendingUntil = event.timeStamp + sequenceMs
      const command = match.kind === 'match' ? commandBy(available, match.keys) : undefined
      if (!command) return
      event.preventDefault()
      command.run(state)
    }

    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function commandBy(available: readonly Command[], keys: string): Command | undefined {
  return available.find((command) => command.keys.includes(keys))
}

function isAllowed(keys: string, target: EventTarget | null): boolean {
  if (!isTextKey(keys)) return true
  if (isSingleKey(keys) && getApp().settings?.singleKeys === false) return false
  return !(target instanceof Element && target.closest(`${textFields}, ${ownKeys}`))
}
