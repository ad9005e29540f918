import { AppError } from '../domain/error.ts'
import { failureContext, type ServerTarget } from './complete.ts'
import { askerOf } from './discover.ts'
import { unreadable } from './failure.ts'
import type { Transport } from './transport.ts'

/** Vectors of length 1 from a server, in the order of the texts. Throws `model.*`, `cancelled`. */
export async function embedOverHttp(
  target: ServerTarget,
  request: { readonly model: string; readonly texts: readonly string[] },
  asking: { readonly transport: Transport; readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<readonly Float32Array[]> {
  const { provider, server } = target
  if (provider.embed === undefined) throw noEmbedder(server.title)
  const vectors = await provider.embed(server, request, askerOf(target, asking))
  if (vectors.length !== request.texts.length) {
    const context = failureContext(server, request.model)
    throw unreadable(`${vectors.length} vectors for ${request.texts.length} texts`, context)
  }
  return vectors.map(unitVector)
}

export function noEmbedder(title: string): AppError {
  return new AppError('model.refused', {
    message: `${title} has no embedders`,
    userMessage: `${title} cannot turn notes into vectors. They are found by their words as before. Choose another embedder in Settings → Models.`,
  })
}

function unitVector(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length))
}
