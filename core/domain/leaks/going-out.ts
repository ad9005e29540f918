import { eachText } from './mark.ts'
import type { Redactor } from './redactor.ts'

/** What a request would carry out of this computer. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

/** `what`: the family, or `stored-key`; `where`: `url`, `headers.x-token` or `body`. */
export interface Leak {
  readonly what: string
  readonly where: string
}

/** The first secret in a request; null where there is none. A key that the engine itself adds is added after this. */
export function leakIn(request: OutgoingRequest, redactor: Redactor): Leak | null {
  let leak: Leak | null = null
  eachText(request, (text, where) => {
    if (leak !== null) return
    const [hit] = redactor.redact(text).hits
    if (hit !== undefined) leak = { what: hit.what, where: where() }
  })
  return leak
}
