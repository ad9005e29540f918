import { amount, byteText, code, inWords, paragraphs, tableText } from '../answer.ts'
import { loadCatalogue } from '../files/catalogue.ts'
import { type Scope, scopeNoun, scopeOf } from '../files/scope.ts'
import { isContainHarmless, isJudged, scopeConcepts, scopeKinds } from '../files/scope-words.ts'
import { isFileName, noSuchFile } from '../files/target.ts'
import type { Candidate, IntentFamily, PlanContext } from '../intent.ts'
import { has, leftOver, nounsOf, unitsOf } from '../language/grammar.ts'
import { isConcept, type Reading } from '../language/reading.ts'
import { type Answer, answered, declined, outcomeError, type Plan, weakly } from '../plan.ts'
import { type FileEntry, json, type Listing, listFiles } from '../results.ts'
import { leftOutText } from './overview.ts'

const entriesShown = 100
const countedShown = 20

/** "How many CSV files are there?", "list the files changed this week", "is there a file called notes?" */
export const filesList: IntentFamily = {
  name: 'files-list',
  read(reading) {
    const targets = nounsOf(reading).filter((n) => n.role === 'target')
    const target = targets.find((n) => n.concept === 'file') ?? targets.find((n) => n.concept === 'folder')
    const isThere = asksWhetherThere.test(reading.text) && unitsOf(reading, 'open').length > 0
    const isTypes =
      has(reading, 'type') &&
      has(reading, 'count', 'which', 'distinct', 'list', 'show') &&
      unitsOf(reading, 'open').length === 0
    const wanted = target ?? (asksForNames(reading) || isThere || isTypes ? { concept: 'file' as const } : undefined)
    if (!wanted || !isContainHarmless(reading) || isJudged(reading)) return []
    const extra = [
      'count',
      'show',
      'list',
      'find',
      'where',
      'sort',
      'ascending',
      'descending',
      'contain',
      'per',
      'each',
      'empty',
      'first',
      'top',
      'newest',
      'sum',
      'distinct',
    ] as const
    if (leftOver(reading, { concepts: [...scopeConcepts, ...extra], kinds: scopeKinds }).length > 0) return []
    const kind = wanted.concept === 'folder' && !asksWhatIsInside(reading) ? 'folder' : 'file'
    const isCount = has(reading, 'count')
    if (has(reading, 'type') && unitsOf(reading, 'fileKind').length === 0)
      return kind === 'file' ? grouped(reading) : []
    const isAsked =
      isCount ||
      has(reading, 'show', 'list', 'find', 'which', 'where', 'name') ||
      asksWhetherThere.test(reading.text) ||
      /\b(are|is) there\b|\bany\b/i.test(reading.text)
    const isNarrowed =
      ['fileKind', 'size', 'date', 'glob'].some((k) => reading.units.some((u) => u.kind === k)) ||
      unitsOf(reading, 'path').some((u) => !/\.\w+$/.test(u.text)) ||
      has(reading, 'empty')
    if (!isAsked && !isNarrowed) return []
    const slots = { ask: isCount ? 'count' : 'list', kind, ...scopeSlots(reading) }
    return [
      {
        intent: isCount ? 'count-files' : 'list-files',
        score: target ? 0.7 : 0.45,
        slots,
        plan: (context) => listPlan(reading, { isCount, kind }, context),
      },
    ]
  },
}

const asksWhetherThere =
  /\b(is|are) there (a|an|any|some)\b|\b(do|does) (i|we|you|this \w+|the \w+|it) (have|contain|include) (a|an|any|some)\b|\bhave (i|we|you) got (a|an|any|some)\b/i

