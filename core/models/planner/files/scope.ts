import { byteText, code, inWords } from '../answer.ts'
import type { PlanContext } from '../intent.ts'
import { isConcept, type Reading, type Unit } from '../language/reading.ts'
import { periodOf } from '../periods.ts'
import type { Plan } from '../plan.ts'
import type { Catalogue } from './catalogue.ts'
import { dateRelation } from './comparisons.ts'
import { type Mention, mentionsIn } from './mentions.ts'

/** Which files a request is about, as `list_files` takes it. `label` says it in words. */
export interface Scope {
  readonly folder: string
  readonly pattern: string | undefined
  readonly filters: { readonly [name: string]: string | number }
  readonly label: string
  /** Open words that name nothing in the folder. */
  readonly unknown: readonly string[]
  readonly extensions: readonly string[]
}

/** Works out the scope: kinds, folder, part of the name, size, date of change. */
export function* scopeOf(reading: Reading, catalogue: Catalogue, context: PlanContext): Plan<Scope> {
  const { units } = reading
  const mentions = mentionsIn(reading, catalogue)
  const named = namePattern(units)
  const folder = folderOf(units, mentions, named?.at)
  const words = mentions.filter((m) => m !== folder?.mention && !(named && m.from <= named.at && named.at < m.to))
  const extensions = [...new Set(units.flatMap((u) => (u.kind === 'fileKind' ? u.extensions : [])))]
  const glob = units.find((u) => u.kind === 'glob')?.text
  const sizes = sizeFilters(units)
  const dates = yield* dateFilters(units, context)
  const name = named?.pattern ?? (words[0] ? `*${words[0].text.replace(/\s+/g, '*')}*` : undefined)
  const ending = extensions.length > 1 ? `.{${extensions.map((e) => e.slice(1)).join(',')}}` : (extensions[0] ?? '')
  const pattern = glob ?? (name === undefined && ending === '' ? undefined : `**/${join(name ?? '*', ending)}`)
  const labels = [
    glob !== undefined ? `that match ${code(glob)}` : undefined,
    named?.label ?? (words[0] ? `with "${words[0].text}" in the name` : undefined),
    folder && `in ${code(folder.path)}`,
    sizes.label,
    dates.label,
  ]
  return {
    folder: folder?.path ?? '.',
    pattern,
    filters: { ...sizes.filters, ...dates.filters },
    label: labels.filter((l) => l !== undefined).join(' '),
    unknown: unknownWords(units, mentions, named?.at),
    extensions,
  }
}

function join(name: string, ending: string): string {
  return ending === '' || name.endsWith(ending) ? name : `${name.replace(/\*$/, '')}*${ending}`
}

/** `2 CSV files`, `12 files`: the noun for a scope. */
export function scopeNoun({ extensions }: Scope): string {
  return extensions.length === 0 ? 'file' : `${inWords(extensions, 'or')} file`
}

function unknownWords(
  units: readonly Unit[],
  mentions: readonly Mention[],
  namedAt: number | undefined,
): readonly string[] {
  return units.flatMap((unit, at) => {
    const isWord = unit.kind === 'open' || unit.kind === 'path' || unit.kind === 'quoted'
    const mention = mentions.find((m) => m.from <= at && at < m.to)
    const isKnown = mention !== undefined && mention.files.length + mention.folders.length > 0
    return isWord && !isKnown && at !== namedAt ? [unit.text] : []
  })
}

function folderOf(units: readonly Unit[], mentions: readonly Mention[], namedAt: number | undefined) {
  const mention = mentions.find((m) => {
    if (m.folders.length !== 1 || m.from === namedAt) return false
    const isPlace =
      /^(in|inside|within|under|from|of|into|to)$/.test(wordBefore(units, m.from)) || isConcept(units[m.to], 'folder')
    return isPlace || m.files.length === 0
  })
  const path = mention?.folders[0]?.path
  return mention && path !== undefined ? { mention, path } : undefined
}

function wordBefore(units: readonly Unit[], at: number): string {
  const before = units
    .slice(0, at)
    .findLast((u) => !/^(the|a|an|my|our|this|that)$/.test(u.tokens[0]?.lower ?? '') && !isConcept(u, 'folder'))
  return before?.tokens[0]?.lower ?? ''
}

