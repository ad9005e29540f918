import { type ErrorBody, errorBody } from './domain/error.ts'
import { type ModelRef, modelRefText } from './domain/model.ts'
import { type Embed, type EmbedderChoice, measuredEmbedder } from './memory/memory.ts'
import type { Models } from './models/models.ts'

/** The embedder of the settings, and what went wrong when it was last asked. Another setting is another embedder at once. */
export function createEmbedderChoice(models: Models, setting: () => ModelRef | null) {
  const closing = new AbortController()
  let fault: ErrorBody | null = null
  const embedWith =
    (ref: ModelRef): Embed =>
    async (texts, as, signal) => {
      const either = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal])
      const vectors = await models.embed(ref, texts, { as, signal: either })
      fault = null
      return vectors
    }
  return {
    chosen(): EmbedderChoice | null {
      const ref = setting()
      const name = ref === null ? '' : modelRefText(ref)
      return ref === null ? null : { name, open: () => measuredEmbedder(name, embedWith(ref)) }
    },
    onFault(error: unknown): void {
      if (!closing.signal.aborted) fault = errorBody(error, 'model.provider')
    },
    get fault() {
      // What an embedder did that is not in use any more is of no interest.
      return setting() === null ? null : fault
    },
    close: () => closing.abort(),
  }
}