/** "What does the letters folder contain?": one folder is named, and what it holds is asked for. */
function asksWhatIsInside(reading: Reading): boolean {
  const at = reading.units.findIndex((u) => isConcept(u, 'folder') && !/s$/i.test(u.text))
  const beside = [reading.units[at - 1], reading.units[at + 1]]
  const isNamed = beside.some((u) => u?.kind === 'open' || u?.kind === 'path' || u?.kind === 'quoted')
  return at >= 0 && isNamed && has(reading, 'which', 'show', 'list') && !has(reading, 'find', 'where', 'name', 'count')
}

function asksForNames(reading: Reading): boolean {
  return has(reading, 'name') && has(reading, 'file') && has(reading, 'list', 'show', 'which')
}

/** The parts of the scope that are plain before anything was looked at. */
export function scopeSlots(reading: Reading): { readonly [slot: string]: readonly (string | number)[] } {
  const slots = {
    extensions: unitsOf(reading, 'fileKind').flatMap((u) => u.extensions),
    sizes: unitsOf(reading, 'size').map((u) => u.bytes),
    dates: unitsOf(reading, 'date').map((u) => u.text),
    paths: [...unitsOf(reading, 'path'), ...unitsOf(reading, 'glob')].map((u) => u.text),
    words: unitsOf(reading, 'open').map((u) => u.text),
  }
  return Object.fromEntries(Object.entries(slots).filter(([, values]) => values.length > 0))
}

function grouped(reading: Reading): readonly Candidate[] {
  const isByFolder = nounsOf(reading).some((n) => n.concept === 'folder') && !has(reading, 'type')
  if (isByFolder) return []
  return [
    {
      intent: 'files-by-type',
      score: 0.72,
      slots: scopeSlots(reading),
      plan: (context) => byTypePlan(reading, context),
    },
  ]
}

function* byTypePlan(reading: Reading, context: PlanContext): Plan<Answer> {
  const { scope, listing } = yield* listScope(reading, { kind: 'file', limit: 1 }, context)
  if (scope.unknown.length > 0) return unknownName(scope)
  const { length } = yield* json.one({ op: 'length', text: JSON.stringify(listing.byExtension) })
  const where = scope.label === '' ? 'in this folder' : scope.label
  return answered(
    paragraphs(`${amount(listing.files, 'file')} ${where}, of **${amount(length ?? 0, 'type')}**:`, typesText(listing)),
  )
}

/** A listing's own figures by extension. */
export function typesText(listing: Listing): string {
  const rows = listing.byExtension.map((t) => [
    t.extension === '' ? 'no extension' : code(t.extension),
    String(t.files),
    byteText(t.bytes),
  ])
  return tableText(['Type', 'Files', 'Size'], rows)
}

export function unknownName({ unknown }: Scope): Answer {
  if (unknown.length > 0 && unknown.every(isFileName)) return weakly(noSuchFile(unknown))
  return declined(`There is no file or folder in this project that fits ${inWords(unknown.map((w) => `"${w}"`))}.`)
}

interface ListOptions {
  readonly kind: 'file' | 'folder'
  readonly limit: number
  readonly sort?: { readonly sort: string; readonly order: string }
}

/** The files of a scope, listed; `top` is the same without folders below, undefined when only these were asked for. */
export function* listScope(
  reading: Reading,
  { kind, limit, sort }: ListOptions,
  context: PlanContext,
): Plan<{ readonly scope: Scope; readonly listing: Listing; readonly top: Listing | undefined }> {
  const scope = yield* scopeOf(reading, yield* loadCatalogue(), context)
  const here = scope.pattern === undefined ? {} : { pattern: scope.pattern.replace('**/', '') }
  const below = scope.pattern === undefined ? {} : { pattern: scope.pattern }
  const shared = { path: scope.folder, kind, limit, ...scope.filters, ...sort }
  if (has(reading, 'level')) {
    return { scope, listing: yield* listFiles.one({ ...shared, recursive: false, ...here }), top: undefined }
  }
  const [all, top] = yield* listFiles.all([
    { ...shared, recursive: true, ...below },
    { ...shared, recursive: false, ...here, limit: 1 },
  ])
  if (!all?.ok) throw outcomeError('list_files', all ?? { code: 'action.failed', message: 'no result' })
  return { scope, listing: all.value, top: top?.ok ? top.value : undefined }
}