/** "named report", "starting with a", "with draft in the name". */
function namePattern(units: readonly Unit[]): { at: number; pattern: string; label: string } | undefined {
  const wordAt = (from: number) => {
    const at = units.findIndex((u, i) => i >= from && ['open', 'quoted', 'path', 'number'].includes(u.kind))
    return at >= 0 &&
      units
        .slice(from, at)
        .every(
          (u) => u.kind === 'filler' || u.kind === 'sign' || isConcept(u, 'contain', 'name', 'with', 'file', 'line'),
        )
      ? at
      : -1
  }
  const starts = units.findIndex((u) => isConcept(u, 'startsWith'))
  const ends = units.findIndex((u) => isConcept(u, 'endsWith'))
  const name = units.findIndex(
    (u) => isConcept(u, 'name') || (isConcept(u, 'file') && /name/.test(u.text.toLowerCase())),
  )
  const cue = starts >= 0 ? starts : ends >= 0 ? ends : name
  if (cue < 0) return undefined
  const after = wordAt(cue + 1)
  const before = name >= 0 ? units.slice(0, name).findLastIndex((u) => u.kind === 'open' || u.kind === 'quoted') : -1
  const at = after >= 0 ? after : starts < 0 && ends < 0 ? before : -1
  const text = units[at]?.text
  if (text === undefined) return undefined
  if (starts >= 0) return { at, pattern: `${text}*`, label: `whose name starts with "${text}"` }
  if (ends >= 0) return { at, pattern: `*${text}`, label: `whose name ends with "${text}"` }
  return { at, pattern: `*${text}*`, label: `with "${text}" in the name` }
}

/** The comparison that stands before a unit, or behind it ("1 MB or more"). */
function comparisonAt(units: readonly Unit[], at: number): 'over' | 'under' | 'atLeast' | 'atMost' | undefined {
  const near = [...units.slice(Math.max(0, at - 3), at).reverse(), ...units.slice(at + 1, at + 2)]
  const found = near.find((u) => isConcept(u, 'over', 'under', 'atLeast', 'atMost'))
  if (found?.kind !== 'concept') return undefined
  const { concept } = found
  return concept === 'over' || concept === 'under' || concept === 'atLeast' || concept === 'atMost'
    ? concept
    : undefined
}

function sizeFilters(units: readonly Unit[]): { filters: { [name: string]: number }; label?: string } {
  const sizes = units.flatMap((unit, at) => (unit.kind === 'size' ? [{ bytes: unit.bytes, at }] : []))
  const [first, second] = sizes
  if (!first) {
    const isEmpty = units.some((u) => isConcept(u, 'empty'))
    return isEmpty ? { filters: { maxBytes: 0 }, label: 'of 0 bytes' } : { filters: {} }
  }
  if (second) {
    return {
      filters: { minBytes: first.bytes, maxBytes: second.bytes },
      label: `of ${byteText(first.bytes)} to ${byteText(second.bytes)}`,
    }
  }
  const { bytes } = first
  switch (comparisonAt(units, first.at) ?? 'atLeast') {
    case 'over':
      return { filters: { minBytes: bytes + 1 }, label: `larger than ${byteText(bytes)}` }
    case 'under':
      return { filters: { maxBytes: Math.max(0, bytes - 1) }, label: `smaller than ${byteText(bytes)}` }
    case 'atMost':
      return { filters: { maxBytes: bytes }, label: `of at most ${byteText(bytes)}` }
    case 'atLeast':
      return { filters: { minBytes: bytes }, label: `of at least ${byteText(bytes)}` }
  }
}

function* dateFilters(
  units: readonly Unit[],
  context: PlanContext,
): Plan<{ filters: { [name: string]: string }; label?: string }> {
  const dates = units.flatMap((unit, at) => (unit.kind === 'date' ? [{ unit, spec: unit.spec, at }] : []))
  const [first, second] = dates
  if (!first) return { filters: {} }
  const start = yield* periodOf(first.spec, context)
  if (second) {
    const end = yield* periodOf(second.spec, context)
    return {
      filters: { modifiedAfter: start.from, modifiedBefore: end.before },
      label: changedFrom(start.from, end.before),
    }
  }
  switch (dateRelation(units, first.at, first.spec)) {
    case 'after':
      return { filters: { modifiedAfter: start.before }, label: `changed after ${first.unit.text}` }
    case 'since':
      return { filters: { modifiedAfter: start.from }, label: `changed since ${start.from}` }
    case 'before':
      return { filters: { modifiedBefore: start.from }, label: `changed before ${start.from}` }
    case 'until':
      return { filters: { modifiedBefore: start.before }, label: `changed before ${start.before}` }
    case 'in':
      return {
        filters: { modifiedAfter: start.from, modifiedBefore: start.before },
        label: changedFrom(start.from, start.before),
      }
  }
}

const changedFrom = (from: string, before: string): string => `changed from ${from} on and before ${before}`
