import { marksIn } from '../../domain/leaks/mark.ts'
import { limits } from '../../domain/limits.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type Activation, activationOf, commonWords, isOffered, recallOf, wordsOf } from './activation.ts'
import { faultOf, type Skip, type SkipReason, skip } from './bar.ts'
import { type Call, callsOf } from './canonical.ts'
import { bytesOf, type Episode } from './episode.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { align, isSimilar } from './group.ts'
import { isSameWork, type KnownProgram, knownAs, leastSupport, sequenceOf } from './known.ts'
import { skillName } from './naming.ts'
import type { MinedParameter } from './parameters.ts'
import { coarse, fine, type Signed, signThreads } from './signature.ts'
import { OutOfTime, type Stopwatch, startStopwatch } from './stopwatch.ts'
import { type Synthesis, synthesise } from './synthesis.ts'
import { againstOthers, leaveOneOut, replayAll, type Trials, type TrialTask } from './trials.ts'

export { type Activation, isOffered } from './activation.ts'
export type { Skip } from './bar.ts'
export type { Episode } from './episode.ts'
export type { Evidence } from './evidence.ts'
export type { KnownProgram } from './known.ts'
export type { MinedParameter } from './parameters.ts'

export interface MiningTask {
  /** The thread that just ended. */
  readonly thread: Episode
  /** Those before it, of its project; the newest 200 count. */
  readonly kept: readonly Episode[]
  readonly known: readonly KnownProgram[]
  /** Names that other skills have. */
  readonly taken?: readonly string[]
}

/** Something to propose; nothing is live by it. */
export interface Mined {
  readonly kind: 'mined'
  readonly name: string
  /** The skill that it is a new version of. */
  readonly updates: string | null
  readonly snippet: { readonly name: string; readonly code: string; readonly description: string }
  readonly parameters: readonly MinedParameter[]
  readonly activation: Activation
  /** The share of its own goals that it is offered for when they are not known. */
  readonly recall: number
  /** It does all of the task, and its value says all that the answers said. */
  readonly isComplete: boolean
  /** It ends before what nothing explains; null for the whole of the work. */
  readonly endsBefore: string | null
  readonly support: readonly string[]
  readonly evidence: Evidence
  readonly trials: Trials
  readonly fingerprint: string
  readonly sequence: readonly string[]
  readonly actions: readonly string[]
}

export interface Miner {
  /** All that one run looks at shares `limits.minerMs`. */
  startRun(signal: AbortSignal): MiningRun
}

export interface MiningRun {
  /**
   * Looks for work that this thread and earlier ones did alike. Below the bar it says why not; it never throws for that. A thread that
   * takes the time of a whole run is too large; one for which too little was left says so. @throws the signal's reason
   */
  mine(task: MiningTask): Promise<Mined | Skip>
}

export interface MinerOptions {
  readonly sandbox: Sandbox
  readonly monotonicMs: () => number
  /** Names of all actions that code may call. */
  readonly actions: () => readonly string[]
}

/** Finds programs in finished threads, without a model. Source: learning 3; issue 7, skill-extraction. */
export function createMiner({ sandbox, monotonicMs, actions }: MinerOptions): Miner {
  return {
    startRun(signal) {
      const stopwatch = startStopwatch(monotonicMs, limits.minerMs, signal)
      let isFirst = true
      return {
        async mine(task) {
          const hadAll = isFirst
          isFirst = false
          try {
            return await stopwatch.during(() => mineOne(task, { sandbox, stopwatch, actions: actions() }))
          } catch (error) {
            if (!(error instanceof OutOfTime)) throw error
            const over = skip('too-large', `it takes more than ${limits.minerMs} ms`)
            return hadAll ? over : { ...over, isLeft: true }
          }
        },
      }
    },
  }
}

interface Parts {
  readonly sandbox: Sandbox
  readonly actions: readonly string[]
  readonly stopwatch: Stopwatch
}

/** A thread as it is compared. */
interface Candidate {
  readonly episode: Episode
  readonly calls: readonly Call[]
  readonly signed: readonly Signed[]
}

/** What smaller groups would only hide. */
const settled: ReadonlySet<SkipReason> = new Set(['duplicate', 'rejected'])

