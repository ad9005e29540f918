import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { sanitizeText } from '../../domain/text.ts'

/** Characters that a value adds to the text of a result, hidden characters counted as the door will show them. */
export function resultCharacters(value: Json): number {
  return sanitizeText(JSON.stringify(value)).length
}

/** What is left of a result's size: `take` is true while the value still fits. Once one did not fit, none does. */
export interface Allowance {
  take(value: Json): boolean
}

/** `share` of the whole result (1 leaves room for the fields around the list). */
export function createAllowance(share = 1): Allowance {
  let left = Math.floor((limits.actionResultCharacters - 4_000) * share)
  return {
    take(value) {
      left -= resultCharacters(value) + 1
      return left >= 0
    },
  }
}

/** The items that fit, in order. */
export function takeFitting<Item extends Json>(items: readonly Item[], allowance: Allowance): Item[] {
  const end = items.findIndex((item) => !allowance.take(item))
  return end < 0 ? [...items] : items.slice(0, end)
}
