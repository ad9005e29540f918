import type { CSSProperties } from 'react'

/** Lengths in px as custom properties, set through the CSSOM: the policy allows no style attributes. */
export function lengths(px: Readonly<Record<`--${string}`, number>>): CSSProperties {
  return Object.fromEntries(Object.entries(px).map(([name, value]) => [name, `${value}px`]))
}
