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
const expletive =
  /\b(?:time|day|date|month|year|week|weekday) (?:is|was) it\b|^\W*(?:is|was|does|do) (?:it|that|this)\b(?!\s*[?.!,;]?\s*$)/i

/** Puts the file that the earlier answer was about in the place of "it" and "its columns"; other requests stay as they are. */
export function* referred(said: string, earlierAnswer: string | undefined): Plan<Referred> {
  const reference = measureAlone.test(said.trim()) ? wholeFile : referenceIn(said)
  if (reference === undefined || earlierAnswer === undefined) return { said }
  const head = earlierAnswer.split('\n\n')[0] ?? ''
  const spans = new Set([...head.matchAll(/`([^`\n]+)`/g)].map((m) => m[1] ?? ''))
  const { files } = yield* loadCatalogue()
  // "4 rows where `status` is active": these rows are meant, unless the words ask about the file itself.
  const isAboutRows = /\bwhere `|\bfor each `|\bin this row\b/.test(head) && !reference.isAboutFile
  if (isAboutRows && reference.isAll) return { unclear: reference.word }
  const [only, other] = files.filter((f) => spans.has(f.path))
  if (only === undefined || other !== undefined) return reference.isAll ? { unclear: reference.word } : { said }
  return { said: withReferent(said, only.path) }
}

// "How many words?" right after a file was shown.
const measureAlone = /^(?:and )?how many (?:lines|words|characters|columns)\??$/i
const wholeFile = { word: '', isAll: false, isAboutFile: true }

/** `isAll`: no other word of the request says what it is about. */
function referenceIn(
  said: string,
): { readonly word: string; readonly isAll: boolean; readonly isAboutFile: boolean } | undefined {
  const reading = readRequest(said, { correct: false })
  const isNamed = (['path', 'glob', 'fileKind'] as const).some((kind) => unitsOf(reading, kind).length > 0)
  if (isNamed || has(reading, 'remember', 'recall', 'folder') || expletive.test(said)) return undefined
  const word = /^\w+/.exec((owned.exec(said) ?? standing.exec(said))?.[0] ?? '')?.[0]
  const isAll = (['open', 'quoted', 'number', 'date'] as const).every((kind) => unitsOf(reading, kind).length === 0)
  const isAboutFile = has(reading, 'column', 'line', 'word', 'character', 'size', 'time', 'hash', 'about', 'summarise')
  return word === undefined ? undefined : { word, isAll, isAboutFile }
}

function withReferent(said: string, path: string): string {
  if (measureAlone.test(said.trim())) return `${said.trim().replace(/\?$/, '')} are in \`${path}\``
  const possession = owned.exec(said)
  if (possession) return said.replace(possession[0], () => `the ${possession[1]?.trim()} of \`${path}\``)
  return said.replace(standing, () => `\`${path}\``)
}
