import { code, inWords } from '../answer.ts'
import { extensionOf, isTableFile, loadCatalogue, stemOf } from '../files/catalogue.ts'
import { whichOne } from '../files/choose.ts'
import { mentionsIn } from '../files/mentions.ts'
import type { IntentFamily, PlanContext } from '../intent.ts'
import { has, leftOver, nounsOf, unitsOf } from '../language/grammar.ts'
import { wordsOf } from '../language/lemma.ts'
import type { Concept } from '../language/lexicon.ts'
import { isConcept, type Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { answerEach, answerFit, bestOf, fitsOf } from '../tables/fit.ts'
import { loadSchemas, type Schema } from '../tables/schema.ts'
import { scopeSlots } from './files-list.ts'

const tablesTried = 12
const concepts: readonly Concept[] = [
  'show',
  'list',
  'find',
  'where',
  'which',
  'who',
  'when',
  'count',
  'sum',
  'average',
  'median',
  'range',
  'share',
  'distinct',
  'sort',
  'ascending',
  'descending',
  'compare',
  'difference',
  'same',
  'duplicate',
  'compute',
  'overview',
  'contain',
  'row',
  'column',
  'value',
  'item',
  'name',
  'type',
  'time',
  'size',
  'line',
  'word',
  'key',
  'file',
  'largest',
  'smallest',
  'newest',
  'oldest',
  'highest',
  'lowest',
  'longest',
  'shortest',
  'top',
  'bottom',
  'first',
  'last',
  'larger',
  'smaller',
  'newer',
  'older',
  'soldOut',
  'over',
  'under',
  'atLeast',
  'atMost',
  'between',
  'after',
  'before',
  'equals',
  'not',
  'empty',
  'startsWith',
  'endsWith',
  'each',
  'per',
  'with',
  'than',
  'and',
  'or',
  'folder',
  'about',
  'level',
]

/** Questions about rows and columns: which words are columns and values, the tables in the folder tell. */
export const data: IntentFamily = {
  name: 'data',
  read(reading) {
    const kinds = ['open', 'quoted', 'path', 'number', 'date', 'size', 'fileKind', 'filler', 'sign'] as const
    if (leftOver(reading, { concepts, kinds }).length > 0 || isAboutFiles(reading)) return []
    const isNamed =
      unitsOf(reading, 'path').some((u) => isTableFile(u.text)) ||
      nounsOf(reading).some((n) => n.concept === 'row' || n.concept === 'column')
    const hasWords = reading.units.some(
      (u) => u.kind === 'open' || u.kind === 'quoted' || u.kind === 'path' || u.kind === 'fileKind',
    )
    if (!isNamed && !hasWords) return []
    const slots = { ask: asksIn(reading), ...scopeSlots(reading) }
    return [
      {
        intent: 'ask-table',
        score: isCondition(reading) ? 0.8 : isNamed && !isPlainShow(reading) ? 0.72 : 0.58,
        slots,
        plan: (context) => plan(reading, context),
      },
    ]
  },
}

// "whose name contains an", "where status is open": a condition on rows.
function isCondition(reading: Reading): boolean {
  const isClause = reading.units.some(
    (u, at) => at > 0 && isConcept(u, 'with', 'where') && /^(whose|where)$/i.test(u.text),
  )
  return isClause && has(reading, 'contain', 'startsWith', 'endsWith')
}

// "Print products.json" asks for the file as it is.
function isPlainShow(reading: Reading): boolean {
  return reading.units.every(
    (u) =>
      u.kind === 'path' ||
      u.kind === 'filler' ||
      u.kind === 'sign' ||
      isConcept(u, 'show', 'overview', 'which', 'list', 'file'),
  )
}

function asksIn(reading: Reading): readonly string[] {
  const asked: readonly Concept[] = [
    'count',
    'sum',
    'average',
    'median',
    'highest',
    'lowest',
    'share',
    'distinct',
    'sort',
    'per',
    'top',
    'compare',
    'difference',
    'column',
    'duplicate',
  ]
  return asked.filter((concept) => has(reading, concept))
}

function isAboutFiles(reading: Reading): boolean {
  const nouns = nounsOf(reading)
  const isTarget = nouns.some((n) => (n.concept === 'file' || n.concept === 'folder') && n.role === 'target')
  const names =
    unitsOf(reading, 'path').length > 0 ||
    reading.units.some((u, at) => u.kind === 'open' && isConcept(reading.units[at + 1], 'file'))
  return isTarget && !names
}

// A JSON file that is one object is no table: its keys are asked for elsewhere.
function isSingleObject({ path, rowsTotal, result }: Schema): boolean {
  return extensionOf(path) === '.json' && rowsTotal === 1 && result.notes.some((note) => note.includes('one object'))
}

function* plan(reading: Reading, context: PlanContext): Plan<Answer> {
  const catalogue = yield* loadCatalogue()
  const mentions = mentionsIn(reading, catalogue)
  const missing = unitsOf(reading, 'path').filter(
    (u) => !mentions.some((m) => m.files.length > 0 && m.text.includes(u.text)),
  )
  if (missing.some((u) => isTableFile(u.text) || u.text.includes('/')))
    return declined(`There is no file ${inWords(missing.map((u) => `"${u.text}"`))} in this project.`)
  const named = mentions.filter((m) => m.by === 'named').flatMap((m) => m.files.map((f) => f.path))
  const kinds = unitsOf(reading, 'fileKind').flatMap((u) => u.extensions)
  const isWanted = (path: string) =>
    named.length > 0 ? named.includes(path) : kinds.length === 0 || kinds.includes(extensionOf(path))
  const tables = catalogue.files.map((f) => f.path).filter((path) => isTableFile(path) && isWanted(path))
  const words = new Set(reading.units.flatMap((u) => u.tokens.map((t) => t.lemma)))
  const isNamedByWord = (path: string) => wordsOf(stemOf(path)).some((w) => words.has(w))
  const tried = [...tables.filter(isNamedByWord), ...tables.filter((t) => !isNamedByWord(t))].slice(0, tablesTried)
  if (tried.length === 0) return declined('There is no CSV or JSON table in this folder that it could look in.')
  const schemas = (yield* loadSchemas(tried)).filter((s) => !isSingleObject(s))
  if (schemas.length === 0) return declined(`${inWords(tried.map(code))} cannot be read as a table.`)
  const unmet = missing.filter(
    (u) => !schemas.some((s) => s.columns.some((c) => c.words.join(' ') === wordsOf(u.text).join(' '))),
  )
  if (unmet.length > 0) return declined(`There is no file ${inWords(unmet.map((u) => `"${u.text}"`))} in this project.`)
  const fits = yield* fitsOf(reading, schemas)
  if (named.length > 1 && named.length === fits.length) return yield* answerEach(fits, context)
  const best = bestOf(fits)
  if (best.length > 1) return answered(whichOne(best.map((f) => f.schema.path)))
  const [only] = best
  return only ? yield* answerFit(only, context) : declined('There is no table that fits.')
}
