const small: Readonly<Record<string, string>> = {
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
  fifteen: '15',
  twenty: '20',
  thirty: '30',
  fifty: '50',
  hundred: '100',
  thousand: '1000',
  couple: '2',
  dozen: '12',
}

/** `three` as `3`; undefined for any other word. "One" is a pronoun more often than a number, so it is left alone. */
export function numberWord(lower: string): string | undefined {
  return Object.hasOwn(small, lower) ? small[lower] : undefined
}

/** The digits of a written number: `1,234.50` as `1234.50`. */
export function plainNumber(text: string): string {
  return text.replaceAll(',', '')
}

const byteUnits: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  k: 1_000,
  kb: 1_000,
  kilobyte: 1_000,
  kilobytes: 1_000,
  kib: 1_024,
  m: 1_000_000,
  mb: 1_000_000,
  megabyte: 1_000_000,
  megabytes: 1_000_000,
  meg: 1_000_000,
  megs: 1_000_000,
  mib: 1_048_576,
  g: 1_000_000_000,
  gb: 1_000_000_000,
  gigabyte: 1_000_000_000,
  gigabytes: 1_000_000_000,
  gig: 1_000_000_000,
  gigs: 1_000_000_000,
  gib: 1_073_741_824,
}

/** Bytes for a number and a unit; undefined when the word is no unit. Decimal units, as the file lists show them. */
export function bytesOf(amount: string, unit: string): number | undefined {
  const factor = Object.hasOwn(byteUnits, unit) ? byteUnits[unit] : undefined
  return factor === undefined ? undefined : Math.round(Number(plainNumber(amount)) * factor)
}

/** `k` and `m` after a plain number: 10k is 10000. */
export function scaled(amount: string, unit: string): string | undefined {
  if (unit === 'k' || unit === 'thousand') return String(Number(plainNumber(amount)) * 1_000)
  if (unit === 'm' || unit === 'million' || unit === 'mio') return String(Number(plainNumber(amount)) * 1_000_000)
  return undefined
}
