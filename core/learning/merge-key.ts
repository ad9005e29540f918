import type { ProposalKind } from '../domain/learnt.ts'

/** The same words and signs, whatever marks the ends of their sentences: C++ is not C#, and > 2 is not < 2. */
export function mergeKeyOf(kind: ProposalKind, text: string): string {
  if (kind === 'setting') return text
  const words = text.toLowerCase().replaceAll('’', "'").split(/\s+/)
  return words
    .map((word) => word.replace(punctuation, ''))
    .filter((word) => word !== '' && !fillers.has(word))
    .join(' ')
}

/** Quotation marks and brackets around a word, marks behind it, and dashes that stand alone. */
const punctuation = /^(?:["'“”‘’„«»()[\]{}]+|[-–—]+$)|["'“”‘’«»()[\]{}.,;:!?…]+$/g
const fillers = new Set(['a', 'an', 'and', 'i', 'it', 'just', 'my', 'please', 'so', 'that', 'the', 'to', 'you', 'your'])
