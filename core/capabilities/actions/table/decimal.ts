/** An exact decimal: units ÷ 10^scale. Sums of money must not drift, so nothing here goes through binary fractions. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

export const zero: Decimal = { units: 0n, scale: 0 }

/** `digits` as `readNumber` writes them: `-1234.50`, `1e6`. undefined where the exponent would need thousands of digits. */
export function parseDecimal(digits: string): Decimal | undefined {
  const parts = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(digits)
  if (!parts) return undefined
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = parts
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > 400) return undefined
  const units = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - exponent
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale }
  const scale = Math.max(a.scale, b.scale)
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale }
}

function unitsAt({ units, scale }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale)
}

/** Half away from zero, to 15 significant digits and at least as many places as the dividend has. */
export function divide(a: Decimal, count: number): Decimal {
  const places = 15
  const scaled = unitsAt(a, a.scale + places)
  const divisor = BigInt(count)
  const half = scaled < 0n ? -divisor / 2n : divisor / 2n
  return roundTo({ units: (scaled + half) / divisor, scale: a.scale + places }, 15)
}

function roundTo(value: Decimal, significant: number): Decimal {
  const length = value.units.toString().replace('-', '').length
  const drop = Math.min(length - significant, value.scale)
  if (drop <= 0) return value
  const unit = 10n ** BigInt(drop)
  const half = value.units < 0n ? -unit / 2n : unit / 2n
  return { units: (value.units + half) / unit, scale: value.scale - drop }
}

/** Plain digits without trailing zeros: `-1234.5`. */
export function decimalText({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = scale === 0 ? '' : digits.slice(-scale).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return units < 0n ? `-${text}` : text
}

/** A JSON number where it says exactly the same, else the exact text. */
export function decimalJson(value: Decimal): number | string {
  const text = decimalText(value)
  const number = Number(text)
  const back = parseDecimal(String(number))
  return back !== undefined && decimalText(back) === text ? number : text
}
