import { AppError, isCancelled } from '../domain/error.ts'
import type { Completion, CompletionRequest, ModelDelta, ModelInfo, ModelRef } from '../domain/model.ts'
import type { Completed, CompleteOptions } from './complete.ts'
import { cancelled, failure } from './failure.ts'
import { settledUsage } from './usage.ts'

/**
 * A provider that lives in this process: the planner, the scripted one of the tests. It answers whole, so no timer, no
 * retry and no listener stands between it and its caller; it must itself reject as soon as the signal aborts.
 */
export interface EmbeddedProvider {
  readonly complete: (
    request: CompletionRequest,
    options: { readonly signal: AbortSignal; readonly onDelta: (delta: ModelDelta) => void },
  ) => Promise<Completion>
  readonly models: () => readonly ModelInfo[]
}

export async function completeEmbedded(
  provider: EmbeddedProvider,
  {
    ref,
    request,
    monotonic,
  }: { readonly ref: ModelRef; readonly request: CompletionRequest; readonly monotonic: () => number },
  { signal, onDelta }: CompleteOptions,
): Promise<Completed> {
  const startedAt = monotonic()
  let firstTokenMs: number | null = null
  let isOver = false
  try {
    const completion = await provider.complete(request, {
      signal,
      onDelta: (delta) => {
        if (isOver || signal.aborted) return
        firstTokenMs ??= monotonic() - startedAt
        onDelta?.(delta)
      },
    })
    if (signal.aborted) throw cancelled(signal.reason)
    // What runs here knows what it used: the planner's zero is a real zero.
    const usage = completion.usage ?? settledUsage(request, completion)
    return {
      completion: { ...completion, usage },
      providerId: ref.providerId,
      model: ref.model,
      firstTokenMs,
      durationMs: monotonic() - startedAt,
    }
  } catch (error) {
    throw embeddedFailure(error, signal)
  } finally {
    isOver = true
  }
}

function embeddedFailure(error: unknown, signal: AbortSignal): AppError {
  if (signal.aborted || isCancelled(error)) return cancelled(error)
  if (error instanceof AppError) return error
  return failure('model.provider', {
    message: error instanceof Error ? error.message : String(error),
    userMessage:
      'The built-in model failed at this request. Your messages and all finished steps are kept. Word it differently, or connect a model in Settings → Models.',
    streamCode: 'E_PROVIDER_5XX',
    retryable: true,
    cause: error,
  })
}
