import { comparePaths } from '../domain/calls.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import type { RecordedStep } from './recorded-step.ts'

/** What the code of a step called and got, by the labels that the next code knows: `1.3` is `c3`. */
export function resultsOf(step: RecordedCalls): JsonObject {
  return Object.fromEntries(endedCalls(step).flatMap(({ path, ok, result }) => (ok ? [[labelOf(path), result]] : [])))
}

type RecordedCalls = Pick<RecordedStep, 'actions' | 'queries' | 'children'>

/** A call of code that came to its end, as its record has it. */
export interface EndedCall {
  readonly path: string
  readonly name: string
  readonly ok: boolean
  readonly result: Json
}

/** Every call of code on record: actions, queries and children, in the order in which the code made them. */
export function endedCalls({ actions, queries, children }: RecordedCalls): readonly EndedCall[] {
  const ended: EndedCall[] = []
  for (const [path, { result }] of actions) {
    if (result === undefined) continue
    ended.push({ path, name: result.name, ok: result.ok, result: result.ok ? result.value : result.error.message })
  }
  const batches = new Map<string, string[]>()
  for (const [path, { purpose, finished }] of queries) {
    if (finished === undefined || purpose === 'compaction' || purpose === 'conversation') continue
    const { ok } = finished.data
    if (purpose === 'llm_query') ended.push({ path, name: purpose, ok, result: finished.text })
    else {
      const [batch, at] = [path.slice(0, path.lastIndexOf('.')), Number(path.slice(path.lastIndexOf('.') + 1))]
      const texts = batches.get(batch) ?? []
      texts[at - 1] = ok ? finished.text : `Error: ${finished.text}`
      batches.set(batch, texts)
    }
  }
  for (const [path, texts] of batches) {
    // A query that the budget stopped was never begun.
    const result = Array.from(texts, (text: string | undefined) => text ?? 'Error: it was not asked')
    ended.push({ path, name: 'llm_query_batched', ok: true, result })
  }
  for (const [path, { finished }] of children) {
    // The thread of a call of `run_skill` is not what the code asked for: its call is.
    if (finished === undefined || actions.has(path.slice(0, path.lastIndexOf('.')))) continue
    const { ok } = finished.data
    ended.push({ path, name: 'rlm_query', ok, result: ok ? finished.text : childFailed(finished.text) })
  }
  return ended.sort((a, b) => comparePaths(a.path, b.path))
}

export const childFailed = (text: string) => `rlm_query child failed: ${text}`

export function labelOf(path: string): string {
  return `c${path.split('.').slice(1).join('_')}`
}
