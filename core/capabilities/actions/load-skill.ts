import { z } from 'zod'
import type { ErrorCode } from '../../domain/error.ts'
import type { ActiveSkill, SkillTrust } from '../../domain/skill.ts'
import { type Action, defineAction } from '../action.ts'
import { summaryText, wholeNumber } from './parameters.ts'
import { refusal } from './refusal.ts'

/** What a thread asks for. `version`: the live one without. */
export interface SkillLoad {
  readonly threadId: string
  readonly name: string
  readonly version?: number | undefined
}

/** `text`: the skill's block as the prompt holds it. `active`: it stands in the transcript already, and cost nothing. */
export type SkillLoaded =
  | { readonly kind: 'loaded'; readonly skill: ActiveSkill; readonly text: string }
  | { readonly kind: 'active'; readonly skill: Pick<ActiveSkill, 'name' | 'version'> }
  /** There is none of this name at all. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'refused'; readonly code: SkillRefusal; readonly message: string }

type SkillRefusal = 'skill.loads' | 'skill.not_found' | 'action.too_large'

/** What there is to load; given at wiring, because it knows threads. */
export interface SkillLoader {
  /** Counts, and makes the skill active, within this very turn: calls of one batch share the budget. */
  load(asked: SkillLoad): SkillLoaded
  /** Undefined where there is none. Changes nothing. */
  trustOf(asked: SkillLoad): SkillTrust | undefined
}

/** Skills that the host of the engine brought: asked for a name that the app does not have. */
export interface HostedLoader {
  /** The thread works with it from then on. @throws the signal's reason */
  load(
    threadId: string,
    asked: Omit<SkillLoad, 'threadId'>,
    signal: AbortSignal,
  ): Promise<
    { readonly skill: ActiveSkill; readonly text: string } | { readonly code: ErrorCode; readonly error: string }
  >
  trustOf(name: string): SkillTrust
}

/** Reads a whole skill, and lets the thread work with it: its functions, its hosts, its ceiling. Source: seed R; RULES 17, 18. */
export function createLoadSkillAction(loader: SkillLoader, hosted?: HostedLoader): Action {
  return defineAction({
    name: 'load_skill',
    aliases: ['loadSkill'],
    description:
      'Gives you the whole text of a skill and makes it active: follow it as far as it serves what is asked.',
    parameters: z.strictObject({ name: z.string(), version: wholeNumber(1, 1_000_000).optional() }),
    effects: ['Compute'],
    isIdempotent: true,
    source: ({ name }, ended) => (isForeign(ended) ? { kind: 'skill', name } : null),
    brings(asked, threadId) {
      const trust = loader.trustOf({ threadId, ...asked }) ?? hosted?.trustOf(asked.name)
      return trust === 'installed' ? asked.name : undefined
    },
    summarize: ({ name }) => summaryText(name),
    async run(asked, { threadId, note, signal }) {
      const answer = loader.load({ threadId, ...asked })
      switch (answer.kind) {
        case 'unknown': {
          if (hosted === undefined) throw refusal('skill.not_found', answer.message)
          const found = await hosted.load(threadId, asked, signal)
          if ('error' in found) throw refusal(found.code, found.error)
          note({ kind: 'skill.loaded', data: { skill: found.skill } })
          return found.text
        }
        case 'refused':
          throw refusal(answer.code, answer.message)
        case 'active':
          return `The skill ${answer.skill.name} is active already, in version ${answer.skill.version}: its text stands above.`
        case 'loaded':
          note({ kind: 'skill.loaded', data: { skill: answer.skill } })
          return answer.text
      }
    },
  })
}

/** The head of the block is the engine's own: no text of a skill can write it. */
function isForeign(ended: { readonly ok: boolean; readonly value?: unknown }): boolean {
  return ended.ok && typeof ended.value === 'string' && /^<skill [^>\n]*trust="installed">/.test(ended.value)
}
