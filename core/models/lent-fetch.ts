import type { Response } from 'undici'
import { limits } from '../domain/limits.ts'
import type { Deadlines } from './deadlines.ts'
import { answerTooLarge, type FailureContext } from './failure.ts'
import { type BodyStream, nextBytes } from './response-body.ts'

/** What a client that makes its own requests gets. */
export interface Lent {
  /** Answers only what is a good answer; whatever else it meets is thrown in the end, as ours. */
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
  readonly onToken: () => void
}

interface Lending {
  readonly signal: AbortSignal
  readonly deadlines: Deadlines
  readonly context: FailureContext
  /** One request through our own transport; throws `model.*` for all that is no good answer. */
  readonly ask: (request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }) => Promise<Response>
}

/** Clients wrap what they meet in errors of their own: the first failure is kept here, and thrown in place of theirs. */
export async function withLentFetch(lending: Lending, work: (lent: Lent) => Promise<void>): Promise<void> {
  const { signal, deadlines, ask } = lending
  let failed: unknown
  const fail = (error: unknown): unknown => {
    failed ??= error
    return error
  }
  const lentFetch: Lent['fetch'] = async (input, init) => {
    try {
      const headers = Object.fromEntries(new Headers(init?.headers))
      const response = await ask({
        url: String(input),
        headers,
        ...(typeof init?.body === 'string' && { body: init.body }),
      })
      return new globalThis.Response(watchedBody(response, lending, fail), {
        headers: { 'content-type': response.headers.get('content-type') ?? '' },
      })
    } catch (error) {
      throw fail(error)
    }
  }
  try {
    await work({ fetch: lentFetch, signal, onToken: deadlines.onToken })
  } catch (error) {
    throw failed ?? error
  }
}

function watchedBody(
  response: Response,
  { signal, deadlines, context }: Lending,
  fail: (error: unknown) => unknown,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const body: BodyStream | undefined = response.body?.getReader()
  let received = 0
  return new ReadableStream({
    async pull(controller) {
      try {
        const bytes = body === undefined ? null : await nextBytes(body, received, { context, signal })
        if (bytes === null) return controller.close()
        deadlines.onBytes()
        received += bytes.byteLength
        if (received > limits.responseBytes) throw answerTooLarge(limits.responseBytes, context)
        controller.enqueue(new Uint8Array(bytes))
      } catch (error) {
        void body?.cancel(error).catch(() => {
          // The stream has failed already; that failure is what is thrown.
        })
        controller.error(fail(error))
      }
    },
    cancel: (reason) => body?.cancel(reason),
  })
}
