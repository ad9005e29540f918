import { amount, byteText, code, inWords, paragraphs, tableText, timeText } from '../answer.ts'
import { loadCatalogue } from '../files/catalogue.ts'
import { chooseOne } from '../files/choose.ts'
import { scopeNoun, scopeOf } from '../files/scope.ts'
import { scopeConcepts, scopeKinds } from '../files/scope-words.ts'
import { targetOf, unknownNames } from '../files/target.ts'
import type { IntentFamily, PlanContext } from '../intent.ts'
import { has, leftOver, nounsOf } from '../language/grammar.ts'
import type { Concept } from '../language/lexicon.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { calculate, type FileFact, type FileFacts, fileFacts } from '../results.ts'
import { listScope, scopeSlots, typesText, unknownName } from './files-list.ts'

const measures = ['size', 'line', 'word', 'character', 'time', 'hash'] as const
type Measure = (typeof measures)[number]
const extraConcepts: readonly Concept[] = [
  'count',
  'sum',
  'show',
  'list',
  'when',
  'line',
  'word',
  'character',
  'hash',
  'average',
  'find',
  'last',
  'each',
  'contain',
  'overview',
  'per',
  'compute',
  'newest',
]

/** "How big is orders.csv?", "how many words do the notes have?", "total size of this folder". */
export const facts: IntentFamily = {
  name: 'facts',
  read(reading) {
    const asked = measuresOf(reading)
    // "Find the word budget" looks for a text.
    const isSearch = has(reading, 'find') && !has(reading, 'count', 'sum', 'average', 'size')
    const isBlocked =
      isSearch ||
      has(reading, 'over', 'under', 'atLeast', 'atMost', 'largest', 'smallest') ||
      nounsOf(reading).some((n) => n.concept === 'row' || n.concept === 'column')
    if (asked.length === 0 || isBlocked) return []
    if (
      leftOver(reading, {
        concepts: [...scopeConcepts, ...extraConcepts],
        kinds: scopeKinds.filter((k) => k !== 'size' && k !== 'number'),
      }).length > 0
    )
      return []
    const slots = { measures: asked, ...scopeSlots(reading) }
    return [{ intent: 'file-facts', score: 0.75, slots, plan: (context) => plan(reading, asked, context) }]
  },
}

function measuresOf(reading: Reading): readonly Measure[] {
  const nouns = nounsOf(reading)
  const target = (measure: Measure) =>
    nouns.some((n) => n.concept === measure && (n.role === 'target' || has(reading, 'average', 'sum', 'count')))
  const found = measures.filter(target)
  // "What changed in the changelog" does not ask when.
  const asksWhen = has(reading, 'when') || /\b(last|date|time|recently)\b/i.test(reading.text)
  const isPeriod = reading.units.some((u) => u.kind === 'date') && !has(reading, 'when')
  return found.filter((m) => m !== 'time' || (asksWhen && !isPeriod))
}

function* plan(reading: Reading, asked: readonly Measure[], context: PlanContext): Plan<Answer> {
  const catalogue = yield* loadCatalogue()
  const target = targetOf(reading, catalogue)
  if (target.unknown.length > 0) return unknownNames(target.unknown)
  const named = target.mentions.filter((m) => m.files.length > 0 && !(m.folders.length > 0 && m.by === 'words'))
  if (named.length === 0) return yield* ofScope(reading, asked, context)
  const paths: string[] = []
  for (const mention of named) {
    const choice = chooseOne(mention.files)
    if (choice && 'question' in choice) return answered(choice.question)
    if (choice) paths.push(choice.file.path)
  }
  const result = yield* fileFacts.one({ paths: [...new Set(paths)], hash: asked.includes('hash') })
  const [first] = result.files
  if (result.files.length === 1 && first) return answered(oneText(first, asked, result), first.path)
  return answered(paragraphs(factsTable(result, asked), totalsText(result, asked)))
}

function oneText(fact: FileFact, asked: readonly Measure[], result: FileFacts): string {
  const parts = asked.map((measure) => measureText(fact, measure))
  const why = result.errors.map((e) => e.message)
  const known = parts.filter((p) => p !== undefined)
  const missing =
    parts.length > known.length &&
    `${code(fact.path)} is not a text that can be counted${why.length > 0 ? `: ${why.join(' ')}` : '.'}`
  return paragraphs(known.length > 0 && `${code(fact.path)} ${inWords(known)}.`, missing)
}

