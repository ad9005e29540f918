import { z } from 'zod'

// Models often quote numbers and booleans, and send one item where a list is meant. A default is said in the description:
// it does not survive in the JSON Schema of a preprocessed value.

/** A whole number from `min` to `max`; "120" is read as 120. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(readNumeric, z.number().int().min(min).max(max))
}

/** true or false, also as text. */
export function flag() {
  return z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
}

/** A list of at most `max` items; a single item is a list of one. */
export function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z.preprocess(
    (value) => (value === undefined || value === null || Array.isArray(value) ? value : [value]),
    z.array(item).max(max),
  )
}

export const pathText = z.string().max(4_096)
export const columnName = z.string().min(1).max(200)

function readNumeric(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

/** At most 60 characters for a timeline row. */
export function summaryText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= 60 ? line : `${characters.slice(0, 59).join('')}…`
}
