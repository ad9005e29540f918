import { lemmaOf, wordsOf } from '../language/lemma.ts'
import { isConcept, type Reading, type Unit } from '../language/reading.ts'
import { isOneSlipApart } from '../language/spelling.ts'
import type { FileEntry } from '../results.ts'
import { baseName, type Catalogue, stemOf } from './catalogue.ts'

/** Words of the request that name something in the folder: where they stand and what they may mean. */
export interface Mention {
  readonly from: number
  /** The first unit after it. */
  readonly to: number
  readonly text: string
  readonly files: readonly FileEntry[]
  readonly folders: readonly FileEntry[]
  /** How sure: a written path is `named`, plain words are `words`. */
  readonly by: 'named' | 'words'
}

/** Everything in the request that names files or folders of the catalogue, in order. */
export function mentionsIn(reading: Reading, catalogue: Catalogue): readonly Mention[] {
  const { units } = reading
  const mentions: Mention[] = []
  for (let at = 0; at < units.length; at += 1) {
    const mention = namedAt(reading, at, catalogue) ?? wordsAt(units, at, catalogue)
    if (!mention) continue
    while (mentions.length > 0 && (mentions.at(-1)?.to ?? 0) > mention.from) mentions.pop()
    mentions.push(mention)
    at = mention.to - 1
  }
  return mentions
}

/** A path, a quoted name, or words that end in one: `Meeting notes.md` needs no quotes. */
function namedAt(reading: Reading, at: number, catalogue: Catalogue): Mention | undefined {
  const { units } = reading
  const unit = units[at]
  if (unit?.kind !== 'path' && unit?.kind !== 'quoted') return undefined
  for (const from of unit.kind === 'path' ? [at - 4, at - 3, at - 2, at - 1].filter((f) => f >= 0) : []) {
    const text = reading.text.slice(units[from]?.tokens[0]?.start, unit.tokens[0]?.end)
    const files = catalogue.files.filter((f) => sameName(f.path, text) || sameName(baseName(f.path), text))
    if (files.length > 0) return { from, to: at + 1, text, files, folders: [], by: 'named' }
  }
  const files = matchPath(unit.text, catalogue.files)
  const folders = matchPath(unit.text.replace(/\/$/, ''), catalogue.folders)
  if (unit.kind === 'quoted' && files.length + folders.length === 0) return undefined
  return { from: at, to: at + 1, text: unit.text, files, folders, by: 'named' }
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The entries that a written path means, at the first level that has any: whole path, name, name without extension, a slip. */
function matchPath(written: string, entries: readonly FileEntry[]): readonly FileEntry[] {
  const path = written.replace(/^\.\//, '').toLowerCase()
  const levels: readonly ((entry: FileEntry) => boolean)[] = [
    (e) => e.path === written.replace(/^\.\//, ''),
    (e) => e.path.toLowerCase() === path,
    (e) => e.path.toLowerCase().endsWith(`/${path}`),
    (e) => stemOf(e.path).toLowerCase() === path || e.path.toLowerCase().replace(/\.[^./]+$/, '') === path,
    (e) => isOneSlipApart(baseName(e.path).toLowerCase(), path),
    (e) => wordsOf(baseName(e.path)).join(' ') === wordsOf(path).join(' '),
  ]
  for (const level of levels) {
    const found = entries.filter(level)
    if (found.length > 0) return found
  }
  return []
}

/** The longest run of unknown words from `at` that all stand in the name of a file or folder. */
function wordsAt(units: readonly Unit[], at: number, catalogue: Catalogue): Mention | undefined {
  if (units[at]?.kind !== 'open') return undefined
  let end = at
  while (units[end]?.kind === 'open') end += 1
  for (let to = end; to > at; to -= 1) {
    const run = units.slice(at, to)
    const words = run.flatMap((u) => u.tokens.flatMap((t) => wordsOf(t.text)))
    const files = matchWords(words, catalogue.files)
    const folders = matchWords(words, catalogue.folders)
    const text = run.map((u) => u.text).join(' ')
    if (files.length + folders.length > 0)
      return { from: at, to, text, ...asSaid(units[to], files, folders), by: 'words' }
  }
  return undefined
}

// "the guests folder" is the folder, "the guests file" the file, where there are both.
function asSaid(next: Unit | undefined, files: readonly FileEntry[], folders: readonly FileEntry[]) {
  if (isConcept(next, 'folder') && folders.length > 0) return { files: [], folders }
  return isConcept(next, 'file') && files.length > 0 ? { files, folders: [] } : { files, folders }
}

/** Entries whose name holds all the words; those whose name is just these words win. */
export function matchWords(words: readonly string[], entries: readonly FileEntry[]): readonly FileEntry[] {
  if (words.length === 0) return []
  const joined = words.join('')
  const named = entries.map((entry) => ({ entry, name: wordsOf(stemOf(entry.path)) }))
  const whole = named.filter((n) => lemmaOf(n.name.join('')) === joined || n.name.join('') === joined)
  if (whole.length > 0) return whole.map((n) => n.entry)
  return named.filter((n) => words.every((w) => n.name.includes(w))).map((n) => n.entry)
}
