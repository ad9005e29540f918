import { block, code, paragraphs } from '../answer.ts'
import { extensionOf, isTableFile, loadCatalogue } from '../files/catalogue.ts'
import { chooseOne } from '../files/choose.ts'
import type { Mention } from '../files/mentions.ts'
import { targetOf, unknownNames } from '../files/target.ts'
import type { IntentFamily } from '../intent.ts'
import { has, leftOver, unitsOf } from '../language/grammar.ts'
import { isConcept, type Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { calculate, type FileReading, fileFacts, readFile, table } from '../results.ts'
import { rowsText } from '../tables/show.ts'
import { scopeSlots } from './files-list.ts'
import { overviewText } from './overview.ts'

const linesShown = 200
const defaultEnds = 10

/** Which lines: a stretch from the start, a stretch at the end, or all. */
type LineRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'from'; readonly line: number; readonly lines: number | null }
  | { readonly kind: 'tail'; readonly lines: number }

/** "Show me orders.csv", "lines 10 to 20 of app.log", "the first five lines of the readme". */
export const read: IntentFamily = {
  name: 'read',
  read(reading) {
    const isAsked = has(
      reading,
      'show',
      'which',
      'list',
      'overview',
      'line',
      'first',
      'last',
      'begin',
      'tail',
      'contain',
    )
    const isNamed = reading.units.some((u) => ['open', 'path', 'quoted', 'fileKind'].includes(u.kind))
    const range = rangeOf(reading)
    if (!isAsked || !isNamed || !range) return []
    const concepts = [
      'show',
      'which',
      'list',
      'find',
      'overview',
      'line',
      'first',
      'last',
      'begin',
      'tail',
      'top',
      'bottom',
      'file',
      'folder',
      'and',
      'between',
      'after',
      'each',
      'contain',
      'word',
      'item',
      'name',
      'before',
    ] as const
    if (leftOver(reading, { concepts, kinds: ['open', 'path', 'quoted', 'fileKind', 'number'] }).length > 0) return []
    const slots = { range: { ...range }, ...scopeSlots(reading) }
    return [{ intent: 'read-file', score: range.kind === 'all' ? 0.6 : 0.82, slots, plan: () => plan(reading, range) }]
  },
}

/** The lines that are asked for; undefined when numbers stand for something else. */
function rangeOf(reading: Reading): LineRange | undefined {
  const numbers = unitsOf(reading, 'number').map((u) => Number(u.value))
  const isTail = has(reading, 'last', 'tail', 'bottom')
  const isHead = has(reading, 'first', 'begin', 'top')
  const [first, second] = numbers
  if (isTail && second === undefined) return { kind: 'tail', lines: first ?? (isSingleLine(reading) ? 1 : defaultEnds) }
  if (isHead && second === undefined)
    return { kind: 'from', line: 1, lines: first ?? (isSingleLine(reading) ? 1 : defaultEnds) }
  if (first === undefined) return has(reading, 'line') && has(reading, 'first') ? undefined : { kind: 'all' }
  if (!has(reading, 'line')) return undefined
  if (second !== undefined)
    return second >= first ? { kind: 'from', line: first, lines: second - first + 1 } : undefined
  const isOpenEnded = has(reading, 'after') || /\b(from line \d+( on(wards)?| to the end)?)\b/i.test(reading.text)
  return { kind: 'from', line: first, lines: isOpenEnded ? null : 1 }
}

function isSingleLine(reading: Reading): boolean {
  return reading.units.some((u) => isConcept(u, 'line') && u.text.toLowerCase() === 'line')
}

function* plan(reading: Reading, range: LineRange): Plan<Answer> {
  const target = targetOf(reading, yield* loadCatalogue())
  if (target.unknown.length > 0) return unknownNames(target.unknown)
  const files = target.mentions.filter((m) => m.files.length > 0)
  const folder = target.mentions.flatMap((m) => m.folders)[0]
  if (files.length === 0)
    return folder ? answered(yield* overviewText(folder.path)) : declined('It is not clear which file is meant.')
  const texts: string[] = []
  for (const mention of files) {
    const choice = chooseOne(mention.files)
    if (choice && 'question' in choice) return answered(choice.question)
    if (choice && isAboutRows(reading, choice.file.path, { range, mention }))
      return declined('Rows of a table are asked for.')
    if (!choice) continue
    const isText = yield* isTextFile(choice.file.path)
    if (!isText) return declined(`${code(choice.file.path)} is not a text: there is nothing in it to read out.`)
    texts.push(yield* showFile(choice.file.path, range))
  }
  return answered(paragraphs(...texts))
}

function* isTextFile(path: string): Plan<boolean> {
  const facts = yield* fileFacts.one({ paths: [path], hash: false })
  return facts.files[0]?.type !== 'binary'
}

// "The last three orders", "list the products": rows of a table, not lines of its file.
function isAboutRows(
  reading: Reading,
  path: string,
  { range, mention }: { readonly range: LineRange; readonly mention: Mention },
): boolean {
  if (!isTableFile(path) || has(reading, 'line')) return false
  return range.kind !== 'all' || (mention.by === 'words' && !has(reading, 'file', 'overview'))
}

/** A file's text or rows, with what was left out. */
function* showFile(path: string, range: LineRange): Plan<string> {
  if (range.kind === 'all' && /^\.(csv|tsv)$/.test(extensionOf(path))) {
    return rowsText(yield* table.one({ path, limit: 50 }), path)
  }
  if (range.kind === 'tail') return yield* showTail(path, range.lines)
  const lines = range.kind === 'from' ? range.lines : null
  const reading = yield* readFile.one({
    path,
    fromLine: range.kind === 'from' ? range.line : 1,
    lines: lines ?? linesShown,
  })
  return readingText(reading)
}

function* showTail(path: string, lines: number): Plan<string> {
  const { totalLines } = yield* readFile.one({ path, lines: 1 })
  const { value } = yield* calculate.one({ expression: `max(1, ${totalLines} - ${lines} + 1)` })
  return readingText(yield* readFile.one({ path, fromLine: value ?? 1, lines }))
}

function readingText({ path, text, fromLine, toLine, totalLines, nextLine }: FileReading): string {
  if (totalLines === 0) return `${code(path)} is empty.`
  const which = fromLine === toLine ? `line ${fromLine}` : `lines ${fromLine} to ${toLine}`
  const all = fromLine === 1 && nextLine === null
  return paragraphs(`${code(path)}, ${all ? `all ${totalLines} lines` : `${which} of ${totalLines}`}:`, block(text))
}
