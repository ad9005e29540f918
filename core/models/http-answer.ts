import type { CompletionRequest } from '../domain/model.ts'
import type { Accumulator } from './accumulator.ts'
import type { FailureContext } from './failure.ts'
import type { ModelProvider, ModelServer } from './provider.ts'
import type { BodyReader } from './sse.ts'
import type { OutgoingRequest, StreamProgress } from './transport.ts'

interface HttpSpeech {
  /** `windowTokens`: what the model is to run with, where each request asks for a window. */
  readonly chat: (server: ModelServer, request: CompletionRequest, windowTokens: number | undefined) => OutgoingRequest
  /** Reads one answer into the accumulator; throws `model.*` for an error that stands in the stream. */
  readonly reader: (into: Accumulator, context: FailureContext) => BodyReader
}

/** Answers over our own transport, for servers whose streams no client reads as they come (RULES 28). */
export function byOwnTransport({ chat, reader }: HttpSpeech): ModelProvider['answer'] {
  return ({ server, keyHeaders, request, windowTokens, into, waits, transport, context }) => {
    const { push, end } = reader(into, context)
    const { url, headers, body } = chat(server, request, windowTokens)
    const keyed = { url, headers: { ...headers, ...keyHeaders }, ...(body && { body }) }
    return transport.stream(keyed, { ...waits, push, end, progress: () => progressOf(into) }, context)
  }
}

function progressOf(into: Accumulator): StreamProgress {
  if (into.hasEndMark()) return 'ended'
  if (into.isFinished()) return 'finished'
  return into.hasDelta() ? 'answering' : 'waiting'
}