function* listPlan(reading: Reading, asked: Asked, context: PlanContext): Plan<Answer> {
  const { isCount, kind } = asked
  const options = { kind, limit: isCount ? countedShown : entriesShown, sort: sortOf(reading) }
  const { scope, listing, top } = yield* listScope(reading, options, context)
  if (scope.unknown.length > 0) return unknownName(scope)
  const figure = kind === 'folder' ? listing.folders : listing.files
  const noun = kind === 'folder' ? 'folder' : scopeNoun(scope)
  const where = scope.label === '' ? 'in this folder' : scope.label
  const head = `There ${figure === 1 ? 'is' : 'are'} **${amount(figure, noun)}** ${where}${topNote(listing, top, kind)}.`
  const isAllShown = listing.entries.length === listing.total
  const shown = isAllShown || !isCount ? entriesText(listing.entries, kind) : ''
  const rest = !isAllShown && !isCount && `Shown are the first ${listing.entries.length}.`
  const types = scope.extensions.length > 1 && listing.byExtension.length > 1 && typesText(listing)
  return answered(paragraphs(head, types, shown, rest, leftOutText(listing)), subjectOf(scope, listing))
}

/** What "it" or "their" means after this answer: the only file found, or all files of the kind. */
function subjectOf(scope: Scope, listing: Listing): string | undefined {
  const [only] = listing.entries
  if (listing.total === 1) return only?.path
  const isPlain = scope.folder === '.' && Object.keys(scope.filters).length === 0
  if (!isPlain || (scope.pattern !== undefined && scope.extensions.length === 0)) return undefined
  return scope.extensions.length === 0 ? 'all files' : `the ${scope.extensions.join(' and ')} files`
}

interface Asked {
  readonly isCount: boolean
  readonly kind: 'file' | 'folder'
}

function topNote(listing: Listing, top: Listing | undefined, kind: 'file' | 'folder'): string {
  if (top === undefined) return ', at its top level'
  const [all, here] = kind === 'folder' ? [listing.folders, top.folders] : [listing.files, top.files]
  return all === here ? '' : `, folders below included (${here} at the top level)`
}

function entriesText(entries: readonly FileEntry[], kind: 'file' | 'folder'): string {
  if (entries.length === 0) return ''
  if (kind === 'file') return tableText(['Name', 'Size', 'Changed'], entryRows(entries))
  return tableText(
    ['Name', 'Changed'],
    entries.map((e) => [code(e.path), e.modified.slice(0, 10)]),
  )
}

function sortOf(reading: Reading): { sort: string; order: string } {
  if (/\b(newest to oldest|newest first|most recent first|latest first)\b/i.test(reading.text))
    return { sort: 'modified', order: 'desc' }
  if (/\b(oldest to newest|oldest first)\b/i.test(reading.text)) return { sort: 'modified', order: 'asc' }
  if (/\b((largest|biggest) (to smallest|first))\b/i.test(reading.text)) return { sort: 'size', order: 'desc' }
  if (/\b(smallest (to (largest|biggest)|first))\b/i.test(reading.text)) return { sort: 'size', order: 'asc' }
  if (has(reading, 'size') && has(reading, 'sort'))
    return { sort: 'size', order: has(reading, 'ascending') ? 'asc' : 'desc' }
  if ((has(reading, 'time') && has(reading, 'sort')) || has(reading, 'newest'))
    return { sort: 'modified', order: has(reading, 'ascending') ? 'asc' : 'desc' }
  return { sort: 'name', order: has(reading, 'descending') ? 'desc' : 'asc' }
}

export function entryRows(entries: readonly FileEntry[]): readonly (readonly string[])[] {
  return entries.map((e) => [code(e.path), byteText(e.bytes), e.modified.slice(0, 10)])
}
