import { paragraphs } from '../answer.ts'
import { extensionOf, loadCatalogue } from '../files/catalogue.ts'
import { glimpseAll, glimpseText } from '../files/glimpse.ts'
import type { Candidate, IntentFamily } from '../intent.ts'
import { findConcept, has, leftOver, nounsOf, unitsOf } from '../language/grammar.ts'
import type { Concept } from '../language/lexicon.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, type Plan } from '../plan.ts'
import { overviewText } from './overview.ts'

const filesDescribed = 60
const accepted: readonly Concept[] = [
  'which',
  'show',
  'list',
  'file',
  'folder',
  'overview',
  'about',
  'each',
  'and',
  'summarise',
  'item',
  'contain',
  'name',
  'find',
  'where',
  'with',
  'column',
]

/** "What is in this folder, and what is each file about?" */
export const lookAround: IntentFamily = {
  name: 'look-around',
  read(reading) {
    if (leftOver(reading, { concepts: accepted, kinds: ['fileKind'] }).length > 0) return []
    const wantsEach = asksForEach(reading)
    const wantsAll = asksForAll(reading)
    if (!wantsEach && !wantsAll) return []
    const kinds = unitsOf(reading, 'fileKind').flatMap((k) => k.extensions)
    const slots = { overview: wantsAll, each: wantsEach, ...(kinds.length > 0 && { extensions: kinds }) }
    return [{ intent: 'look-around', score: 0.9, slots, plan: () => plan(slots) } satisfies Candidate]
  },
}

// "about" with a plural or "each": "what are the files about", "describe every document".
function asksForEach(reading: Reading): boolean {
  const nouns = nounsOf(reading)
  const names = nouns.some((n) => n.concept === 'file')
  // What a folder holds is what its files say.
  if (has(reading, 'summarise') && (nouns.some((n) => n.concept === 'folder') || saysAll.test(reading.text)))
    return true
  // "What does each file do?"
  if (
    names &&
    has(reading, 'each') &&
    /\bwhat (do|does)\b.*\b(do|hold|say|contain|contains|have|mean)\b|\bwhat is in\b/i.test(reading.text)
  )
    return true
  return (
    names &&
    has(reading, 'about', 'summarise', 'overview') &&
    (has(reading, 'each', 'about', 'summarise') || /\ball\b/i.test(reading.text))
  )
}

const saysAll = /\b(?:everything|all of (?:it|this|them)|all this|the (?:whole )?lot|the whole thing)\b/i

function asksForAll(reading: Reading): boolean {
  if (unitsOf(reading, 'fileKind').length > 0) return false
  const folder = nounsOf(reading).some((n) => n.concept === 'folder')
  if (has(reading, 'overview', 'about', 'summarise') && folder) return true
  // "tl;dr of everything in here"
  if (has(reading, 'summarise') && saysAll.test(reading.text)) return true
  const words = reading.text.toLowerCase()
  if (
    /\b(in|inside|within|contain(s|ed)?)\b.*\b(here|this folder)\b|\b(in|inside)\b.*\b(folder|directory|project|repo|repository|workspace)\b/.test(
      words,
    ) &&
    findConcept(reading, 'which', 'show', 'list', 'overview')
  )
    return true
  return has(reading, 'overview') && !asksForEach(reading)
}

function* plan(slots: {
  readonly overview: boolean
  readonly each: boolean
  readonly extensions?: readonly string[]
}): Plan<Answer> {
  const overview = slots.overview ? yield* overviewText('.') : ''
  if (!slots.each) return answered(overview)
  const { files, listing } = yield* loadCatalogue()
  const wanted = files.filter((f) => slots.extensions?.includes(extensionOf(f.path)) ?? true)
  const described = wanted.slice(0, filesDescribed)
  const glimpses = yield* glimpseAll(described.map((f) => f.path))
  const rest =
    wanted.length > described.length && `Described are the first ${described.length} files of ${listing.files}.`
  return answered(
    paragraphs(
      overview,
      'What each file says about itself (taken from its own words, not interpreted):',
      glimpseText(glimpses),
      rest,
    ),
  )
}
