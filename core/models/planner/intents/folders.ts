import { amount, byteText, code, paragraphs, tableText } from '../answer.ts'
import { extremeFigure } from '../figures.ts'
import { loadCatalogue } from '../files/catalogue.ts'
import { matchWords } from '../files/mentions.ts'
import { isJudged } from '../files/scope-words.ts'
import type { IntentFamily } from '../intent.ts'
import { has, leftOver, nounsOf, unitsOf } from '../language/grammar.ts'
import { wordsOf } from '../language/lemma.ts'
import { isConcept, type Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { listFiles } from '../results.ts'
import { synonymsOf } from '../tables/synonyms.ts'

const foldersLooked = 60

/** "Which folder has the most files?", "how many files are in each folder?", "how many recipes are there?" */
export const folders: IntentFamily = {
  name: 'folders',
  read(reading) {
    // "The cheapest project" and "the best project" are no folders: only plain size and number rank them.
    const isOfOtherKind = reading.units.some(
      (u) => isConcept(u, 'highest', 'lowest') && u.tokens.some((t) => synonymsOf(t.lemma).length > 0),
    )
    const isPerFolder =
      !isOfOtherKind &&
      !isJudged(reading) &&
      nounsOf(reading).some((n) => n.concept === 'folder') &&
      has(reading, 'per', 'each', 'largest', 'smallest', 'highest', 'lowest', 'top', 'sort')
    const concepts = [
      'folder',
      'file',
      'count',
      'which',
      'per',
      'each',
      'largest',
      'smallest',
      'highest',
      'lowest',
      'top',
      'show',
      'list',
      'size',
      'contain',
      'with',
      'sum',
      'sort',
      'find',
      'item',
      'type',
      'name',
    ] as const
    if (isPerFolder && leftOver(reading, { concepts, kinds: [] }).length === 0) {
      return [
        { intent: 'folders', score: 0.79, slots: { bySize: isBySize(reading) }, plan: () => perFolderPlan(reading) },
      ]
    }
    const words = unitsOf(reading, 'open')
    const isThings =
      has(reading, 'count') &&
      words.length > 0 &&
      leftOver(reading, {
        concepts: ['count', 'which', 'show', 'sum', 'each', 'folder', 'find', 'contain'],
        kinds: ['open'],
      }).length === 0
    if (!isThings) return []
    const names = words.flatMap((u) => u.tokens.map((t) => t.text))
    return [{ intent: 'count-files-in', score: 0.4, slots: { words: names }, plan: () => thingsPlan(names) }]
  },
}

function isBySize(reading: Reading): boolean {
  return (
    has(reading, 'size') || (has(reading, 'largest', 'smallest') && !reading.units.some((u) => isConcept(u, 'file')))
  )
}

function* perFolderPlan(reading: Reading): Plan<Answer> {
  const catalogue = yield* loadCatalogue()
  const paths = catalogue.folders.map((f) => f.path).slice(0, foldersLooked)
  if (paths.length === 0) return answered('There are no folders in this project: all files stand at its top.')
  const attempts = yield* listFiles.all(paths.map((path) => ({ path, recursive: true, kind: 'file', limit: 1 })))
  const found = attempts.flatMap((a, at) =>
    a.ok ? [{ path: paths[at] ?? '', files: a.value.files, bytes: a.value.bytes }] : [],
  )
  const measure = isBySize(reading) ? ('bytes' as const) : ('files' as const)
  const rows = found.map((f) => [code(f.path), String(f.files), byteText(f.bytes)])
  const grid = tableText(['Folder', 'Files', 'Size'], rows)
  const rest = catalogue.folders.length > paths.length && `Shown are the first ${paths.length} folders.`
  const isRanked = has(reading, 'largest', 'smallest', 'highest', 'lowest', 'top')
  if (!isRanked) return answered(paragraphs('Files in each folder, those of folders below included:', grid, rest))
  const isLeast = has(reading, 'smallest', 'lowest')
  const figure = yield* extremeFigure(
    found.map((f) => f[measure]),
    isLeast ? 'min' : 'max',
  )
  const best = found.filter((f) => f[measure] === figure)
  const what = measure === 'bytes' ? byteText(figure ?? 0) : amount(figure ?? 0, 'file')
  const head = `${best.map((f) => code(f.path)).join(' and ')} ${best.length === 1 ? 'has' : 'have'} the ${isLeast ? 'least' : 'most'}: **${what}**, folders below included.`
  return answered(paragraphs(head, grid, rest))
}

/** Things that a folder is called after, or that stand in file names: "recipes", "invoices". */
function* thingsPlan(names: readonly string[]): Plan<Answer> {
  const catalogue = yield* loadCatalogue()
  const words = names.flatMap((name) => wordsOf(name))
  const [folder, other] = matchWords(words, catalogue.folders)
  if (folder && !other) {
    const listing = yield* listFiles.one({ path: folder.path, recursive: true, kind: 'file' })
    return answered(
      paragraphs(
        `${code(folder.path)} holds **${amount(listing.files, 'file')}**.`,
        listing.files <= 20 &&
          tableText(
            ['Name', 'Size'],
            listing.entries.map((e) => [code(e.path), byteText(e.bytes)]),
          ),
      ),
    )
  }
  const files = matchWords(words, catalogue.files)
  if (files.length < 2) return declined(`Nothing in this project is called "${names.join(' ')}".`)
  const listing = yield* listFiles.one({ path: '.', recursive: true, kind: 'file', pattern: `**/*${words.join('*')}*` })
  return answered(
    paragraphs(
      `**${amount(listing.files, 'file')}** ${listing.files === 1 ? 'has' : 'have'} "${words.join(' ')}" in the name.`,
      tableText(
        ['Name', 'Size'],
        listing.entries.slice(0, 50).map((e) => [code(e.path), byteText(e.bytes)]),
      ),
    ),
  )
}
