import type { Response } from 'undici'
import { type FailureContext, truncated } from './failure.ts'

export type BodyStream = ReadableStreamDefaultReader<Uint8Array>

/** Null at a clean end. Throws the signal's reason, or `model.truncated` for a connection that was lost. */
export async function nextBytes(
  body: BodyStream,
  received: number,
  { context, signal }: { readonly context: FailureContext; readonly signal: AbortSignal },
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await body.read()
    return done ? null : value
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    const detail = `the connection was lost: ${networkDetail(cause)}`
    throw truncated(detail, context, { cause, ...(received === 0 && { ownRetry: 'network' as const }) })
  }
}

/** At most `maxBytes` of a body; what a broken connection left of an error's text is still worth reading. @throws model.truncated */
export async function bodyStart(response: Response, maxBytes: number, context: FailureContext): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let total = 0
  const body: BodyStream | undefined = response.body?.getReader()
  try {
    while (body !== undefined && total < maxBytes) {
      const { done, value } = await body.read()
      if (done) return Buffer.concat(parts)
      parts.push(value)
      total += value.byteLength
    }
    await body?.cancel()
  } catch (cause) {
    if (response.ok) throw truncated(`the connection was lost: ${networkDetail(cause)}`, context, { cause })
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}

export function networkDetail(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  return first instanceof Error && first.message !== '' ? first.message : cause.name
}
