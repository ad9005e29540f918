import { createHash } from 'node:crypto'
import { AppError, type ErrorBody, errorBody } from './domain/error.ts'
import { type ModelRef, modelRefText } from './domain/model.ts'
import type { Settings } from './domain/settings.ts'
import { type Embed, type EmbedderChoice, lexical, measuredEmbedder } from './memory/memory.ts'
import type { Models } from './models/models.ts'

/** The embedder of the settings, and what went wrong when it was last asked. Another setting is another embedder at once. */
export function createEmbedderChoice(models: Pick<Models, 'embed'>, settings: () => Settings) {
  const closing = new AbortController()
  let fault: { readonly name: string; readonly body: ErrorBody } | null = null
  /** The error that `fault` tells of. */
  let noted: unknown
  const nameNow = () => nameOf(settings().embedder, settings())

  function note(name: string, error: unknown): void {
    if (closing.signal.aborted) return
    fault = { name, body: errorBody(error, 'model.provider') }
    noted = error
  }
  const embedWith =
    (name: string, ref: ModelRef): Embed =>
    async (texts, as, signal) => {
      try {
        // Work on the old one's vectors may still be going on: the new one's must not get among them.
        if (nameOf(ref, settings()) !== name) throw moved(ref)
        const either = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal])
        const vectors = await models.embed(ref, texts, { as, signal: either })
        if (fault?.name === name) fault = null
        return vectors
      } catch (error) {
        // Noted here, where it is known whose error it is: the settings may be others by now.
        // A caller that left is no fault of its own.
        if (signal?.aborted !== true) note(name, error)
        throw error
      }
    }

  return {
    chosen(): EmbedderChoice | null {
      const ref = settings().embedder
      if (ref === null) return null
      const name = nameNow()
      return { name, title: modelRefText(ref), open: () => measuredEmbedder(name, embedWith(name, ref)) }
    },
    /** Vectors of texts by the embedder of this moment; by their spelling where none is set. */
    texts(): (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]> {
      const ref = settings().embedder
      if (ref === null) return async (texts) => lexical.embed(texts)
      const embed = embedWith(nameNow(), ref)
      return async (texts, signal) => embed(texts, 'doc', signal)
    },
    /** What memory could not do with it; false for an error of another making. */
    tookFault(error: unknown): boolean {
      if (error === noted) return true
      if (settings().embedder === null) return false
      note(nameNow(), error)
      return true
    },
    get fault() {
      // What an embedder did that is not in use any more is of no interest.
      return fault !== null && fault.name === nameNow() ? fault.body : null
    },
    close: () => closing.abort(),
  }
}

function moved(ref: ModelRef): AppError {
  return new AppError('model.refused', {
    message: `${modelRefText(ref)} is another one by now`,
    userMessage: `The embedder ${modelRefText(ref)} was changed meanwhile. Nothing was lost: vectors are made anew at the next search.`,
  })
}

/** Vectors of two embedders must never be compared: a server at another address, or another file, may be another one. */
function nameOf(ref: ModelRef | null, { providers, local }: Settings): string {
  if (ref === null) return ''
  const server = providers.find(({ id }) => id === ref.providerId)
  const file = local.models.find(({ name }) => name === ref.model)
  const place = server === undefined ? [file?.file, file?.bytes] : [server.kind, server.baseUrl]
  const hash = createHash('sha256').update(JSON.stringify(place)).digest('hex')
  return `${modelRefText(ref)} #${hash.slice(0, 12)}`
}
