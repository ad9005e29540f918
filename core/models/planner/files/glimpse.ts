import { code } from '../answer.ts'
import type { Plan } from '../plan.ts'
import {
  type Attempt,
  type FileFact,
  type FileReading,
  fileFacts,
  readFile,
  type TableResult,
  table,
} from '../results.ts'
import { isTableFile } from './catalogue.ts'
import { describeFile, type FileGlimpse } from './describe.ts'

const filesInBatch = 20
const headLines = 60

/** Reads the head of every file, and the columns of those that are tables, in batches; binaries are not opened. */
export function* glimpseAll(paths: readonly string[]): Plan<readonly FileGlimpse[]> {
  if (paths.length === 0) return []
  const facts = yield* fileFacts.one({ paths: [...paths], hash: false })
  const byPath = new Map(facts.files.map((f) => [f.path, f]))
  const failed = new Map(facts.errors.map((e) => [e.path, e.message]))
  const glimpses: FileGlimpse[] = []
  for (let from = 0; from < paths.length; from += filesInBatch) {
    const batch = paths.slice(from, from + filesInBatch).map((path) => byPath.get(path) ?? unknownFact(path))
    glimpses.push(...(yield* glimpseBatch(batch, failed)))
  }
  return glimpses
}

function unknownFact(path: string): FileFact {
  return { path, bytes: -1, modified: '' }
}

function* glimpseBatch(batch: readonly FileFact[], failed: ReadonlyMap<string, string>): Plan<readonly FileGlimpse[]> {
  const readable = batch.filter((f) => f.bytes !== 0 && f.type !== 'binary' && !failed.has(f.path))
  const tables = readable.filter((f) => isTableFile(f.path))
  const texts = readable.filter((f) => !/\.(csv|tsv)$/i.test(f.path))
  const heads = yield* readFile.all(texts.map((f) => ({ path: f.path, lines: headLines })))
  const columns = yield* table.all(tables.map((f) => ({ path: f.path, limit: 1 })))
  const headOf = new Map<string, Attempt<FileReading>>(texts.flatMap((f, at) => pair(f.path, heads[at])))
  const columnsOf = new Map<string, Attempt<TableResult>>(tables.flatMap((f, at) => pair(f.path, columns[at])))
  return batch.map((fact): FileGlimpse => {
    const message = failed.get(fact.path)
    if (message !== undefined) return { fact, head: { ok: false, code: 'action.failed', message } }
    const [head, table] = [headOf.get(fact.path), columnsOf.get(fact.path)]
    return { fact, ...(head && { head }), ...(table && { columns: table }) }
  })
}

function pair<Value>(path: string, value: Value | undefined): (readonly [string, Value])[] {
  return value === undefined ? [] : [[path, value]]
}

/** One list item per file: its name and what it is about. */
export function glimpseText(glimpses: readonly FileGlimpse[]): string {
  return glimpses.map((g) => `- ${code(g.fact.path)}: ${describeFile(g)}`).join('\n')
}
