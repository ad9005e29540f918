import { amount, code, inWords, paragraphs, quote, tableText } from '../answer.ts'
import { loadCatalogue } from '../files/catalogue.ts'
import { chooseOne } from '../files/choose.ts'
import { targetOf, unknownNames } from '../files/target.ts'
import type { IntentFamily } from '../intent.ts'
import { has, leftOver, nounsOf, unitsOf } from '../language/grammar.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan, weakly } from '../plan.ts'
import { type Attempt, type SearchResult, searchFiles } from '../results.ts'
import { entryRows } from './files-list.ts'
import { type Wanted, wantedText } from './search-words.ts'

const linesShown = 40
const concepts = [
  'contain',
  'find',
  'where',
  'count',
  'which',
  'who',
  'show',
  'list',
  'file',
  'folder',
  'line',
  'word',
  'define',
  'each',
  'with',
  'name',
  'about',
  'per',
  'and',
  'item',
  'sum',
  'under',
] as const

/** "Which files mention the budget?", "how many times does TODO occur?", "where is total defined?" */
export const search: IntentFamily = {
  name: 'search',
  read(reading) {
    const wanted = wantedText(reading)
    if (!wanted || nounsOf(reading).some((n) => n.concept === 'row' || n.concept === 'column')) return []
    const around: Reading = {
      ...reading,
      units: [...reading.units.slice(0, wanted.from), ...reading.units.slice(wanted.to)],
    }
    if (leftOver(around, { concepts, kinds: ['open', 'path', 'fileKind', 'glob'] }).length > 0) return []
    const isLoose = (wanted.cue === 'count' || wanted.cue === 'ask') && !wanted.isQuoted
    if (isLoose && wanted.to - wanted.from > 2) return []
    const score = (saysSearch(reading) ? 0.78 : scores[wanted.cue]) + (has(reading, 'about') ? 0.04 : 0)
    const slots = { text: wanted.text, ask: askOf(reading), cue: wanted.cue }
    return [{ intent: 'search-text', score, slots, plan: () => plan(reading, around, wanted) }]
  },
}

const scores = { contain: 0.78, find: 0.5, count: 0.35, ask: 0.25 } as const

// "Find" may mean a file by its name; "search for" means its text.
function saysSearch(reading: Reading): boolean {
  if (has(reading, 'find') && /\b(the|a) (word|words|term|string)\b/i.test(reading.text)) return true
  return reading.units.some((u) => u.kind === 'concept' && u.concept === 'find' && /search|grep|scan/i.test(u.text))
}

type Ask = 'files' | 'lines' | 'times' | 'show'

function askOf(reading: Reading): Ask {
  const target = nounsOf(reading).find(
    (n) => n.role === 'target' && (n.concept === 'file' || n.concept === 'line'),
  )?.concept
  if (target === 'file') return 'files'
  if (has(reading, 'count')) return target === 'line' ? 'lines' : 'times'
  return 'show'
}

function* plan(reading: Reading, around: Reading, wanted: Wanted): Plan<Answer> {
  const catalogue = yield* loadCatalogue()
  const target = targetOf(around, catalogue)
  if (target.unknown.length > 0) return unknownNames(target.unknown)
  const { text } = wanted
  const named = target.mentions.flatMap((m) =>
    m.folders.length === 1 && m.by === 'words' ? m.folders : m.files.length > 0 ? m.files : m.folders,
  )
  if (wanted.cue === 'find' && !wanted.isQuoted && !saysSearch(reading)) {
    const files = targetOf({ ...reading, units: reading.units.slice(wanted.from, wanted.to) }, catalogue)
    const entries = files.unknown.length === 0 ? files.mentions.flatMap((m) => [...m.files, ...m.folders]) : []
    if (entries.length > 0)
      return answered(
        paragraphs(
          `${amount(entries.length, 'name')} ${entries.length === 1 ? 'fits' : 'fit'} "${text}":`,
          tableText(['Name', 'Size', 'Changed'], entryRows(entries)),
        ),
      )
  }
  const choice = named.length > 1 ? chooseOne(named) : undefined
  if (choice && 'question' in choice && target.mentions.length === 1) return answered(choice.question)
  const paths = named.length > 0 ? named.map((n) => n.path) : ['.']
  const pattern = patternOf(reading, target.mentions.length === 0)
  if (has(reading, 'define')) {
    const found = yield* definitionText(text, paths[0] ?? '.')
    if (found !== '') return answered(found)
  }
  return yield* searchIn({ text, paths, pattern, reading, wanted })
}

function patternOf(reading: Reading, isByKind: boolean): string | undefined {
  const glob = unitsOf(reading, 'glob')[0]?.text
  const extensions = unitsOf(reading, 'fileKind').flatMap((u) => u.extensions.map((e) => e.slice(1)))
  if (glob !== undefined) return glob
  if (!isByKind || extensions.length === 0) return undefined
  return extensions.length === 1 ? `**/*.${extensions[0]}` : `**/*.{${extensions.join(',')}}`
}

