import { comparePaths } from '../../core/domain/calls.ts'
import type { CallState, ThreadHeader } from '../../core/domain/thread.ts'
import { plainLine } from '../format/plain.ts'
import type { Timeline } from './shape.ts'
import { isFailure, type Span } from './span.ts'

export type PlacedCall = Omit<Span, 'id' | 'parent' | 'errors'>

/** Puts a call where it belongs: into its step, and below the code that made it. Sums what stands above it. */
export function putSpan(timeline: Timeline, call: PlacedCall): void {
  const name = `${call.threadId} ${call.step}/${call.path}`
  const stepId = stepIdOf(timeline, call)
  const known = timeline.callIds.get(name)
  const id = known ?? timeline.spans.length
  const parent = known === undefined ? stepId : (timeline.spans[id]?.parent ?? stepId)
  timeline.spans[id] = { ...call, id, parent, errors: isFailure(call.state) ? 1 : 0 }
  if (known === undefined) {
    timeline.callIds.set(name, id)
    timeline.children.push([])
    nest(timeline, stepId, id)
  }
  if (call.childId !== null) sumChild(timeline, id)
  sumStep(timeline, stepId)
}

export function threadSpan(header: ThreadHeader): Span {
  const ended = header.state === 'Done' || header.state === 'Completed' || header.state === 'Failed'
  const failed = header.state === 'Failed' || header.outcome === 'failed' || header.outcome === 'denied'
  return {
    ...blank,
    ...{ id: 0, kind: 'thread', parent: -1, step: -1, path: '', threadId: header.id },
    ...{ name: `thread #${header.number}`, summary: header.title },
    state: failed ? 'failed' : header.outcome === 'stopped' ? 'cancelled' : ended ? 'done' : 'started',
    startedAt: header.createdAt,
    endedAt: header.endedAt,
  }
}

const blank: Omit<Span, 'id' | 'kind' | 'parent' | 'step' | 'path' | 'threadId'> = {
  ...{ name: '', summary: '', outcome: '', state: 'started', startedAt: 0, firstTokenAt: null, endedAt: null },
  ...{ inputTokens: 0, outputTokens: 0, usd: null, startSeq: 0, endSeq: null, code: null, errors: 0, backOffs: [] },
  ...{ childId: null, asked: null, undoneAt: null },
}

function stepIdOf(timeline: Timeline, { threadId, step, startedAt }: PlacedCall): number {
  const isOwn = threadId === timeline.threadId
  const known = isOwn ? timeline.stepIds.get(step) : timeline.childStepIds.get(`${threadId} ${step}`)
  if (known !== undefined) return known
  const id = timeline.spans.length
  const parent = isOwn ? 0 : (timeline.openChildren.get(threadId) ?? 0)
  if (isOwn) timeline.stepIds.set(step, id)
  else timeline.childStepIds.set(`${threadId} ${step}`, id)
  timeline.children.push([])
  timeline.callsOfStep.set(id, [])
  const place = { id, kind: 'step', parent, step, path: '', threadId } as const
  timeline.spans.push({ ...blank, ...place, name: `step ${step + 1}`, startedAt })
  insertStep(timeline, parent, id)
  return id
}

function insertStep(timeline: Timeline, parent: number, id: number): void {
  const list = timeline.children[parent]
  const stepOf = (one: number | undefined) => timeline.spans[one ?? 0]?.step ?? 0
  let at = list?.length ?? 0
  while (at > 0 && stepOf(list?.[at - 1]) > stepOf(id)) at -= 1
  list?.splice(at, 0, id)
}

/** A new call may stand below code that is there, or be the code that others stand below: the step is laid out anew. */
function nest(timeline: Timeline, stepId: number, id: number): void {
  const calls = timeline.callsOfStep.get(stepId)
  if (calls === undefined) return
  const pathOf = (one: number | undefined) => timeline.spans[one ?? 0]?.path ?? ''
  let at = calls.length
  while (at > 0 && comparePaths(pathOf(calls[at - 1]), pathOf(id)) > 0) at -= 1
  calls.splice(at, 0, id)
  const isFlat = calls.every((one) => !pathOf(one).includes('.'))
  if (isFlat) {
    timeline.children[stepId] = [...calls]
    return
  }
  const byPath = new Map(calls.map((one) => [pathOf(one), one]))
  const below = new Map<number, number[]>([[stepId, []], ...calls.map((one): [number, number[]] => [one, []])])
  for (const one of calls) {
    const parent = parentOf(pathOf(one), byPath) ?? stepId
    below.get(parent)?.push(one)
    const span = timeline.spans[one]
    if (span && span.parent !== parent) timeline.spans[one] = { ...span, parent }
  }
  // Steps of an open child stand below its row, and stay there.
  for (const [one, ids] of below) if (timeline.spans[one]?.childId === null) timeline.children[one] = ids
}

