import path from 'node:path'
import { z } from 'zod'
import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type ActionContext, defineAction } from '../action.ts'
import { findPlace, openProject } from '../paths.ts'
import { createAllowance, takeFitting } from './allowance.ts'
import { isoUtc, readDate } from './dates.ts'
import { compileGlob } from './files/glob.ts'
import { compareNames } from './files/name-order.ts'
import { createWalkReport, type WalkEntry, walk } from './files/walk.ts'
import { createPace } from './pace.ts'
import { flag, pathText, summaryText, wholeNumber } from './parameters.ts'
import { createTopItems } from './top-items.ts'

const size = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const parameters = z.strictObject({
  path: pathText.default('.').describe('Folder inside the project; "." is the project folder itself.'),
  pattern: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe(
      'Which names: *.csv, docs/*.md, **/*.{ts,js}. Case does not matter. A slash or ** looks into folders below.',
    ),
  recursive: flag().default(false).describe('Look into all folders below, too. Default false.'),
  kind: z.enum(['any', 'file', 'folder']).default('any'),
  hidden: flag().default(false).describe('Include names that begin with a dot. Default false.'),
  sort: z.enum(['name', 'size', 'modified']).default('name'),
  order: z
    .enum(['asc', 'desc'])
    .default('asc')
    .describe('desc with sort size: largest first; with modified: newest first.'),
  limit: wholeNumber(1, limits.listEntries).default(200).describe('Entries to return, at most 1000. Default 200.'),
  minBytes: size.optional().describe('Only files of at least this size.'),
  maxBytes: size.optional().describe('Only files of at most this size.'),
  modifiedAfter: z.string().max(60).optional().describe('Only what was changed at or after this ISO date or time.'),
  modifiedBefore: z.string().max(60).optional().describe('Only what was changed before this ISO date or time.'),
})
type Parameters = z.output<typeof parameters>

export const listFiles = defineAction({
  name: 'list_files',
  description:
    'Lists files and folders with size and time of change. total, files, folders, bytes and byExtension count everything that matches, entries holds the first ones in the order asked.',
  parameters,
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ path: folder, pattern }) => summaryText(pattern === undefined ? folder : `${folder} ${pattern}`),
  run: list,
})

async function list(asked: Parameters, context: ActionContext): Promise<Json> {
  const root = await openProject(context)
  const place = await findPlace(root, asked.path)
  const only = place.isFolder ? undefined : path.basename(place.absolute)
  const start = only === undefined ? place : await findPlace(root, path.dirname(place.absolute))
  const glob = asked.pattern === undefined ? undefined : compileGlob(asked.pattern)
  const report = createWalkReport()
  const found = walk(
    {
      root,
      start,
      isRecursive: only === undefined && (asked.recursive || (glob?.isDeep ?? false)),
      withHidden: asked.hidden || only !== undefined || (glob?.wantsHidden ?? false),
      wants: (below) => (only === undefined ? (glob?.matches(below) ?? true) : below === only),
      signal: context.signal,
    },
    report,
  )
  const tally = await count(found, asked, context)
  const entries = takeFitting(tally.entries, createAllowance(0.9))
  const notes = [
    report.stoppedBecause,
    entries.length < tally.entries.length ? `Only ${entries.length} entries fit into one result.` : undefined,
  ].filter((note) => note !== undefined)
  return {
    path: place.path,
    entries,
    ...tally.totals,
    byExtension: tally.byExtension,
    skipped: report.skipped.slice(0, 50),
    complete: report.stoppedBecause === undefined && entries.length === tally.totals.total,
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

async function count(found: AsyncIterable<WalkEntry>, asked: Parameters, context: ActionContext) {
  const isMatch = createFilter(asked, context)
  const top = createTopItems(asked.limit, createOrder(asked))
  const totals = { total: 0, files: 0, folders: 0, bytes: 0 }
  const extensions = new Map<string, { files: number; bytes: number }>()
  const pace = createPace(context.signal)
  for await (const entry of found) {
    await pace()
    if (!isMatch(entry)) continue
    totals.total += 1
    top.add(entry)
    if (entry.kind === 'folder') totals.folders += 1
    if (entry.kind !== 'file') continue
    totals.files += 1
    totals.bytes += entry.bytes
    const extension = path.extname(entry.path).toLowerCase()
    const sum = extensions.get(extension) ?? { files: 0, bytes: 0 }
    extensions.set(extension, { files: sum.files + 1, bytes: sum.bytes + entry.bytes })
  }
  return { totals, entries: top.sorted().map(describe), byExtension: rankExtensions(extensions) }
}

function rankExtensions(extensions: ReadonlyMap<string, { files: number; bytes: number }>) {
  return [...extensions]
    .map(([extension, sum]) => ({ extension, ...sum }))
    .sort((a, b) => b.files - a.files || compareNames(a.extension, b.extension))
    .slice(0, 30)
}

function describe(entry: WalkEntry) {
  return { path: entry.path, kind: entry.kind, bytes: entry.bytes, modified: isoUtc(entry.modifiedMs) }
}

function createFilter(asked: Parameters, context: ActionContext): (entry: WalkEntry) => boolean {
  const after = asked.modifiedAfter === undefined ? -Infinity : readDate(asked.modifiedAfter, context).at.toMillis()
  const before = asked.modifiedBefore === undefined ? Infinity : readDate(asked.modifiedBefore, context).at.toMillis()
  const { kind, minBytes, maxBytes } = asked
  const hasSize = minBytes !== undefined || maxBytes !== undefined
  return (entry) => {
    if (kind !== 'any' && entry.kind !== kind) return false
    if (hasSize && entry.kind !== 'file') return false
    if (entry.bytes < (minBytes ?? 0) || entry.bytes > (maxBytes ?? Infinity)) return false
    return entry.modifiedMs >= after && entry.modifiedMs < before
  }
}

function createOrder({ sort, order }: Parameters): (a: WalkEntry, b: WalkEntry) => number {
  const sign = order === 'asc' ? 1 : -1
  if (sort === 'name') return (a, b) => sign * compareNames(a.path, b.path)
  const key = sort === 'size' ? 'bytes' : 'modifiedMs'
  return (a, b) => sign * (a[key] - b[key]) || compareNames(a.path, b.path)
}