const definers =
  'def|class|function|const|let|var|type|interface|enum|struct|trait|fn|func|sub|module|procedure|table|view|macro|define'

/** Lines that look like a definition of the name in the usual languages, or a heading or entry of that name. */
function* definitionText(name: string, path: string): Plan<string> {
  const literal = name.replace(/[^\p{L}\p{N}_ ]/gu, '\\$&')
  const query = `(\\b(${definers})\\s+${literal}\\b)|(^\\s*["']?${literal}["']?\\s*[:=][^=])|(^#+ .*\\b${literal}\\b)`
  const result = yield* searchFiles.one({ query, path, regex: true })
  if (result.totalMatches === 0) return ''
  const head = `"${name}" is defined on **${amount(result.totalMatches, 'line')}** in ${amount(result.filesMatched, 'file')}, as far as the usual forms of definitions tell:`
  return paragraphs(head, linesText(result))
}

interface Search {
  readonly text: string
  readonly paths: readonly string[]
  readonly pattern: string | undefined
  readonly reading: Reading
  readonly wanted: Wanted
}

function* searchIn({ text, paths, pattern, reading, wanted }: Search): Plan<Answer> {
  const isWord = /^[\p{L}\p{N}_]+$/u.test(text)
  const queries = [text, ...(isWord && /[^s]s$/.test(text) ? [text.slice(0, -1)] : [])]
  for (const query of queries) {
    const calls = paths.flatMap((path) => [{ path, wholeWord: false }, ...(isWord ? [{ path, wholeWord: true }] : [])])
    const results = yield* searchFiles.all(
      calls.map((c) => ({ query, ...c, ...(pattern !== undefined && { pattern }) })),
    )
    const failed = results.find((r) => !r.ok)
    if (failed?.ok === false) return answered(`The search did not work: ${failed.message}`)
    const parts = results.filter((_, at) => calls[at]?.wholeWord === false)
    const whole = results.filter((_, at) => calls[at]?.wholeWord === true)
    const isFound = parts.some((r) => r.ok && r.value.totalOccurrences > 0)
    if (isFound)
      return answered(
        paragraphs(
          ...parts.map((r, at) =>
            resultText(query, r, whole[at], { path: paths[at] ?? '.', pattern, ask: askOf(reading) }),
          ),
        ),
      )
  }
  if (!wanted.isQuoted && /\s(?:and|or)\s/i.test(text))
    return declined(`It looks for one text at a time, and "${text}" does not occur as it stands.`)
  if (wanted.cue !== 'contain' && !wanted.isQuoted)
    return declined(`Nothing in this project is called or mentions "${text}".`)
  const where = pattern
    ? ` in files that match ${code(pattern)}`
    : paths[0] === '.'
      ? ' in the files of this folder'
      : ` in ${inWords(paths.map(code))}`
  return weakly(`"${text}" does not occur${where}: **0** matches.`)
}

interface Place {
  readonly path: string
  readonly pattern: string | undefined
  readonly ask: Ask
}

function resultText(
  query: string,
  part: Attempt<SearchResult> | undefined,
  whole: Attempt<SearchResult> | undefined,
  { path, pattern, ask }: Place,
): string {
  if (!part?.ok) return ''
  const result = part.value
  const where =
    path === '.'
      ? `${amount(result.filesMatched, 'file')} (${result.filesSearched} searched${pattern ? `, ${code(pattern)}` : ''})`
      : code(path)
  const head = `"${query}" occurs **${amount(result.totalOccurrences, 'time')}** on **${amount(result.totalMatches, 'line')}** in **${where}**, whatever the case.`
  const isDifferent = whole?.ok && whole.value.totalOccurrences !== result.totalOccurrences
  const asWord =
    isDifferent &&
    `As a whole word: ${amount(whole.value.totalOccurrences, 'time')} on ${amount(whole.value.totalMatches, 'line')} in ${amount(whole.value.filesMatched, 'file')}.`
  const files =
    path === '.' &&
    tableText(
      ['File', 'Lines', 'Times'],
      result.files.map((f) => [code(f.path), String(f.matches), String(f.occurrences)]),
    )
  const lines = ask === 'times' && result.totalMatches > linesShown ? '' : linesText(result)
  const skipped =
    result.skippedTotal > 0 &&
    `Not searched: ${amount(result.skippedTotal, 'file')} that ${result.skippedTotal === 1 ? 'is' : 'are'} no readable text (${inWords(result.skipped.slice(0, 5).map((s) => code(s.path)))}).`
  return paragraphs(head, asWord, files, lines, skipped, result.note)
}

function linesText(result: SearchResult): string {
  const shown = result.matches.slice(0, linesShown)
  const list = shown.map((m) => `- ${code(m.path)} line ${m.line}: ${quote(m.text, 200)}`).join('\n')
  return shown.length < result.totalMatches ? `${list}\n\nShown are the first ${shown.length} lines.` : list
}
