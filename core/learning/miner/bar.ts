import { isJsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Episode } from './episode.ts'
import type { AlignedNode } from './group.ts'
import { isKind } from './guards.ts'
import { isScalar, leavesOf } from './json-path.ts'
import type { CallPlan } from './plan.ts'
import { callsOfThread, type Synthesis } from './synthesis.ts'

/** Why nothing is proposed. Source: learning 3.12. */
export const skipReasons = [
  'support',
  'single-value',
  'unexplained',
  'inconsistent',
  'too-small',
  'too-large',
  'duplicate',
  'rejected',
  'replay',
  'activation',
  'unsafe-write',
] as const
export type SkipReason = (typeof skipReasons)[number]

export interface Skip {
  readonly kind: 'skip'
  readonly reason: SkipReason
  /** What of it: the argument, the call, the skill. */
  readonly detail: string
  /** It is the beginning of something known: fewer threads, the newest, may do something else from there on. */
  readonly isBeginning?: true
  /** Threads before it had used the run's time up: the next run may look at it. */
  readonly isLeft?: true
}

export function skip(reason: SkipReason, detail: string): Skip {
  return { kind: 'skip', reason, detail }
}

const leastSteps = 2
const leastCalls = 5
const dayMs = 86_400_000

/** What is wrong with it before it is tried; null for nothing. */
export function faultOf(synthesis: Synthesis, threads: readonly Episode[]): Skip | null {
  const { nodes, parameters, lines, unexplained, hasFreeWrite } = synthesis
  const calls = nodes.flatMap((node) => node.calls)
  const cut = unexplained === null ? null : skip('unexplained', unexplained)
  if (cut !== null && (calls.some(({ isWrite }) => isWrite) || calls.length < 2)) return cut
  if (hasFreeWrite) return skip('unsafe-write', 'a write takes what only the caller can say')
  const unguarded = unguardedWrite(synthesis)
  if (unguarded !== null) return skip('unsafe-write', unguarded)
  if (!isRepeatedWork(threads)) return skip('support', 'the same words on the same day')
  const single = parameters.find(({ values }) => new Set(values).size < 2)
  if (single !== undefined) return skip('single-value', single.name)
  if (parameters.length > limits.minerParameters) return skip('too-large', `${parameters.length} parameters`)
  const free = parameters.filter(({ isFree }) => isFree).length
  if (free > limits.minerFreeParameters) return skip('unexplained', `${free} arguments that only the caller can say`)
  if (lines.length > limits.minerLines) return skip('too-large', `${lines.length} lines`)
  if (!savesWork(synthesis, threads)) return cut ?? skip('too-small', `${calls.length} calls`)
  return null
}

/** One person who asked the same thing three times in a row shows no habit. */
function isRepeatedWork(threads: readonly Episode[]): boolean {
  const wordings = new Set(threads.map(({ goal }) => goal.trim().toLowerCase()))
  const days = new Set(threads.map(({ endedAt }) => Math.floor(endedAt / dayMs)))
  return wordings.size >= 2 || days.size >= 2
}

/** In the middle thread: steps of a model that one call replaces, or calls that it need not write. */
function savesWork({ nodes }: Synthesis, threads: readonly Episode[]): boolean {
  const each = threads.map((_, thread) => callsOfThread(nodes, thread))
  const steps = each.map((calls) => new Set(calls.map(({ stepId }) => stepId)).size - 1)
  return middle(steps) >= leastSteps || middle(each.map(({ length }) => length)) >= leastCalls
}

function middle(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0
}

/** A write that cannot simply be taken away again happens only after something that was read was compared. Source: learning 3.12. */
function unguardedWrite({ nodes, guards }: Synthesis): string | null {
  let isGuarded = false
  for (const { name, calls, loop, node } of nodes) {
    isGuarded ||= guards.some((guard) => guard.node === name && guard.isBefore)
    const writes = calls.filter(({ isWrite }) => isWrite)
    if (!isGuarded && writes.some((plan) => !onlyAdds(plan, node))) return `${name} is not guarded`
    // Its reads could not be compared before the first of its writes.
    const reads = node.threads.flatMap((iterations) =>
      iterations.flatMap((each) => each.filter(({ isWrite }) => !isWrite)),
    )
    if (
      loop !== null &&
      writes.length > 0 &&
      reads.some(({ result }) => leavesOf(result).some(({ value }) => isScalar(value) && isKind(value)))
    ) {
      return `${name} reads and writes by turns`
    }
    isGuarded ||= guards.some((guard) => guard.node === name)
  }
  return null
}

/** It makes a file that was not there: where one is, it refuses by itself. */
function onlyAdds({ action }: CallPlan, { threads }: AlignedNode): boolean {
  if (action !== 'write_file') return false
  const calls = threads.flat(2).filter((call) => call.action === action)
  return calls.every(
    ({ args, result }) => args.overwrite !== true && !(isJsonObject(result) && result.outcome === 'replaced'),
  )
}
