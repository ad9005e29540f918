import type { RunSkillCall } from '../capabilities/capabilities.ts'
import { AppError } from '../domain/error.ts'
import { conversationContext } from '../domain/profile.ts'
import { isTerminal, type ThreadHeader, type Tier } from '../domain/thread.ts'
import type { Events } from '../events/events.ts'
import { type LoadedSkill, type ThreadSkills, whyNot } from '../skills/skills.ts'
import { type RunInput, requireThread, type Sent, type Threads } from '../threads/threads.ts'
import { createProgress, type SkillProgress } from './progress.ts'
import { resultOf, type SkillRunResult, told } from './result.ts'
import { keepMissedSummaries, keepSummary, type SummaryParts } from './summary.ts'
import { makeWish, type WishParts } from './wish.ts'

export type { SkillProgress } from './progress.ts'
export type { SkillRunResult } from './result.ts'

/** A run that a person asks for. `tier`, `model`: in the place of what the skill's file says. */
export interface RunAsked {
  readonly skill: string
  readonly objective: string
  readonly projectId: string
  readonly tier?: Tier | undefined
  readonly model?: string | undefined
  readonly maxSteps?: number | undefined
  readonly budget?: RunInput['budget'] | undefined
  readonly approvesAll?: boolean | undefined
  /** What was said around it: its last 2,000 characters are told. */
  readonly conversationContext?: string | undefined
}

export interface RunParams extends RunAsked {
  /** Told of everything that happens, in order; what it throws changes nothing. */
  readonly onProgress?: ((progress: SkillProgress) => void) | undefined
  /** Aborted: the run is stopped, and that is its outcome. */
  readonly signal: AbortSignal
}

/** The life-cycle of a skill's run, whoever asks for it. Source: seed L; RULES 19. */
export interface Runs {
  /** Begins it as a thread of its own. @throws AppError skill.not_found, project.not_found */
  begin(asked: RunAsked, signal: AbortSignal): Promise<Sent>
  /** The same, and waits until it has ended or is suspended. @throws AppError skill.not_found, project.not_found */
  runSkill(params: RunParams): Promise<SkillRunResult>
  /** For `run_skill`: a child of the thread that calls. */
  readonly called: RunSkillCall
  /** A thread that ended: what is left to do where it was a run. */
  ended(thread: ThreadHeader): void
  /** What a process that did not live to do it has left. */
  catchUp(): void
}

export interface RunsParts extends WishParts, SummaryParts {
  readonly memory: WishParts['memory'] & SummaryParts['memory']
  readonly skills: Pick<ThreadSkills, 'active' | 'get' | 'missing'>
  readonly events: Pick<Events, 'subscribe'>
  /** Made after the actions are, one of which asks here. */
  readonly threads: () => Pick<Threads, 'beginRun' | 'callRun' | 'stop'>
}

export function createRuns(parts: RunsParts): Runs {
  const { store, skills, events, threads } = parts

  async function begin(asked: RunAsked, signal: AbortSignal): Promise<Sent> {
    const { objective, projectId, tier, model = null, maxSteps } = asked
    const { budget = null, approvesAll = false, conversationContext: given = '' } = asked
    const skill = personsSkill(skills, asked)
    const conversation = given === '' ? '' : conversationContext([{ role: 'user', content: given }])
    const around = { conversation, sources: [] }
    const wish = await makeWish(parts, { skill, objective, projectId, around, callerId: null, tier, signal })
    const bounded = maxSteps === undefined ? wish : { ...wish, maxSteps }
    return threads().beginRun({ projectId, model, budget, approvesAll, wish: bounded })
  }

  /** Settles when it has ended, or is suspended: then nobody knows when it goes on. */
  async function untilOver({ threadId, seq }: Sent, { onProgress, signal }: RunParams): Promise<void> {
    const tell = createProgress(onProgress ?? (() => undefined))
    let leave: () => void = () => undefined
    const stop = () => void threads().stop(threadId)
    try {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
        // Its own beginning came just before the event that is answered.
        leave = events.subscribe(seq - 3, ({ events: batch }) => {
          for (const event of batch) {
            if (event.threadId !== threadId) continue
            tell(event)
            if (event.kind !== 'thread.state') continue
            if (isTerminal(event.data.to) || event.data.to === 'Suspended') resolve()
          }
        })
      })
    } finally {
      signal.removeEventListener('abort', stop)
      leave()
    }
  }

  return {
    begin,
    async runSkill(params) {
      const sent = await begin(params, params.signal)
      await untilOver(sent, params)
      return resultOf(store, requireThread(store, sent.threadId))
    },
    async called({ threadId, callKey, name, objective, signal }) {
      const { projectId } = requireThread(store, threadId)
      const rest = await threads().callRun({
        ...{ threadId, callKey },
        wish: (around) => {
          const skill = modelsSkill(skills, { skill: name, projectId })
          return makeWish(parts, { skill, objective, projectId, around, callerId: threadId, signal })
        },
      })
      if (rest.kind === 'waits') return rest
      const result = resultOf(store, requireThread(store, rest.childId))
      if (result.outcome === 'answered' || result.outcome === 'maxSteps') {
        return { kind: 'ended', result: told(result), sources: rest.sources }
      }
      throw runFailed(name, result)
    },
    ended: (thread) => keepSummary(parts, thread),
    catchUp: () => keepMissedSummaries(parts),
  }
}

type SkillAsked = Pick<RunAsked, 'skill' | 'projectId'>

/** A person may run what only a person may name. */
function personsSkill(skills: RunsParts['skills'], { skill: name, projectId }: SkillAsked): LoadedSkill {
  const skill = skills.get(name, projectId)
  if (skill === undefined) throw noSkill(`unknown skill: ${name}`)
  const lacking = skills.missing(skill)
  if (lacking.length > 0) throw noSkill(`the skill ${name} needs ${lacking.join(' and ')}`)
  return skill
}

function modelsSkill(skills: RunsParts['skills'], { skill: name, projectId }: SkillAsked): LoadedSkill {
  const skill = skills.get(name, projectId)
  if (skill === undefined) throw noSkill(`unknown skill: ${name}`)
  const reason = whyNot(skill, skills.missing)
  if (reason !== null) throw noSkill(reason)
  return skill
}

function noSkill(message: string): AppError {
  return new AppError('skill.not_found', {
    message,
    userMessage: `${message.charAt(0).toUpperCase()}${message.slice(1)}. Nothing was run. \`threadsmith skill list\` shows what there is.`,
  })
}

/** A hard error: the model of the caller decides what becomes of it, and a person can try again. */
function runFailed(name: string, { outcome, text, threadId }: SkillRunResult): AppError {
  return new AppError('action.failed', {
    message: `the run of ${name} ended ${outcome ?? 'without an outcome'}: ${text}`,
    userMessage: `The run of the skill ${name} did not come to an answer: ${text} What it did is on its own record.`,
    data: { threadId, outcome },
    retryable: true,
  })
}
