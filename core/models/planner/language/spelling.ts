import { spellings } from './lexicon.ts'

/** One slip of the keyboard apart: a letter left out, doubled, wrong, or two swapped. The first letter is right. */
export function isOneSlipApart(a: string, b: string): boolean {
  if (a === b || a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from += 1
  const restA = a.slice(from)
  const restB = b.slice(from)
  if (restA.slice(1) === restB.slice(1)) return true
  if (restA.slice(1) === restB || restA === restB.slice(1)) return true
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
}

/** The known word that this one is a slip of; undefined when there is none. Of several, one of the same length wins. */
export function correctionOf(lower: string): string | undefined {
  if (lower.length < 3 || !/^\p{L}+$/u.test(lower)) return undefined
  // A plural is no slip: "projects" are not the project.
  const isPlural = (word: string) => `${word}s` === lower || `${lower}s` === word
  // Of three letters only a word with one left out: "mny".
  const near = spellings.filter(
    (word) => isOneSlipApart(lower, word) && !isPlural(word) && (lower.length > 3 || word.length === 4),
  )
  return near.find((word) => word.length === lower.length) ?? near[0]
}