/** `1.3.2` stands below `1.3` where there is such a call, else below `1`; what comes before a model call, beside it. */
function parentOf(path: string, byPath: ReadonlyMap<string, number>): number | undefined {
  if (path.startsWith('0')) return undefined
  let rest = path
  while (rest.includes('.')) {
    rest = rest.slice(0, rest.lastIndexOf('.'))
    const found = byPath.get(rest)
    if (found !== undefined) return found
  }
  return undefined
}

const worst: readonly CallState[] = ['started', 'waiting', 'failed', 'refused', 'interrupted', 'cancelled', 'done']

/** Code that stands at a call which waits for a person waits with it. */
function waitWithCalls(timeline: Timeline, calls: readonly number[]): void {
  for (const id of calls) {
    const span = timeline.spans[id]
    if (span?.kind !== 'code' || span.endedAt !== null) continue
    const waits = (timeline.children[id] ?? []).some((child) => timeline.spans[child]?.state === 'waiting')
    const state = waits ? 'waiting' : 'started'
    if (span.state !== state) timeline.spans[id] = { ...span, state }
  }
}

function sumStep(timeline: Timeline, stepId: number): void {
  const old = timeline.spans[stepId]
  if (old === undefined) return
  waitWithCalls(timeline, timeline.callsOfStep.get(stepId) ?? [])
  const calls = (timeline.callsOfStep.get(stepId) ?? []).flatMap((id) => timeline.spans[id] ?? [])
  const sums = { ...tokens(calls), errors: calls.reduce((sum, call) => sum + call.errors, 0) }
  const endSeq = Math.max(0, ...calls.map((call) => call.endSeq ?? 0))
  timeline.spans[stepId] = {
    ...old,
    ...sums,
    startedAt: Math.min(...calls.map((call) => call.asked?.at ?? call.startedAt)),
    endedAt: calls.some((call) => call.endedAt === null) ? null : Math.max(...calls.map((call) => call.endedAt ?? 0)),
    startSeq: Math.min(...calls.map((call) => call.startSeq)),
    endSeq: endSeq === 0 ? null : endSeq,
    summary: stepSummary(calls),
    state: worst.find((state) => calls.some((call) => call.state === state)) ?? 'done',
  }
  const thread = timeline.spans[0]
  if (old.parent > 0) sumChild(timeline, old.parent)
  if (old.parent > 0 || thread === undefined) return
  timeline.spans[0] = {
    ...thread,
    inputTokens: thread.inputTokens + sums.inputTokens - old.inputTokens,
    outputTokens: thread.outputTokens + sums.outputTokens - old.outputTokens,
    errors: thread.errors + sums.errors - old.errors,
  }
}

/** What a child used is known once its steps are. It is its own: the parent's sums leave it out, as the store's do. */
function sumChild(timeline: Timeline, id: number): void {
  const span = timeline.spans[id]
  const steps = (timeline.children[id] ?? []).flatMap((step) => timeline.spans[step] ?? [])
  if (span && steps.length > 0) timeline.spans[id] = { ...span, ...tokens(steps) }
}

function tokens(spans: readonly Span[]): Pick<Span, 'inputTokens' | 'outputTokens'> {
  let [inputTokens, outputTokens] = [0, 0]
  for (const span of spans) {
    if (span.kind === 'child') continue
    inputTokens += span.inputTokens
    outputTokens += span.outputTokens
  }
  return { inputTokens, outputTokens }
}

/** What the model said, else what it did: `read_file ×7, table`. */
function stepSummary(calls: readonly Span[]): string {
  // Its code stands below it, in a row of its own.
  const said =
    calls
      .find(({ kind }) => kind === 'model')
      ?.summary.replace(/```.*/s, '')
      .trim() ?? ''
  if (said !== '') return plainLine(said)
  const counts = new Map<string, number>()
  for (const { kind, name } of calls) if (kind === 'action') counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ')
}