async function mineOne({ thread, kept, known, taken = [] }: MiningTask, parts: Parts): Promise<Mined | Skip> {
  const { fault } = read(thread)
  if (fault !== null) return fault
  const newest = [...kept].sort((a, b) => b.endedAt - a.endedAt).filter(({ threadId }) => threadId !== thread.threadId)
  const episodes = [thread]
  for (const episode of newest) {
    await parts.stopwatch.rest()
    if (episodes.length < limits.minerThreads && read(episode).fault === null) episodes.push(episode)
  }
  const calls = episodes.map((episode) => read(episode).calls)
  let first: Skip | null = null
  for (const share of [coarse, fine]) {
    await parts.stopwatch.rest()
    const signed = signThreads(calls, share)
    const all = episodes.map((episode, at) => ({ episode, calls: calls[at] ?? [], signed: signed[at] ?? [] }))
    const group = await alike(all, parts.stopwatch)
    if (group.length < leastSupport) return first ?? skip('support', `${group.length} threads did the same`)
    for (const members of groupsOf(group)) {
      await parts.stopwatch.rest()
      const found = await mineGroup({ members, all, known, taken }, parts)
      if (found.kind === 'mined') return found
      if (settled.has(found.reason) && !found.isBeginning) return first ?? found
      first ??= found
    }
  }
  return first ?? skip('support', 'no group')
}

/** The first, and those that do the same. */
async function alike(all: readonly Candidate[], stopwatch: Stopwatch): Promise<readonly Candidate[]> {
  const group: Candidate[] = []
  for (const [at, other] of all.entries()) {
    await stopwatch.rest()
    if (at === 0 || doesTheSame(other.signed, all[0]?.signed)) group.push(other)
  }
  return group
}

interface Read {
  readonly fault: Skip | null
  /** None of one that is not looked at. */
  readonly calls: readonly Call[]
}

const readBefore = new WeakMap<Episode, Read>()

/** Once for each: a run holds all that came before beside each of its threads. */
function read(episode: Episode): Read {
  const before = readBefore.get(episode)
  if (before !== undefined) return before
  const fault = uselessness(episode)
  const made = { fault, calls: fault === null ? callsOf(episode) : [] }
  readBefore.set(episode, made)
  return made
}

/** Why a thread is not looked at; null where it is. */
function uselessness({ outcome, steps, threadId }: Episode): Skip | null {
  const calls = steps.flatMap((step) => step.calls)
  if (outcome !== 'success') return skip('support', `${threadId} ended otherwise than in success`)
  if (calls.length > limits.minerCalls) return skip('too-large', `${calls.length} calls`)
  if (calls.some(({ viaSkill }) => viaSkill !== null)) return skip('support', `${threadId} used a skill`)
  if (calls.some(({ args }) => marksIn(args).length > 0)) return skip('unexplained', `${threadId} was given a secret`)
  const bytes = bytesOf({ steps })
  return bytes > limits.minerEpisodeBytes ? skip('too-large', `${bytes} bytes of arguments and results`) : null
}

/** All of them; those whose goals share a word with the thread's, where not most do; the newest. */
function groupsOf(group: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const newest = group.slice(0, limits.minerSupport)
  const groups = [newest]
  const [own] = group
  const words = own === undefined ? new Set<string>() : wordsOf(own.episode.goal)
  const shared = commonWords(newest.map(({ episode }) => episode.goal)).filter(({ word }) => words.has(word))
  for (const { word } of shared.filter(({ share }) => share < 1 && share * newest.length >= leastSupport).slice(0, 3)) {
    groups.push(group.filter(({ episode }) => wordsOf(episode.goal).has(word)).slice(0, limits.minerSupport))
  }
  if (newest.length > leastSupport) groups.push(newest.slice(0, leastSupport))
  return groups
}

interface GroupTask {
  readonly members: readonly Candidate[]
  readonly all: readonly Candidate[]
  readonly known: readonly KnownProgram[]
  readonly taken: readonly string[]
}

