import type { Candidate } from '../../domain/candidate.ts'
import { AppError } from '../../domain/error.ts'
import type { SkillMined, StoredEvent } from '../../domain/event.ts'
import { limits } from '../../domain/limits.ts'
import type { ThreadHeader } from '../../domain/thread.ts'
import type { Events } from '../../events/events.ts'
import type { SkillReview } from '../../skills/skills.ts'
import type { MinedProgram, Store } from '../../store/store.ts'
import { type EndedThread, endedSince } from '../cursor.ts'
import { episodeOfRecord } from '../miner/episode-of-record.ts'
import { type Episode, isOffered, type Mined, type Miner, type MiningRun } from '../miner/miner.ts'
import { hasReadForeign } from '../sound-threads.ts'
import { unfitness } from './fitness.ts'
import { type KnownPrograms, knownPrograms } from './known-programs.ts'
import { minedRecord } from './mined-record.ts'
import { proofOf } from './proof.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { skillFileOf } from './skill-file.ts'

/** The mission that looks at finished threads for skills; its cursor goes by this name. */
const skillExtraction = 'skill-extraction'

export interface ExtractionReport {
  /** One for each thread that was looked at, in the order in which they ended. */
  readonly findings: readonly SkillMined[]
  /** Threads that wait for the next time. */
  readonly isMore: boolean
}

/** Learns skills from finished threads, without a model. Source: issue 7, skill-extraction; learning 3. */
export interface SkillExtraction {
  /**
   * Looks at what ended since it last looked, `limits.minedThreads` threads at most and as many as the miner's time is enough for. A
   * thread is done with in the transaction
   * of what was found in it: after a crash none is lost, and none is proposed twice. @throws the signal's reason
   */
  run(task: {
    readonly projectId: string
    /** The learning thread, on whose record it stands. */
    readonly threadId: string
    readonly signal: AbortSignal
  }): Promise<ExtractionReport>
}

export interface ExtractionParts {
  readonly store: Store
  readonly events: Events
  readonly miner: Miner
  readonly review: Pick<SkillReview, 'propose'>
  /** Names of skills that a project sees. */
  readonly skillNames: (projectId: string) => readonly string[]
  readonly now: () => number
}

