import { isJsonObject } from '../../domain/json.ts'

/** A result says itself whether it holds words that nobody of this computer wrote. */
export function isForeignResult(value: unknown): boolean {
  return isJsonObject(value) && value.isUntrusted === true
}
