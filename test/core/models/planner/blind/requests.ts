import {
  bare,
  baseName,
  bytesOf,
  cell,
  day,
  daysBetween,
  extensionOf,
  figure,
  groups,
  headings,
  later,
  linesOf,
  mean,
  median,
  number,
  objectsOf,
  occurrences,
  otherWeekdays,
  type Row,
  rowsOf,
  sentences,
  size,
  sum,
  textOf,
  weekday,
  wordCounts,
} from './count.ts'
import type { Folder, Slots } from './folders.ts'

/** Each entry of `must` is a list of alternatives, one of which the answer has to hold; see `missing`. */
export type Expectation = {
  readonly must: readonly (readonly string[])[]
  readonly mustNot?: readonly string[]
}

export type Area = 'look' | 'find' | 'read' | 'summarise' | 'count' | 'reckon' | 'remember' | 'help'

export type Request = {
  readonly id: string
  readonly area: Area
  readonly text: (f: Slots) => string
  readonly expect: (folder: Folder) => Expectation
  /** The request that has to be sent before it in the same chat. */
  readonly after?: string
}

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .toLowerCase()

const holds = (answer: string, wanted: string): boolean => {
  const escaped = plain(wanted).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const before = /^\d/.test(wanted) ? '(?<!\\d)(?<!\\d[.,])' : ''
  const behind = /\d$/.test(wanted) ? '(?!\\d)(?![.,]\\d)' : ''
  return new RegExp(before + escaped + behind).test(plain(answer))
}

/** What an answer lacks or must not say; case and spacing do not matter, and a figure is matched as a whole. */
export const missing = (answer: string, { must, mustNot = [] }: Expectation): readonly string[] => [
  ...must
    .filter((ways) => !ways.some((way) => holds(answer, way)))
    .map((ways) => `lacks ${ways.slice(0, 4).join(' | ')}`),
  ...mustNot.filter((text) => holds(answer, text)).map((text) => `must not say ${text}`),
]

const each = (texts: readonly string[]): Expectation['must'] => texts.map((text) => [text])

const stem = (name: string): string => name.replace(/\.[^.]+$/, '')

const paths = (folder: Folder): readonly string[] => Object.keys(folder.files)

const withExtension = (folder: Folder, extension: string): readonly string[] =>
  paths(folder).filter((path) => extensionOf(path) === extension)

const names = (list: readonly string[]): Expectation['must'] => each([...new Set(list.map(baseName))])

const bySize = (folder: Folder): readonly string[] =>
  paths(folder).toSorted((a, b) => bytesOf(folder.files[b] ?? '') - bytesOf(folder.files[a] ?? ''))

const byChange = (folder: Folder): readonly string[] =>
  paths(folder).toSorted((a, b) => (folder.modified[b] ?? '').localeCompare(folder.modified[a] ?? ''))

const at = (list: readonly string[], index: number): string => list.at(index) ?? ''

const holding = (folder: Folder, test: (text: string) => boolean): readonly string[] =>
  paths(folder).filter((path) => test(folder.files[path] ?? ''))

const main = (folder: Folder): readonly Row[] => rowsOf(folder, folder.slots.table)

const amounts = (folder: Folder, keep: (row: Row) => boolean = () => true): readonly number[] =>
  main(folder)
    .filter(keep)
    .map((row) => number(row, folder.slots.amount))

const hasValue = (folder: Folder) => (row: Row) => cell(row, folder.slots.category) === folder.slots.value

const ranked = (folder: Folder): readonly (readonly string[])[] =>
  main(folder)
    .toSorted((a, b) => number(b, folder.slots.amount) - number(a, folder.slots.amount))
    .map((row) => folder.slots.keys.map((key) => cell(row, key)))

const perCategory = (folder: Folder): readonly (readonly [string, readonly number[]])[] =>
  [...groups(main(folder), (row) => cell(row, folder.slots.category))].map(([name, rows]) => [
    name,
    rows.map((row) => number(row, folder.slots.amount)),
  ])

const noteLines = (folder: Folder): readonly string[] => linesOf(textOf(folder, folder.slots.note)).map(bare)