async function mineGroup({ members: possible, all, known, taken }: GroupTask, parts: Parts): Promise<Mined | Skip> {
  const alignment = align(possible.map(({ signed }) => signed))
  const members = alignment.members.flatMap((at) => possible[at] ?? [])
  const threads = members.map(({ episode }) => episode)
  const { nodes } = alignment
  if (members.length < leastSupport) return skip('support', `${members.length} threads fit together`)
  if (nodes.length > limits.minerNodes) return skip('too-large', `${nodes.length} calls and loops`)
  const synthesis = await synthesise({ nodes, threads, ...parts })
  const fault = faultOf(synthesis, threads) ?? knownAs({ synthesis, threads, known })
  if (fault !== null) return fault
  const task: TrialTask = { synthesis, nodes, threads, ...parts }
  const replays = await replayAll(task)
  if ('kind' in replays) return replays
  const leftOut = await leaveOneOut(task)
  if ('kind' in leftOut) return leftOut
  const ids = new Set(threads.map(({ threadId }) => threadId))
  const others = all.filter(
    ({ episode, signed }) => !ids.has(episode.threadId) && !doesTheSame(signed, possible[0]?.signed),
  )
  await parts.stopwatch.rest()
  const goals = { ...goalsOf(synthesis, threads, others), checkTime: parts.stopwatch.check }
  const activation = activationOf(goals)
  const recall = recallOf(goals)
  if (recall < leastRecall) return skip('activation', `${Math.round(recall * 100)} % of its own goals`)
  const against = await againstOthers(task, { others, activation })
  if ('kind' in against) return against
  const wrong = others.slice(0, lookedAt).filter(({ episode }) => isOffered(activation, episode.goal))
  if (wrong.length > against.stopped) return skip('activation', `${wrong[0]?.episode.threadId} would be offered it`)
  const trials = { replays, leftOut, others: against }
  return minedFrom({ synthesis, threads, activation, recall, trials, known, taken })
}

const leastRecall = 0.6
const lookedAt = 50

function doesTheSame(signed: readonly Signed[], own: readonly Signed[] | undefined): boolean {
  return own !== undefined && isSimilar(own, signed)
}

function goalsOf({ parameters }: Synthesis, threads: readonly Episode[], others: readonly Candidate[]) {
  const isTelling = ({ pattern, type }: MinedParameter) =>
    pattern !== null && ['id', 'path', 'date', 'url'].includes(type)
  return {
    goals: threads.map(({ goal }) => goal),
    masked: threads.map((_, thread) => parameters.map(({ values }) => values[thread] ?? '')),
    others: others.map(({ episode }) => episode.goal),
    patterns: parameters.filter(isTelling).flatMap(({ pattern }) => pattern ?? []),
    values: parameters.map(({ values }) => values),
  }
}

interface Judged {
  readonly synthesis: Synthesis
  readonly threads: readonly Episode[]
  readonly activation: Activation
  readonly recall: number
  readonly trials: Trials
  readonly known: readonly KnownProgram[]
  readonly taken: readonly string[]
}

function minedFrom({ synthesis, threads, activation, recall, trials, known, taken }: Judged): Mined {
  const sequence = sequenceOf(synthesis)
  const before = known.find((each) => each.state !== 'rejected' && isSameWork(each.sequence, sequence))
  const name = before?.skill ?? skillName(synthesis.name, new Set([...taken, ...known.map(({ skill }) => skill)]))
  const { code, parameters, isComplete, unexplained, fingerprint, nodes } = synthesis
  return {
    ...{ kind: 'mined', name, parameters, activation, recall, isComplete, trials, fingerprint, sequence },
    snippet: { name: synthesis.name, code, description: descriptionOf(synthesis) },
    updates: before?.skill ?? null,
    endsBefore: unexplained,
    support: threads.map(({ threadId }) => threadId),
    evidence: evidenceOf(synthesis, threads, activation),
    actions: [...new Set(nodes.flatMap(({ calls }) => calls.map(({ action }) => action)))],
  }
}

function descriptionOf({ nodes, parameters }: Synthesis): string {
  const calls = nodes.map(({ calls: [call], loop }) => `${call?.action ?? ''}${loop === null ? '' : ' (each)'}`)
  const inputs = parameters.map(({ name, examples }) => `${name} (${examples.slice(0, 2).join(', ')})`)
  return `${calls.join(' → ')}${inputs.length > 0 ? `; takes ${inputs.join('; ')}` : ''}`.slice(0, 400)
}
