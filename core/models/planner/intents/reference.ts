import { loadCatalogue } from '../files/catalogue.ts'
import { has, unitsOf } from '../language/grammar.ts'
import { readRequest } from '../language/reading.ts'
import type { Plan } from '../plan.ts'

/** A request with the file of the answer before it in the place of "it"; `unclear` is the word that means no one file. */
export type Referred = { readonly said: string } | { readonly unclear: string }

const owned = /\b(?:its|their|(?:that|this|the same) file's)\s+([^?.!]+)/i
const standing =
  /\b(?:(?:that|this|the same) file|(?:it|that|this|those|these|they|them)(?=\s*(?:$|[?.!,;]|(?:and|have|has|had|contain|contains|say|says|got|hold|holds|take|takes|altogether|in total|in all|then|too|please|for me|about|last|was|changed)\b)))/i
// "What time is it", "is it possible": this "it" means nothing.
const expletive = /\b(?:time|day|date|month|year|week|weekday) (?:is|was) it\b|^\W*(?:is|was|does|do) (?:it|that|this)\b(?!\s*[?.!,;]?\s*$)/i

/** Puts the file that the earlier answer was about in the place of "it" and "its columns"; other requests stay as they are. */
export function* referred(said: string, earlierAnswer: string | undefined): Plan<Referred> {
  const word = referenceIn(said)
  if (word === undefined || earlierAnswer === undefined) return { said }
  const head = earlierAnswer.split('\n\n')[0] ?? ''
  const spans = new Set([...head.matchAll(/`([^`\n]+)`/g)].map((m) => m[1] ?? ''))
  const { files } = yield* loadCatalogue()
  const [only, other] = files.filter((f) => spans.has(f.path))
  if (only === undefined || other !== undefined) return { unclear: word }
  return { said: withReferent(said, only.path) }
}

function referenceIn(said: string): string | undefined {
  const reading = readRequest(said, { correct: false })
  const isNamed = (['path', 'quoted', 'glob', 'fileKind', 'open'] as const).some((k) => unitsOf(reading, k).length > 0)
  if (isNamed || has(reading, 'remember', 'recall', 'folder') || expletive.test(said)) return undefined
  return (owned.exec(said) ?? standing.exec(said))?.[0].trim()
}

function withReferent(said: string, path: string): string {
  const possession = owned.exec(said)
  if (possession) return said.replace(possession[0], () => `the ${possession[1]?.trim()} of \`${path}\``)
  return said.replace(standing, () => `\`${path}\``)
}
