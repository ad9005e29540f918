const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The order in which people list names: case does not matter, page2 before page10; always the same for the same names. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}
