import { errorBody } from '../../domain/error.ts'
import type { SkillJoined } from '../../domain/event.ts'
import { limits } from '../../domain/limits.ts'
import { type ActiveSkill, hostedSkillId, isHostedSkill, type SkillScore, type SkillTrust } from '../../domain/skill.ts'
import { boundText, estimateTokens } from '../../domain/text.ts'
import type { Outcome } from '../../domain/thread.ts'
import { fencedSkill, tooLongToLoad } from '../block.ts'
import { hostedCatalogue } from '../catalogue.ts'
import { loadsExhausted, unknownSkill } from '../load.ts'
import type { SkillsTold } from '../thread-skills.ts'
import {
  createSkills,
  fitting,
  type LoadedRecord,
  type SkillsConfig,
  type SkillsContract,
  type SkillsRun,
  type SkillsRunBefore,
  type SkillsSeams,
} from './contract.ts'
import type { SkillDraftRecord } from './record.ts'

/**
 * Skills that whoever hosts the engine brings, beside those of the app: every thread that a person begins is told of them, and
 * loads them by `load_skill`. A name that the app has is the app's. Nothing that goes wrong in them ends a thread.
 * Source: seed R, the first-class agent option; RULES 18.
 */
export interface HostedSkills {
  /** What a thread that begins is told. @throws the signal's reason */
  begin(thread: HostedThread, signal: AbortSignal): Promise<HostedTold>
  /** The thread works with it from then on: whoever asked puts `skill.loaded` on record. @throws the signal's reason */
  load(
    threadId: string,
    asked: { readonly name: string; readonly version?: number | undefined },
    signal: AbortSignal,
  ): Promise<HostedLoaded>
  /** As far as it is known before it is loaded: else the worst that it can have. */
  trustOf(name: string): SkillTrust
  /** Undefined where nobody of the host decides on what an agent writes: then it comes to the app's queue. */
  readonly review: HostedReview | undefined
  ended(threadId: string, outcome: Outcome): void
}

export interface HostedReview {
  /** @throws the signal's reason */
  save(draft: SkillDraftRecord, signal: AbortSignal): Promise<HostedSaved>
  /** How long a decision may take. */
  readonly reviewMs: number
}

interface HostedThread {
  readonly id: string
  readonly goal: string
  readonly projectId: string
}

export interface HostedTold {
  /** '' for none. */
  readonly catalogue: string
  /** The bodies that stand there from the beginning; null for none. */
  readonly joins: SkillsTold | null
  /** What a person should know: sources that could not be read, say. */
  readonly problems: readonly string[]
}

export type HostedLoaded =
  | { readonly skill: ActiveSkill; readonly text: string }
  | { readonly code: 'skill.loads' | 'skill.not_found' | 'action.too_large' | 'action.failed'; readonly error: string }

export type HostedSaved =
  | { readonly status: 'promoted'; readonly version: number; readonly reason: string }
  | { readonly status: 'denied'; readonly reason: string }
  | { readonly error: string }

export interface HostedSeams extends SkillsSeams {
  /** The app has a skill of that name in the project. */
  readonly isTaken: (name: string, projectId: string) => boolean
  /** By what skills joined the thread. */
  readonly joinsOf: (threadId: string) => readonly SkillJoined[]
  /** To be active at once. */
  readonly joined: (threadId: string, skill: ActiveSkill) => void
}

