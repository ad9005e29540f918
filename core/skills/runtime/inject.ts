import type { SkillCatalogueEntry } from './record.ts'

/** Vectors of texts, in their order. */
export type EmbedTexts = (
  texts: readonly string[],
  signal: AbortSignal,
) => readonly Float32Array[] | Promise<readonly Float32Array[]>

/**
 * Which bodies stand in the prompt from the beginning. None by default: the model loads what it needs. `semantic`: the `topK`
 * whose descriptions are nearest to what is asked, none below `threshold` (default 0). Source: seed R, Injection.
 */
export type SkillInjectMode =
  | 'none'
  | 'all'
  | {
      readonly select: 'semantic'
      readonly topK: number
      readonly threshold?: number
      readonly embedder?: EmbedTexts
    }

/** The nearest first, of equally near ones by name. Embedders that answer another number of vectors choose nothing. */
export async function nearestTo(
  input: string,
  entries: readonly SkillCatalogueEntry[],
  { topK, threshold = 0, embed }: { readonly topK: number; readonly threshold?: number; readonly embed: EmbedTexts },
  signal: AbortSignal,
): Promise<readonly SkillCatalogueEntry[]> {
  if (topK <= 0 || entries.length === 0) return []
  const texts = [input, ...entries.map(({ name, description }) => `${name}: ${description}`)]
  const [asked, ...vectors] = await embed(texts, signal)
  if (asked === undefined || vectors.length !== entries.length) return []
  return entries
    .map((entry, at) => ({ entry, near: cosine(asked, vectors[at] ?? asked) }))
    .filter(({ near }) => near >= threshold)
    .sort((a, b) => b.near - a.near || (a.entry.name < b.entry.name ? -1 : 1))
    .slice(0, Math.floor(topK))
    .map(({ entry }) => entry)
}

/** Vectors of any length; 0 where one of them says nothing. */
function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, left, right] = [0, 0, 0]
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    dot += value * other
    left += value * value
    right += other * other
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right)
}
