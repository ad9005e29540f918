/** A key press as the window reports it: the part of KeyboardEvent that matters here. */
export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.platform)

/**
 * The name of a press as the registry writes it: `Mod+K`, `Mod+Shift+P`, `j`, `?`, `Alt+ArrowLeft`. Mod is Ctrl, on a Mac
 * Command. Shift is named only beside another modifier or a named key: alone it already shows in the character.
 */
export function pressName(press: KeyPress, onMac = isMac): string {
  const isMod = onMac ? press.metaKey : press.ctrlKey
  const isCharacter = press.key.length === 1
  const hasModifier = isMod || press.altKey
  const key = isCharacter && hasModifier ? press.key.toUpperCase() : press.key
  const shift = press.shiftKey && (!isCharacter || hasModifier)
  return `${isMod ? 'Mod+' : ''}${press.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`
}

/** Letters and signs pressed alone, one or several: what a person can switch off. */
export function isSingleKey(keys: string): boolean {
  return keys.split(' ').every((key) => key.length === 1)
}

/** True for keys that a text field would take for itself. */
export function isTextKey(keys: string): boolean {
  return isSingleKey(keys) || keys === 'Backspace'
}

const caps: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** How a key cap reads: `Ctrl K`, on a Mac `⌘ K`. */
export function keyText(key: string): string {
  return key
    .split('+')
    .map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : (caps[part] ?? part)))
    .join(' ')
}

/** What a press means after the ones before it: a finished binding, the beginning of one, or nothing. */
export type KeyMatch =
  | { readonly kind: 'match'; readonly keys: string }
  | { readonly kind: 'prefix'; readonly keys: string }
  | { readonly kind: 'none' }

/** `pending` is the sequence so far (`g`), or empty. A press that does not go on from it may still begin anew. */
export function matchKeys(bindings: readonly string[], pending: string, press: string): KeyMatch {
  const attempts = pending === '' ? [press] : [`${pending} ${press}`, press]
  for (const keys of attempts) {
    if (bindings.includes(keys)) return { kind: 'match', keys }
    if (bindings.some((binding) => binding.startsWith(`${keys} `))) return { kind: 'prefix', keys }
  }
  return { kind: 'none' }
}
