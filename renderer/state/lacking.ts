import { isJsonObject, type Json } from '../../core/domain/json.ts'
import type { CallTable } from './model.ts'

/** The credential that a request lacked, as the error `http.credential` names it. */
export interface Lacking {
  readonly skill: string
  readonly credential: string
}

const shownRequests = 20

/** Events that say why the newest requests of a thread failed, in the order in which they ended. */
export function failedRequestsOf(table: CallTable): readonly number[] {
  return Object.values(table)
    .flatMap(({ kind, name, state, endSeq }) =>
      kind === 'action' && name === 'http' && state === 'failed' && endSeq !== null ? [endSeq] : [],
    )
    .sort((a, b) => a - b)
    .slice(-shownRequests)
}

/** From the result of a failed call; null where it failed for another reason. */
export function lackingOf(result: Json): Lacking | null {
  const error = isJsonObject(result) ? result.error : undefined
  return isJsonObject(error) && error.code === 'http.credential' ? lackingIn(error.data) : null
}

/** From the data of the error itself. */
export function lackingIn(data: Json | undefined): Lacking | null {
  if (!isJsonObject(data)) return null
  const { skill, credential } = data
  return typeof skill === 'string' && typeof credential === 'string' ? { skill, credential } : null
}
