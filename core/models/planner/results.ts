import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { type Call, type Outcome, outcomeError, type Plan } from './plan.ts'

/** What the actions return, read loosely: a field that a later version adds does no harm. */
const fileEntry = z.object({
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  bytes: z.number(),
  modified: z.string(),
})
const listing = z.object({
  path: z.string(),
  entries: z.array(fileEntry),
  total: z.number(),
  files: z.number(),
  folders: z.number(),
  bytes: z.number(),
  byExtension: z.array(z.object({ extension: z.string(), files: z.number(), bytes: z.number() })),
  skipped: z.array(z.string()).default([]),
  complete: z.boolean(),
  note: z.string().optional(),
})
const reading = z.object({
  path: z.string(),
  text: z.string(),
  fromLine: z.number(),
  toLine: z.number(),
  totalLines: z.number(),
  bytes: z.number(),
  complete: z.boolean(),
  nextLine: z.number().nullable(),
})
const search = z.object({
  query: z.string(),
  matches: z.array(z.object({ path: z.string(), line: z.number(), text: z.string() })),
  totalMatches: z.number(),
  totalOccurrences: z.number(),
  filesMatched: z.number(),
  filesSearched: z.number(),
  files: z.array(z.object({ path: z.string(), matches: z.number(), occurrences: z.number() })),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })).default([]),
  skippedTotal: z.number().default(0),
  complete: z.boolean(),
  note: z.string().optional(),
})
const fact = z.object({
  path: z.string(),
  bytes: z.number(),
  modified: z.string(),
  sha256: z.string().optional(),
  type: z.enum(['text', 'binary']).optional(),
  lines: z.number().optional(),
  words: z.number().optional(),
  characters: z.number().optional(),
})
const facts = z.object({
  files: z.array(fact),
  total: z.number(),
  bytes: z.number(),
  lines: z.number().default(0),
  words: z.number().default(0),
  duplicates: z.array(z.object({ sha256: z.string(), bytes: z.number(), paths: z.array(z.string()) })).default([]),
  errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).default([]),
  complete: z.boolean(),
})
const cell = z.json()
const tableResult = z.object({
  path: z.string().optional(),
  format: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), filled: z.number() })),
  rowsTotal: z.number(),
  rowsMatched: z.number(),
  rows: z.array(z.record(z.string(), cell)),
  rowsReturned: z.number(),
  groups: z.number().optional(),
  complete: z.boolean(),
  notes: z.array(z.string()).default([]),
})
const clock = z.object({
  iso: z.string().optional(),
  date: z.string().optional(),
  time: z.string().optional(),
  weekday: z.string().optional(),
  week: z.number().optional(),
  dayOfYear: z.number().optional(),
  leapYear: z.boolean().optional(),
  timeZone: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  days: z.number().optional(),
  weeks: z.number().optional(),
  months: z.number().optional(),
  years: z.number().optional(),
  hours: z.number().optional(),
  minutes: z.number().optional(),
  weekdays: z.number().optional(),
  text: z.string().optional(),
})
const jsonPart = z.object({
  at: z.string().default(''),
  type: z.string(),
  value: z.json().optional(),
  keys: z.array(z.string()).optional(),
  length: z.number().optional(),
})
const calculation = z.object({ expression: z.string(), result: z.string(), value: z.number().nullable() })
const written = z.object({ id: z.string(), title: z.string(), version: z.number() })
const doc = z.object({ id: z.string(), title: z.string(), content: z.string(), updated: z.string().optional() })
const hits = z.object({
  query: z.string(),
  hits: z.array(z.object({ id: z.string(), title: z.string(), snippet: z.string() })),
  total: z.number(),
})

export type FileEntry = z.output<typeof fileEntry>
export type Listing = z.output<typeof listing>
export type FileReading = z.output<typeof reading>
export type SearchResult = z.output<typeof search>
export type FileFact = z.output<typeof fact>
export type FileFacts = z.output<typeof facts>
export type TableResult = z.output<typeof tableResult>
export type TableCell = z.output<typeof cell>
export type Clock = z.output<typeof clock>

/** One of several calls of a batch: its value, or why there is none. */
export type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** An action whose result the planner can read: `one` needs the result (throws AppError without), `all` takes failures. */
interface KnownAction<Value> {
  one(parameters: JsonObject): Plan<Value>
  all(parameters: readonly JsonObject[]): Plan<readonly Attempt<Value>[]>
}

function action<Value>(name: string, schema: z.ZodType<Value>): KnownAction<Value> {
  const read = (outcome: Outcome | undefined): Attempt<Value> => {
    if (!outcome?.ok) return outcome ?? { ok: false, code: 'action.failed', message: 'there is no result on record' }
    const parsed = schema.safeParse(outcome.value)
    if (parsed.success) return { ok: true, value: parsed.data }
    return { ok: false, code: 'action.failed', message: `the result is not what ${name} returns` }
  }
  function* all(parameters: readonly JsonObject[]): Plan<readonly Attempt<Value>[]> {
    if (parameters.length === 0) return []
    const calls: readonly Call[] = parameters.map((p) => ({ name, arguments: p }))
    const outcomes = yield calls
    return calls.map((_, at) => read(outcomes[at]))
  }
  function* one(parameters: JsonObject): Plan<Value> {
    const [attempt] = yield* all([parameters])
    if (attempt?.ok) return attempt.value
    throw outcomeError(name, attempt ?? { code: 'action.failed', message: 'there is no result on record' })
  }
  return { one, all }
}

export const listFiles = action('list_files', listing)
export const readFile = action('read_file', reading)
export const searchFiles = action('search_files', search)
export const fileFacts = action('file_facts', facts)
export const table = action('table', tableResult)
export const time = action('time', clock)
export const json = action('json', jsonPart)
export const calculate = action('calculate', calculation)
export const memoryWrite = action('memory_write', written)
export const memoryRead = action('memory_read', doc)
export const memorySearch = action('memory_search', hits)