export function createSkillExtraction(parts: ExtractionParts): SkillExtraction {
  const { store, events, miner } = parts

  interface Run {
    readonly projectId: string
    readonly ownId: string
    readonly signal: AbortSignal
    readonly mining: MiningRun
    readonly shelf: Shelf
  }

  /** `left`: the next run begins with it. */
  async function look(run: Run, ended: EndedThread): Promise<SkillMined | 'left' | null> {
    const thread = store.threads.get(ended.threadId)
    if (thread === undefined) return null
    const found = await findingsOf(run, ended, thread)
    if (found === 'left') return found
    const { finding, program = null, isKept = false } = found
    // Of its own threads nobody needs to be told: the cursor goes on with the next one.
    if (finding.reason === 'learning') return null
    events.commit((append) => {
      store.learning.moveCursor(skillExtraction, run.projectId, ended.seq)
      append(run.ownId, { kind: 'skill.mined', data: finding })
      if (isKept) store.learning.addThread({ projectId: run.projectId, ...ended })
      if (program !== null) store.learning.addProgram(program)
    })
    return finding
  }

  /** What goes wrong with one thread must not keep all others from being looked at: it would stand first each time. */
  async function findingsOf(run: Run, ended: EndedThread, thread: ThreadHeader): Promise<Findings | 'left'> {
    try {
      const record = await minedRecord(store, thread.id, run.signal)
      if (record === null) return { finding: foundIn(thread, 'skipped', tooLarge) }
      const unfit = unfitness(thread, record)
      if (unfit !== null) return { finding: foundIn(thread, 'unfit', unfit) }
      const episode = episodeOfRecord(record)
      run.shelf.put(thread.id, episode)
      return episode === null
        ? { finding: foundIn(thread, 'unfit', notEnded) }
        : await mineIn(run, ended, { thread, episode })
    } catch (error) {
      run.signal.throwIfAborted()
      if (!(error instanceof AppError) || error.code === 'engine.stopped' || error.code === 'cancelled') throw error
      return { finding: foundIn(thread, 'unfit', { reason: error.code, detail: error.message }) }
    }
  }

  async function mineIn(
    run: Run,
    ended: EndedThread,
    { thread, episode }: { readonly thread: ThreadHeader; readonly episode: Episode },
  ): Promise<Findings | 'left'> {
    const known = knownPrograms(store, run.projectId)
    const kept = await keptBefore(run, ended, known)
    const taken = parts.skillNames(run.projectId)
    const found = await run.mining.mine({ thread: episode, kept, known: known.programs, taken })
    if (found.kind === 'skip' && found.isLeft) return 'left'
    if (found.kind === 'skip') return { finding: foundIn(thread, 'skipped', found), isKept: true }
    // One question at a time about one skill.
    if (known.pending.has(found.name)) {
      const waits = { reason: 'duplicate', detail: `${found.name} waits for a decision` }
      return { finding: foundIn(thread, 'skipped', waits), isKept: true }
    }
    const { id: candidateId } = await propose(run, thread, found)
    const { name: skill, fingerprint, sequence, activation, support, updates } = found
    const reason = updates === null ? 'new' : 'update'
    const detail = `${skill}, of ${support.length} threads`
    const facts = { candidateId, projectId: run.projectId, skill, fingerprint, sequence, activation, support }
    return {
      finding: { ...foundIn(thread, 'proposed', { reason, detail }), candidateId },
      program: { ...facts, at: parts.now() },
      isKept: true,
    }
  }

  /** Threads before this one, without those that show a world that is gone. */
  async function keptBefore(run: Run, { seq }: EndedThread, { fallen }: KnownPrograms): Promise<readonly Episode[]> {
    const before = store.learning.threadsBefore(run.projectId, seq, limits.minerThreads - 1)
    const kept = await run.shelf.newest(before.map(({ threadId }) => threadId))
    const isGone = ({ threadId, endedAt, goal }: Episode) =>
      fallen.some(
        ({ program, since }) =>
          program.support.includes(threadId) || (endedAt < since && isOffered(program.activation, goal)),
      )
    return kept.filter((episode) => !isGone(episode))
  }

  async function episodeOf(threadId: string, signal: AbortSignal): Promise<Episode | null> {
    const record = await minedRecord(store, threadId, signal)
    // What a person took back since it was looked at.
    const isCorrected = record?.some(({ kind }) => kind === 'thread.corrected') ?? true
    return record === null || isCorrected ? null : episodeOfRecord(record)
  }

  async function propose(run: Run, { id }: ThreadHeader, mined: Mined): Promise<Candidate> {
    const sources = await Promise.all(
      mined.support.map(async (threadId) => ({
        thread: store.threads.get(threadId) ?? { id: threadId, number: 0, goal: '' },
        record: (await minedRecord(store, threadId, run.signal)) ?? [],
      })),
    )
    const content = skillFileOf(mined)
    // Of a thread that is gone nobody can say what it had read.
    const isForeign = mined.support.some((threadId) => {
      const thread = store.threads.get(threadId)
      return thread === undefined || hasReadForeign(store, thread)
    })
    return parts.review.propose({
      ...{ kind: mined.updates === null ? 'new' : 'update', name: mined.name, projectId: run.projectId, content },
      ...{ source: 'extracted', trust: isForeign ? 'installed' : 'trusted', threadId: run.ownId },
      // The same thread looked at again after a crash is the same proposal.
      ...{ callKey: `mined/${id}`, proposedBy: skillExtraction, reason: reasonOf(mined, sources) },
      evidence: proofOf(mined, content, sources),
    })
  }

  return {
    async run({ projectId, threadId, signal }) {
      const shelf = createShelf((each) => episodeOf(each, signal))
      const run: Run = { projectId, ownId: threadId, signal, mining: miner.startRun(signal), shelf }
      const ended = endedSince(store, { mission: skillExtraction, projectId, max: limits.minedThreads })
      const findings: SkillMined[] = []
      for (const each of ended.threads) {
        signal.throwIfAborted()
        const finding = await look(run, each)
        if (finding === 'left') return { findings, isMore: true }
        if (finding !== null) findings.push(finding)
        await new Promise((resolve) => setImmediate(resolve))
      }
      events.commit(() => store.learning.moveCursor(skillExtraction, projectId, ended.seq))
      return { findings, isMore: ended.isMore }
    },
  }
}

interface Findings {
  readonly finding: SkillMined
  readonly program?: MinedProgram
  /** Later threads are compared with it. */
  readonly isKept?: boolean
}

const tooLarge = { reason: 'too-large', detail: `more than ${limits.minerEpisodeBytes} bytes of arguments and results` }
const notEnded = { reason: 'outcome', detail: 'it has not ended' }
const detailCharacters = 300

function foundIn(
  { id, number }: Pick<ThreadHeader, 'id' | 'number'>,
  verdict: SkillMined['verdict'],
  { reason, detail }: Pick<SkillMined, 'reason' | 'detail'>,
): SkillMined {
  const subject = { subjectId: id, subjectNumber: number }
  return { ...subject, verdict, reason, detail: detail.slice(0, detailCharacters), candidateId: null }
}

/** What the trials showed, in sentences for the person who decides. */
function reasonOf(
  { trials, recall, evidence, support }: Mined,
  sources: readonly { readonly thread: Pick<ThreadHeader, 'number'>; readonly record: readonly StoredEvent[] }[],
): string {
  const { replays, leftOut, others } = trials
  const numbers = sources.map(({ thread }) => `#${thread.number}`).join(', ')
  const calls = replays.map((each) => each.calls)
  const same = replays.filter(({ kind }) => kind === 'same').length
  const lines = [
    `${support.length} threads did the same work: ${numbers}.`,
    `Run again on their records it makes the recorded calls in ${same} of ${replays.length} (${calls.join(', ')} calls).`,
    leftOut.tried === 0
      ? ''
      : `Learnt without one of them it foretells that one in ${leftOut.same} of ${leftOut.tried}.`,
    `It would have been offered for ${Math.round(recall * 100)} % of their goals had they not been known, and for ${others.offered} of other goals, ${others.stopped} of which a guard stops.`,
    ...evidence.ambiguous
      .slice(0, mostAmbiguous)
      .map(({ node, argument, alternatives }) => `${node}.${argument} could also be ${alternatives[0] ?? ''}.`),
  ]
  return lines.filter((line) => line !== '').join(' ')
}

const mostAmbiguous = 3