function measureText(fact: FileFact, measure: Measure): string | undefined {
  switch (measure) {
    case 'size':
      return `is **${byteText(fact.bytes)}**`
    case 'line':
      return fact.lines === undefined ? undefined : `has **${amount(fact.lines, 'line')}**`
    case 'word':
      return fact.words === undefined ? undefined : `has **${amount(fact.words, 'word')}**`
    case 'character':
      return fact.characters === undefined ? undefined : `has **${amount(fact.characters, 'character')}**`
    case 'time':
      return `was last changed on **${timeText(fact.modified)}**`
    case 'hash':
      return fact.sha256 === undefined ? undefined : `has the SHA-256 ${code(fact.sha256)}`
  }
}

function factsTable(result: FileFacts, asked: readonly Measure[]): string {
  const cell = (fact: FileFact, measure: Measure): string => {
    const figures = {
      size: byteText(fact.bytes),
      line: fact.lines,
      word: fact.words,
      character: fact.characters,
      time: timeText(fact.modified),
      hash: fact.sha256,
    }
    return String(figures[measure] ?? 'not text')
  }
  return tableText(
    ['Name', ...asked.map((m) => titles[m])],
    result.files.map((f) => [code(f.path), ...asked.map((m) => cell(f, m))]),
  )
}

const titles: Readonly<Record<Measure, string>> = {
  size: 'Size',
  line: 'Lines',
  word: 'Words',
  character: 'Characters',
  time: 'Changed',
  hash: 'SHA-256',
}

function totalsText(result: FileFacts, asked: readonly Measure[]): string {
  const parts = asked.flatMap((m) =>
    m === 'size'
      ? [byteText(result.bytes)]
      : m === 'line'
        ? [amount(result.lines, 'line')]
        : m === 'word'
          ? [amount(result.words, 'word')]
          : [],
  )
  const failed = result.errors.map((e) => `${code(e.path)}: ${e.message}`)
  const skipped = failed.length > 0 && `Not counted: ${failed.slice(0, 10).join('; ')}.`
  return paragraphs(
    parts.length > 0 && `Together: **${inWords(parts)}** in ${amount(result.total, 'file')}.`,
    skipped,
    !result.complete && 'Not all files could be looked at.',
  )
}

const rowsShown = 30

function* ofScope(reading: Reading, asked: readonly Measure[], context: PlanContext): Plan<Answer> {
  if (asked.includes('time') || asked.includes('hash')) return declined('It is not clear which file is meant.')
  if (asked.includes('character') && !has(reading, 'each')) return declined('It is not clear which file is meant.')
  if (asked.every((m) => m === 'size')) return yield* sizeOfScope(reading, context)
  const scope = yield* scopeOf(reading, yield* loadCatalogue(), context)
  const result = yield* fileFacts.one({
    path: scope.folder,
    hash: false,
    ...(scope.pattern !== undefined && { pattern: scope.pattern }),
  })
  if (result.total === 0) return declined(`There are no ${scopeNoun(scope)}s ${scope.label}.`.replace(' .', '.'))
  const rows = result.files.length <= rowsShown ? factsTable(result, asked) : ''
  const average = has(reading, 'average') ? yield* averageText(result, asked) : ''
  return answered(paragraphs(average, totalsText(result, asked), rows))
}

function* averageText(result: FileFacts, asked: readonly Measure[]): Plan<string> {
  const sum = asked[0] === 'word' ? result.words : result.lines
  const { result: mean } = yield* calculate.one({ expression: `round(${sum} / ${result.total}, 2)` })
  return `On average a file has **${mean}** ${asked[0] === 'word' ? 'words' : 'lines'} (${sum} ÷ ${result.total}).`
}

function* sizeOfScope(reading: Reading, context: PlanContext): Plan<Answer> {
  const { scope, listing } = yield* listScope(
    reading,
    { kind: 'file', limit: 20, sort: { sort: 'size', order: 'desc' } },
    context,
  )
  if (scope.unknown.length > 0) return unknownName(scope)
  const where = scope.label === '' ? 'in this folder' : scope.label
  if (has(reading, 'average') && listing.files > 0) {
    const { result } = yield* calculate.one({ expression: `round(${listing.bytes} / ${listing.files}, 2)` })
    return answered(
      `The ${amount(listing.files, scopeNoun(scope))} ${where} have **${result} bytes** on average (${listing.bytes} ÷ ${listing.files}).`,
    )
  }
  const head = `The ${amount(listing.files, scopeNoun(scope))} ${where} ${listing.files === 1 ? 'takes' : 'take'} **${byteText(listing.bytes)}**${listing.files === 1 ? '' : ' together'}.`
  const rows = listing.entries.map((e) => [code(e.path), byteText(e.bytes)])
  const largest = listing.files > listing.entries.length ? 'The largest of them:' : ''
  return answered(
    paragraphs(head, listing.byExtension.length > 1 && typesText(listing), largest, tableText(['Name', 'Size'], rows)),
  )
}