/** A contract is taken as it is; a config is made one with the engine's own seams. */
export function createHostedSkills(given: SkillsConfig | SkillsContract, seams: HostedSeams): HostedSkills {
  const skills = 'catalogue' in given ? given : createSkills(given, seams)
  const { save } = skills
  const runs = new Map<string, SkillsRun>()
  const trusts = new Map<string, SkillTrust>()
  const runOf = (threadId: string): SkillsRun => {
    const run = runs.get(threadId) ?? skills.run(threadId, before(threadId))
    runs.set(threadId, run)
    return run
  }

  /** What a restart left: its loads are counted on, and its skills are answered for. */
  function before(threadId: string): SkillsRunBefore {
    const joins = seams.joinsOf(threadId)
    const loaded = joins
      .flatMap((join) => (join.kind === 'skill.loaded' ? [join.data.skill] : []))
      .filter(isHostedSkill)
    const told = joins.flatMap((join) => (join.kind === 'skill.selected' ? join.data.skills : [])).filter(isTold)
    return { loads: loaded.length, given: [...told, ...loaded].map(({ name, version }) => ({ name, version })) }
  }

  return {
    async begin({ id, goal, projectId }, signal) {
      const problems: string[] = []
      const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
        try {
          return await work()
        } catch (error) {
          signal.throwIfAborted()
          problems.push(problemText(skills.name, messageOf(error)))
          return undefined
        }
      }
      const listed = await attempt(() => skills.catalogue(signal, id))
      for (const { name } of listed?.entries ?? [])
        trusts.set(name, listed?.installed.includes(name) ? 'installed' : 'trusted')
      for (const { source, message } of listed?.problems ?? []) problems.push(problemText(source, message))
      const isFree = (name: string) => !seams.isTaken(name, projectId)
      const bodies = await attempt(() => runOf(id).preload(goal, signal, isFree))
      // Once more: a contract of somebody else's may give what it likes.
      const told = fitting((bodies ?? []).filter(({ name }) => isFree(name)).map(fencedAnew))
      signal.throwIfAborted()
      const joining = told.map(activeOf)
      for (const skill of joining) seams.joined(id, skill)
      return {
        catalogue: hostedCatalogue(skills.name, listed?.entries.filter(({ name }) => isFree(name)) ?? []),
        joins: joining.length === 0 ? null : toldOf(joining, told.map(({ text }) => text).join('\n\n')),
        problems: problems.slice(0, mostProblems),
      }
    },
    async load(threadId, { name, version }, signal) {
      try {
        const asked = { name, ...(version !== undefined && { version }) }
        const answer = await runOf(threadId).load(asked, signal)
        signal.throwIfAborted()
        if ('error' in answer) return { code: codeOf(answer.error), error: answer.error }
        const loaded = fencedAnew(answer)
        const tooLong = tooLongToLoad(name, loaded.text)
        if (tooLong !== null) return { code: 'action.too_large', error: tooLong }
        const skill = activeOf(loaded)
        seams.joined(threadId, skill)
        return { skill, text: loaded.text }
      } catch (error) {
        signal.throwIfAborted()
        return { code: 'action.failed', error: messageOf(error) }
      }
    },
    trustOf: (name) => trusts.get(name) ?? skills.trust,
    review: save && {
      async save(draft, signal) {
        try {
          const saved = await save(draft, signal)
          signal.throwIfAborted()
          if ('error' in saved) return saved
          const { decision } = saved
          if (!decision.approved) return { status: 'denied', reason: decision.reason }
          return { status: 'promoted', version: decision.version, reason: decision.reason }
        } catch (error) {
          signal.throwIfAborted()
          return { error: messageOf(error) }
        }
      },
      reviewMs: ('review' in given ? given.review?.timeoutMs : undefined) ?? limits.skillReviewMs,
    },
    ended(threadId, outcome) {
      const known = runs.get(threadId)
      runs.delete(threadId)
      if (known !== undefined) return known.end(outcome)
      const past = before(threadId)
      if (past.given.length > 0) skills.run(threadId, past).end(outcome)
    },
  }
}

/** What a child of a thread is held to: the ceiling of what a host brought from elsewhere, without its text. */
export function hostedCeiling(parents: readonly ActiveSkill[]): HostedTold | null {
  const skills = parents.filter((skill) => isHostedSkill(skill) && skill.trust === 'installed')
  if (skills.length === 0) return null
  const joins = toldOf(
    skills.map((skill) => ({ ...skill, tokens: 0 })),
    '',
  )
  return { catalogue: '', joins, problems: [] }
}

const mostProblems = 5

/** Whoever made the contract: the marks around a text are ours. */
function fencedAnew(loaded: LoadedRecord): LoadedRecord {
  return { ...loaded, text: fencedSkill(loaded, loaded.body) }
}

function activeOf({ name, version, trust, text }: LoadedRecord): ActiveSkill {
  return { id: hostedSkillId(name), name, version, trust, score: 0, tokens: estimateTokens(text), isForced: false }
}

function isTold(skill: ActiveSkill): boolean {
  return isHostedSkill(skill) && skill.tokens > 0
}

function toldOf(skills: readonly ActiveSkill[], text: string): SkillsTold {
  const table = skills.map(rowOf)
  return { data: { step: 0, skills, looked: skills.length, unavailable: [] }, body: { table }, text }
}

function rowOf({ name, tokens }: ActiveSkill): SkillScore {
  return {
    ...{ name, gate: true, keyword: 0, substring: 0, tag: 0, pattern: 0, veto: false, confidenceFactor: 1, score: 0 },
    ...{ tokens, picked: true, reason: 'brought by the host of the engine' },
  }
}

function codeOf(error: string): 'skill.loads' | 'skill.not_found' | 'action.failed' {
  if (error === loadsExhausted) return 'skill.loads'
  return error.startsWith(unknownSkill('')) ? 'skill.not_found' : 'action.failed'
}

function messageOf(error: unknown): string {
  return errorBody(error, 'action.failed').message
}

function problemText(where: string, message: string): string {
  const text = `Skills of the host are missing here: ${where}: ${message}`
  return boundText(text.replace(/\s+/g, ' '), limits.listGoalCharacters)
}
