import { emptyWords, foldedWords } from './words.ts'

/**
 * Turns texts into unit vectors, so that texts which are alike lie close to each other. One that answers at once has its
 * vectors written in the transaction that writes the doc; one that must be asked has them written soon afterwards.
 */
export interface Embedder {
  /** Stored beside each vector and shown with each hit. Another name means that all vectors are made anew. */
  readonly name: string
  readonly dimensions: number
  /** True for one that answers at once: only then is it asked within the transaction of a write. */
  readonly isImmediate: boolean
  /** Cosine from which on a doc is shown in a search: below it lies what is alike by chance. */
  readonly nearFrom: number
  /** Cosine from which on a doc bears on a goal without a word in common. */
  readonly relevantFrom: number
  /** One vector of length 1 for each text, in order; all zeros for a text without a telling word. */
  embed(
    texts: readonly string[],
    as: EmbeddedAs,
    signal?: AbortSignal,
  ): readonly Float32Array[] | Promise<readonly Float32Array[]>
}

/** Some embedders want to know which side of a search a text is on. */
export type EmbeddedAs = 'doc' | 'query'

const dimensions = 256

/** The embedded one. It sees spelling, not meaning: inflections and compounds are alike, synonyms are not. Source: RULES 29. */
export const lexical = {
  name: 'lexical',
  dimensions,
  isImmediate: true,
  // Measured on test/bench/recall: of unrelated pairs one in a hundred is above the first, one in a thousand above the second.
  nearFrom: 0.2,
  relevantFrom: 0.25,
  embed: (texts: readonly string[]): readonly Float32Array[] => texts.map(vectorOf),
} satisfies Embedder

const gramSizes = [3, 4, 5]
/** A whole word says more than one of its parts. */
const wordWeight = 2
const longestWord = 64

function vectorOf(text: string): Float32Array {
  const counts = new Map<string, number>()
  for (const word of foldedWords(text)) {
    if (!emptyWords.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const vector = new Float32Array(dimensions)
  for (const [word, count] of counts) addWord(vector, word.slice(0, longestWord), count)
  return normalised(vector)
}

/** The word, and its parts with `<` and `>` at its ends. A long word weighs as much as a short one. */
function addWord(vector: Float32Array, word: string, count: number): void {
  const bounded = `<${word}>`
  const parts: string[] = []
  for (const size of gramSizes) {
    for (let at = 0; at + size <= bounded.length; at += 1) parts.push(bounded.slice(at, at + size))
  }
  const weight = count / Math.sqrt(wordWeight ** 2 + parts.length)
  add(vector, hashOf(` ${word}`), wordWeight * weight)
  for (const part of parts) add(vector, hashOf(part), weight)
}

/** Half of all parts count down: what falls on one place by chance cancels out instead of adding up. */
function add(vector: Float32Array, code: number, weight: number): void {
  const at = code % dimensions
  vector[at] = (vector[at] ?? 0) + (code >= 0x80000000 ? -weight : weight)
}

/** FNV-1a over UTF-16 units, then mixed so that its high and its low bits are independent. */
function hashOf(text: string): number {
  let code = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) code = Math.imul(code ^ text.charCodeAt(at), 0x01000193)
  code = Math.imul(code ^ (code >>> 15), 0x2c1b3c6d)
  code = Math.imul(code ^ (code >>> 12), 0x297a2d39)
  return (code ^ (code >>> 15)) >>> 0
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? vector : vector.map((value) => value / length)
}