const told = (lines: readonly string[]): Expectation['must'] => each(lines.filter((line) => line !== ''))

const one = (value: number): Expectation => ({ must: [figure(value)] })

const spoken: Readonly<Record<string, readonly string[]>> = {
  md: ['md', 'Markdown'],
  txt: ['txt', 'text'],
  ts: ['.ts', 'ts', 'TypeScript'],
}

const kept = ['remember', 'noted', 'note', 'saved', 'stored', 'kept', 'keep', 'written', 'wrote']

export const requests: readonly Request[] = [
  // Look around
  {
    id: 'look-what',
    area: 'look',
    text: () => "Hi! Could you tell me what's in this folder, please?",
    expect: (folder) => ({
      must: each([...new Set(paths(folder).flatMap((path) => (path.includes('/') ? [path.split('/')[0] ?? ''] : [])))]),
    }),
  },
  {
    id: 'look-list',
    area: 'look',
    text: () => 'list all the files',
    expect: (folder) => ({ must: names(paths(folder)) }),
  },
  {
    id: 'look-count',
    area: 'look',
    text: () => 'how many files have I got here altogether',
    expect: (folder) => one(paths(folder).length),
  },
  {
    id: 'look-kinds',
    area: 'look',
    text: () => 'What types of files are in here?',
    expect: (folder) => ({
      must: [...new Set(paths(folder).map(extensionOf))].filter(Boolean).map((kind) => spoken[kind] ?? [kind]),
    }),
  },
  {
    id: 'look-size',
    area: 'look',
    text: (f) => `whats the size of ${f.note}`,
    expect: (folder) => ({ must: [size(bytesOf(textOf(folder, folder.slots.note)))] }),
  },
  {
    id: 'look-about',
    area: 'look',
    text: (f) => `What is ${f.story} about?`,
    expect: (folder) => {
      const text = textOf(folder, folder.slots.story)
      return { must: [[bare(linesOf(text)[0] ?? ''), ...sentences(text)]] }
    },
  },
  {
    id: 'look-subfolder',
    area: 'look',
    text: (f) => `show me what's inside the ${f.subfolder} folder`,
    expect: (folder) => ({
      must: names(
        paths(folder).filter((path) => path.startsWith(`${folder.slots.subfolder}/`) && path.split('/').length === 2),
      ),
    }),
  },
  // Find
  {
    id: 'find-type',
    area: 'find',
    text: () => 'Which CSVs are there?',
    expect: (folder) => ({ must: names(withExtension(folder, 'csv')), mustNot: [folder.slots.note] }),
  },
  {
    id: 'find-name',
    area: 'find',
    text: (f) => `is there any file with ${f.namePart} in the name`,
    expect: (folder) => ({
      must: names(paths(folder).filter((path) => baseName(path).includes(folder.slots.namePart))),
    }),
  },
  {
    id: 'find-biggest',
    area: 'find',
    text: () => "what's the biggest file in here?",
    expect: (folder) => ({ must: names(bySize(folder).slice(0, 1)) }),
  },
  {
    id: 'find-over-size',
    area: 'find',
    text: (f) => `Find files bigger than ${f.sizeLimit} bytes.`,
    expect: (folder) => ({
      must: names(holding(folder, (text) => bytesOf(text) > folder.slots.sizeLimit)),
      mustNot: [folder.slots.bare],
    }),
  },
  {
    id: 'find-smallest',
    area: 'find',
    text: () => 'smallest file?',
    expect: (folder) => ({ must: names(bySize(folder).slice(-1)) }),
  },
  {
    id: 'find-newest',
    area: 'find',
    text: () => 'which file was changed most recently?',
    expect: (folder) => ({ must: names(byChange(folder).slice(0, 1)) }),
  },
  {
    id: 'find-oldest',
    area: 'find',
    text: () => 'Show me the three oldest files please',
    expect: (folder) => ({ must: names(byChange(folder).slice(-3)), mustNot: [baseName(at(byChange(folder), 0))] }),
  },
  {
    id: 'find-changed-after',
    area: 'find',
    text: (f) => `files modified after ${f.changedAfter}`,
    expect: (folder) => {
      const isLater = (path: string): boolean => (folder.modified[path] ?? '') > `${folder.slots.changedAfter}T23:59`
      return { must: names(paths(folder).filter(isLater)), mustNot: [baseName(at(byChange(folder), -1))] }
    },
  },
  {
    id: 'find-duplicates',
    area: 'find',
    text: () => 'Do I have any duplicate files?',
    expect: (folder) => ({
      must: names(
        [...groups(paths(folder), (path) => folder.files[path] ?? '').values()].filter((set) => set.length > 1).flat(),
      ),
    }),
  },
  {
    id: 'find-word-where',
    area: 'find',
    text: (f) => `where does the word ${f.word} appear`,
    expect: (folder) => ({ must: names(holding(folder, (text) => occurrences(text, folder.slots.word) > 0)) }),
  },
  {
    id: 'find-word-often',
    area: 'find',
    text: (f) => `How often is "${f.word}" mentioned across all files?`,
    expect: (folder) => one(sum(Object.values(folder.files).map((text) => occurrences(text, folder.slots.word)))),
  },
  {
    id: 'find-phrase',
    area: 'find',
    text: (f) => `Which files mention '${f.phrase}'?`,
    expect: (folder) => ({
      must: names(holding(folder, (text) => text.includes(folder.slots.phrase))),
      mustNot: [folder.slots.bare].filter((name) => !textOf(folder, name).includes(folder.slots.phrase)),
    }),
  },
  // Read
  {
    id: 'read-story',
    area: 'read',
    text: (f) => `Please open ${f.story} and show me what it says`,
    expect: (folder) => ({ must: told(linesOf(textOf(folder, folder.slots.story)).map(bare)) }),
  },
  {
    id: 'read-bare',
    area: 'read',
    text: (f) => `read ${f.bare}`,
    expect: (folder) => ({ must: told(linesOf(textOf(folder, folder.slots.bare))) }),
  },
  {
    id: 'read-head',
    area: 'read',
    text: (f) => `show me the first 3 lines of ${f.note}`,
    expect: (folder) => {
      const lines = noteLines(folder)
      return { must: told(lines.slice(0, 3)), mustNot: [at(lines, 7)] }
    },
  },
  {
    id: 'read-tail',
    area: 'read',
    text: (f) => `gimme the last two lines of ${f.note}`,
    expect: (folder) => {
      const lines = noteLines(folder)
      return { must: told(lines.slice(-2)), mustNot: [at(lines, 5)] }
    },
  },
  {
    id: 'read-range',
    area: 'read',
    text: (f) => `Lines 5-7 of ${f.note}, please.`,
    expect: (folder) => {
      const lines = noteLines(folder)
      return { must: told(lines.slice(4, 7)), mustNot: [at(lines, 8)] }
    },
  },
  {
    id: 'read-columns',
    area: 'read',
    text: (f) => `what columns does ${stem(f.table)} have?`,
    expect: (folder) => ({ must: each(headings(folder, folder.slots.table)) }),
  },
  {
    id: 'read-rows',
    area: 'read',
    text: (f) => `Show the first 5 rows of ${f.table}`,
    expect: (folder) => ({
      must: main(folder)
        .slice(0, 5)
        .map((row) => folder.slots.keys.map((key) => cell(row, key))),
    }),
  },
  // Summarise
  {
    id: 'summarise-note',
    area: 'summarise',
    text: (f) => `Can you summarize ${f.note} for me?`,
    expect: (folder) => ({ must: [sentences(textOf(folder, folder.slots.note))] }),
  },
  {
    id: 'summarise-story',
    area: 'summarise',
    text: (f) => `give me a short summary of ${f.story}`,
    expect: (folder) => ({ must: [sentences(textOf(folder, folder.slots.story))] }),
  },
  {
    id: 'summarise-folder',
    area: 'summarise',
    text: () => 'summarise the whole folder in a few sentences',
    expect: (folder) => ({
      must: [
        [...withExtension(folder, 'md'), ...withExtension(folder, 'txt')].flatMap((path) => {
          const text = folder.files[path] ?? ''
          return text === '' ? [] : sentences(text)
        }),
      ],
    }),
  },
  // Count, add up, compare, group and sort
  {
    id: 'count-lines',
    area: 'count',
    text: (f) => `how many lines does ${f.note} have`,
    expect: (folder) => one(noteLines(folder).length),
  },
  {
    id: 'count-words',
    area: 'count',
    text: (f) => `Word count of ${f.note}?`,
    expect: (folder) => ({ must: [wordCounts(textOf(folder, folder.slots.note)).flatMap(figure)] }),
  },
  {
    id: 'count-rows',
    area: 'count',
    text: (f) => `Number of rows in ${f.table}`,
    expect: (folder) => one(main(folder).length),
  },
  {
    id: 'count-md-lines',
    area: 'count',
    text: () => "What's the total number of lines in all the .md files?",
    expect: (folder) =>
      one(
        sum(
          withExtension(folder, 'md').map((path) => {
            const text = folder.files[path] ?? ''
            return text === '' ? 0 : linesOf(text).length
          }),
        ),
      ),
  },
  {
    id: 'sum-column',
    area: 'count',
    text: (f) => `what do all the ${f.amountLoose} in ${f.table} add up to?`,
    expect: (folder) => one(sum(amounts(folder))),
  },
  {
    id: 'average-column',
    area: 'count',
    text: (f) => `Average ${f.amount.toLowerCase()} in ${f.table}`,
    expect: (folder) => one(mean(amounts(folder))),
  },
  {
    id: 'max-column',
    area: 'count',
    text: (f) => `what's the highest ${f.amount} in ${stem(f.table)}?`,
    expect: (folder) => one(Math.max(...amounts(folder))),
  },
  {
    id: 'min-column',
    area: 'count',
    text: (f) => `tell me the smallest ${f.amount.toLowerCase()} in ${f.table.toLowerCase()}`,
    expect: (folder) => one(Math.min(...amounts(folder))),
  },
  {
    id: 'median-column',
    area: 'count',
    text: (f) => `I need the median of the ${f.amount} column in ${f.table}.`,
    expect: (folder) => one(median(amounts(folder))),
  },
  {
    id: 'sum-where',
    area: 'count',
    text: (f) => `Total ${f.amount} in ${f.table} where ${f.category} is ${f.value}`,
    expect: (folder) => one(sum(amounts(folder, hasValue(folder)))),
  },
  {
    id: 'count-where',
    area: 'count',
    text: (f) => `how many rows in ${f.table} have ${f.value.toLowerCase()} as the ${f.per}?`,
    expect: (folder) => one(main(folder).filter(hasValue(folder)).length),
  },
  {
    id: 'count-over',
    area: 'count',
    text: (f) => `How many rows of ${f.table} have ${f.amount} over ${f.threshold}?`,
    expect: (folder) => one(amounts(folder).filter((value) => value > folder.slots.threshold).length),
  },
  {
    id: 'sum-per',
    area: 'count',
    text: (f) => `total ${f.amount.toLowerCase()} per ${f.per} in ${f.table}`,
    expect: (folder) => ({ must: perCategory(folder).flatMap(([name, values]) => [[name], figure(sum(values))]) }),
  },
  {
    id: 'count-per',
    area: 'count',
    text: (f) => `Can you count the rows in ${f.table} by ${f.per}?`,
    expect: (folder) => ({ must: perCategory(folder).flatMap(([name, values]) => [[name], figure(values.length)]) }),
  },
  {
    id: 'best-group',
    area: 'count',
    text: (f) => `which ${f.per} has the highest total ${f.amount} in ${f.table}, and how much is it?`,
    expect: (folder) => {
      const sums = perCategory(folder).map(([name, values]) => ({ name, total: sum(values) }))
      const best = Math.max(...sums.map((group) => group.total))
      return { must: [sums.filter((group) => group.total === best).map((group) => group.name), figure(best)] }
    },
  },
  {
    id: 'top-five',
    area: 'count',
    text: (f) => `top five rows in ${f.table} by ${f.amount.toLowerCase()}`,
    expect: (folder) => ({ must: ranked(folder).slice(0, 5) }),
  },
  {
    id: 'sort-lowest',
    area: 'count',
    text: (f) => `Sort ${f.table} by ${f.amount}, lowest first, and show only three rows`,
    expect: (folder) => ({ must: ranked(folder).slice(-3), mustNot: [at(ranked(folder)[0] ?? [], -1)] }),
  },
  {
    id: 'distinct',
    area: 'count',
    text: (f) => `what different ${f.kinds} are there in ${f.table}?`,
    expect: (folder) => ({ must: each([...new Set(main(folder).map((row) => cell(row, folder.slots.kind)))]) }),
  },
  {
    id: 'json-sum',
    area: 'count',
    text: (f) => `Add up ${f.jsonNumber} in ${f.json}`,
    expect: (folder) =>
      one(sum(objectsOf(folder, folder.slots.json).map((item) => number(item, folder.slots.jsonNumber)))),
  },
  {
    id: 'json-where',
    area: 'count',
    text: (f) => `how many entries in ${f.json} have the ${f.jsonCategory} ${f.jsonValue}`,
    expect: (folder) => {
      const { json, jsonCategory, jsonValue } = folder.slots
      return one(objectsOf(folder, json).filter((item) => cell(item, jsonCategory) === jsonValue).length)
    },
  },
  // Reckon
  {
    id: 'reckon-times',
    area: 'reckon',
    text: (f) => `what's ${f.factor} x ${f.times}`,
    expect: ({ slots }) => one(slots.factor * slots.times),
  },
  {
    id: 'reckon-percent',
    area: 'reckon',
    text: (f) => `How much is ${f.percent} percent of ${f.whole}?`,
    expect: ({ slots }) => one((slots.percent * slots.whole) / 100),
  },
  {
    id: 'reckon-plain',
    area: 'reckon',
    text: (f) => `calculate (${f.whole} + ${f.times}) / 4 - 1`,
    expect: ({ slots }) => one((slots.whole + slots.times) / 4 - 1),
  },
  {
    id: 'reckon-days',
    area: 'reckon',
    text: (f) => `how many days are there between ${f.firstDay} and ${f.lastDay}?`,
    expect: ({ slots }) => one(daysBetween(slots.firstDay, slots.lastDay)),
  },
  {
    id: 'reckon-later',
    area: 'reckon',
    text: (f) => `What date is it ${f.weeks} weeks after ${f.lastDay}?`,
    expect: ({ slots }) => ({ must: [day(later(slots.lastDay, slots.weeks * 7))] }),
  },
  {
    id: 'reckon-weekday',
    area: 'reckon',
    text: (f) => `what day of the week was ${f.weekdayWords}`,
    expect: ({ slots }) => ({ must: [[weekday(slots.weekdayOf)]], mustNot: otherWeekdays(slots.weekdayOf) }),
  },
  // Remember and recall
  {
    id: 'remember-fact',
    area: 'remember',
    text: (f) => `Please remember that ${f.factSubject} is ${f.factValue}.`,
    expect: ({ slots }) => ({ must: [[slots.factValue, ...kept]] }),
  },
  {
    id: 'recall-fact',
    area: 'remember',
    text: (f) => `what do you remember about ${f.factSubject}`,
    expect: ({ slots }) => ({ must: [[slots.factValue]] }),
    after: 'remember-fact',
  },
  {
    id: 'remember-reminder',
    area: 'remember',
    text: (f) => `make a note that ${f.reminder}`,
    expect: ({ slots }) => ({ must: [[slots.reminderValue, ...kept]] }),
  },
  {
    id: 'recall-reminder',
    area: 'remember',
    text: (f) => `What did I tell you about ${f.reminderTopic}?`,
    expect: ({ slots }) => ({ must: [[slots.reminderValue]] }),
    after: 'remember-reminder',
  },
  // What can you do?
  {
    id: 'help',
    area: 'help',
    text: () => 'what can you do for me?',
    expect: () => ({
      must: [
        ['find'],
        ['read'],
        ['summar'],
        ['count', 'add up', 'sum'],
        ['remember'],
        ['percent', 'arithmetic', 'reckon', 'calculat', 'date'],
      ],
    }),
  },
]
