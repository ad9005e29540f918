import { AppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import type { LocalModelSettings } from '../../domain/settings.ts'

/** A window below this holds no useful conversation. */
const leastTokens = 1_024
/** An embedder reads only the start of a text; more would cost memory for nothing. */
const embeddingTokens = 2_048
const unknownTokens = 2_048
/** llama.cpp gives a context in steps of these. */
const step = 256
const mb = 1_048_576
/** What computing takes beside weights and cache; grows with the model. Source: llama.cpp's own logs, rounded up. */
const overheadBytes = 128 * mb
const overheadShare = 0.05

/**
 * The window that a model gets: what a person set, else as much of 8,192 (or of what it was trained for) as fits into the
 * memory that is free. @throws AppError local.load with the figures, where it does not fit.
 */
export function planWindow(model: LocalModelSettings, freeBytes: number): number {
  const fixed = Math.ceil(model.bytes * (1 + overheadShare)) + overheadBytes
  const cacheOf = (tokens: number) => tokens * model.cacheBytesPerToken
  const wanted = model.contextTokens ?? ownWindow(model)
  if (fixed + cacheOf(wanted) <= freeBytes) return wanted
  const fitting = Math.floor((freeBytes - fixed) / Math.max(1, model.cacheBytesPerToken) / step) * step
  if (model.contextTokens === null && fitting >= Math.min(leastTokens, wanted)) return fitting
  const least = model.contextTokens ?? Math.min(leastTokens, wanted)
  throw tooLarge(model, { neededBytes: fixed + cacheOf(least), freeBytes, tokens: least })
}

/** Where nothing is set: not all that large models were trained for, since its cache would take more than their weights. */
function ownWindow({ purpose, trainedTokens }: LocalModelSettings): number {
  const most = purpose === 'embedding' ? embeddingTokens : limits.localContextTokens
  return Math.min(trainedTokens ?? unknownTokens, most)
}

function tooLarge(
  model: LocalModelSettings,
  { neededBytes, freeBytes, tokens }: { neededBytes: number; freeBytes: number; tokens: number },
): AppError {
  const [needed, free] = [gb(neededBytes), gb(freeBytes)]
  return new AppError('local.load', {
    message: `${model.name} needs ${neededBytes} bytes with a context of ${tokens} tokens, ${freeBytes} are free`,
    userMessage: `“${model.title}” does not fit into the memory: with a context of ${tokens} tokens it needs about ${needed} GB, and ${free} GB are free. Nothing was loaded, and your messages are kept. Close other programs, set a smaller context in Settings → Models, or choose a smaller model.`,
    data: { neededBytes, freeBytes, contextTokens: tokens },
    retryable: true,
  })
}

function gb(bytes: number): string {
  return (Math.max(0, bytes) / 1024 ** 3).toFixed(1)
}
