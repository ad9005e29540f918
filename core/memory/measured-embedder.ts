import type { EmbeddedAs, Embedder } from './lexical.ts'

/** Asks an embedder for vectors of length 1, in the order of the texts. */
export type Embed = (texts: readonly string[], as: EmbeddedAs, signal?: AbortSignal) => Promise<readonly Float32Array[]>

/** About nothing in common. */
const strangers = [
  'The ferry to the island leaves at six in the morning.',
  'Add two cups of flour and knead the dough until it is smooth.',
  'The appeal was dismissed because it was filed too late.',
  'Her violin needs new strings before the concert.',
  'Glaciers carve deep valleys over thousands of years.',
  'Restart the router if the printer is offline.',
  'The goalkeeper saved a penalty in the last minute.',
  'Invoices are due thirty days after delivery.',
  'Bees tell each other of flowers by dancing.',
  'The vaccine is kept at four degrees.',
  'He painted the fence green last summer.',
  'Prime numbers above two are odd.',
]

// Of unrelated pairs one in a hundred lies above the first, one in a thousand above the second, as with the lexical embedder.
const nearDeviations = 2.33
const relevantDeviations = 3.09

/**
 * An embedder behind a model. Each model has a scale of its own (unrelated texts have a cosine of 0.1 with one and of 0.7 with
 * another), so what is alike by chance is measured, once, from texts that have nothing in common. Throws what `embed` throws.
 */
export async function measuredEmbedder(name: string, embed: Embed): Promise<Embedder> {
  const [docs, queries] = [await embed(strangers, 'doc'), await embed(strangers, 'query')]
  const cosines = docs.flatMap((doc, at) =>
    queries.flatMap((query, other) => (other === at ? [] : [cosine(doc, query)])),
  )
  const mean = cosines.reduce((sum, each) => sum + each, 0) / cosines.length
  const deviation = Math.sqrt(cosines.reduce((sum, each) => sum + (each - mean) ** 2, 0) / cosines.length)
  return {
    name,
    dimensions: docs[0]?.length ?? 0,
    isImmediate: false,
    nearFrom: mean + nearDeviations * deviation,
    relevantFrom: mean + relevantDeviations * deviation,
    embed,
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}
