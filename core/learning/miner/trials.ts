import type { JsonObject } from '../../domain/json.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type Activation, isOffered } from './activation.ts'
import { type Skip, skip } from './bar.ts'
import type { Call } from './canonical.ts'
import type { Episode } from './episode.ts'
import { goalPattern } from './goal-pattern.ts'
import type { AlignedNode } from './group.ts'
import type { MinedParameter } from './parameters.ts'
import { type Replay, type ReplayTask, replay } from './replay.ts'
import type { Stopwatch } from './stopwatch.ts'
import { argumentsOfThread, callsOfThread, type Synthesis, synthesise } from './synthesis.ts'

/** How it did over the threads that it was learnt from, and over others like them. */
export interface Trials {
  readonly replays: readonly { readonly threadId: string; readonly kind: Replay['kind']; readonly calls: number }[]
  /** Threads that said something when left out, and how many of those were foretold. */
  readonly leftOut: { readonly tried: number; readonly same: number }
  /** Other goals that it would have been offered for, and how many of those a guard stopped. */
  readonly others: { readonly offered: number; readonly stopped: number }
}

export interface TrialTask {
  readonly synthesis: Synthesis
  readonly nodes: readonly AlignedNode[]
  readonly threads: readonly Episode[]
  readonly sandbox: Sandbox
  readonly actions: readonly string[]
  readonly stopwatch: Stopwatch
}

/** Every source thread once more, in the sandbox: the same calls in the same order. */
export async function replayAll({
  synthesis,
  threads,
  sandbox,
  stopwatch,
}: TrialTask): Promise<Trials['replays'] | Skip> {
  const { name, code, parameters, nodes } = synthesis
  const replays: Trials['replays'][number][] = []
  for (const [thread, { threadId }] of threads.entries()) {
    const expected = callsOfThread(nodes, thread)
    const args = argumentsOfThread(parameters, thread)
    const ran = await replayed({ name, code, args, expected }, { sandbox, stopwatch })
    if (ran.kind !== 'same') return skip('replay', `${threadId}: ${ran.detail}`)
    replays.push({ threadId, kind: ran.kind, calls: ran.calls })
  }
  return replays
}

async function replayed(task: ReplayTask, { sandbox, stopwatch }: Pick<TrialTask, 'sandbox' | 'stopwatch'>) {
  return stopwatch.beside((mostMs) => replay({ ...task, mostMs, check: stopwatch.check }, sandbox))
}

const strictUpTo = 5
const shareForetold = 0.9

/**
 * Learnt from all but one thread it does the same in that one. A fold that saw one value where the whole saw several, or that a
 * guard of its own stopped, says nothing: it knew less than the bar asks for. Source: learning 3.12.
 */
export async function leaveOneOut({
  synthesis,
  nodes,
  threads,
  sandbox,
  actions,
  stopwatch,
}: TrialTask): Promise<Trials['leftOut'] | Skip> {
  let [tried, same, fault] = [0, 0, '']
  for (const [left, thread] of threads.entries()) {
    await stopwatch.rest()
    const without = <Item>(items: readonly Item[]) => items.filter((_, at) => at !== left)
    const kept = nodes.map((node) => ({ ...node, threads: without(node.threads) }))
    const fold = await synthesise({ nodes: kept, threads: without(threads), actions, stopwatch })
    if (!knowsEnough(fold, synthesis)) continue
    const args = boundFor(fold.parameters, { whole: synthesis.parameters, left, goal: thread.goal })
    if (args === null) continue
    const expected = callsOfThread(synthesis.nodes, left)
    const ran = await replayed({ name: fold.name, code: fold.code, args, expected }, { sandbox, stopwatch })
    if (ran.kind === 'guard' && !ran.hasWritten) continue
    tried += 1
    if (ran.kind === 'same') same += 1
    else fault = `${thread.threadId} left out: ${ran.detail}`
  }
  const needed = threads.length <= strictUpTo ? 1 : shareForetold
  return tried > 0 && same / tried < needed ? skip('replay', fault) : { tried, same }
}

/** As many nodes, and no constant where the whole has something else. */
function knowsEnough(fold: Synthesis, whole: Synthesis): boolean {
  if (fold.nodes.length < whole.nodes.length) return false
  return whole.nodes.every((node, at) => {
    const same = fold.nodes[at]
    if (same === undefined || same.loop?.kind !== node.loop?.kind) return false
    return node.calls.every((call, place) =>
      [...call.arguments].every(([path, { kind }]) => {
        const own = same.calls[place]?.arguments.get(path)
        return own !== undefined && (own.kind !== 'constant' || kind === 'constant')
      }),
    )
  })
}

interface Bound {
  readonly whole: readonly MinedParameter[]
  /** The thread that was left out. */
  readonly left: number
  readonly goal: string
}

/** Null where a value cannot be had: then it would not have been called. */
function boundFor(parameters: readonly MinedParameter[], { whole, left, goal }: Bound): JsonObject | null {
  const args: Record<string, string> = {}
  for (const { name, pattern, values } of parameters) {
    const same = whole.find((each) =>
      each.values.filter((_, at) => at !== left).every((value, at) => value === values[at]),
    )
    const value = same?.values[left] ?? boundByPattern(pattern, goal)
    if (value === undefined) return null
    args[name] = value
  }
  return args
}

function boundByPattern(pattern: string | null, goal: string): string | undefined {
  return pattern === null ? undefined : goalPattern(pattern).valueIn(goal)
}

const shareStopped = 0.9
const mostOthers = 50

export interface OtherThread {
  readonly episode: Episode
  readonly calls: readonly Call[]
}

/**
 * Threads that did something else, for goals that it would be offered for: on their record it must stop before any write.
 */
export async function againstOthers(
  { synthesis, sandbox, stopwatch }: TrialTask,
  { others, activation }: { readonly others: readonly OtherThread[]; readonly activation: Activation },
): Promise<Trials['others'] | Skip> {
  const offered = others.filter(({ episode }) => isOffered(activation, episode.goal)).slice(0, mostOthers)
  let [stopped, fault] = [0, '']
  for (const { episode, calls } of offered) {
    await stopwatch.rest()
    const bound = synthesis.parameters.map(
      ({ name, pattern }) => [name, boundByPattern(pattern, episode.goal)] as const,
    )
    const isBound = bound.every(([, value]) => value !== undefined)
    const args = Object.fromEntries(bound.map(([name, value]) => [name, value ?? '']))
    const task = { ...synthesis, args, expected: calls, isLoose: true }
    const ran = isBound ? await replayed(task, { sandbox, stopwatch }) : null
    // It does all that the thread did: that one was the same work.
    const isFine = ran === null || ran.kind === 'same' || (ran.kind === 'guard' && !ran.hasWritten)
    if (isFine) stopped += 1
    else fault = `${episode.threadId}: ${ran.detail}`
  }
  const isStopped = offered.length === 0 || stopped / offered.length >= shareStopped
  return isStopped ? { offered: offered.length, stopped } : skip('inconsistent', fault)
}
