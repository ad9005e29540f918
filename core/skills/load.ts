import { limits } from '../domain/limits.ts'
import type { ActiveSkill, SkillTrust } from '../domain/skill.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import type { ActiveSkills } from './active.ts'
import { skillBlock, skillTokens, tooLongToLoad } from './block.ts'
import type { LoadedSkill, SkillLibrary } from './library.ts'
import { type FoundSkills, searchSkills } from './search.ts'

/** A skill that a model asks for by name. `version`: the live one without. */
export interface SkillToLoad {
  readonly threadId: string
  readonly name: string
  readonly version?: number | undefined
}

/** `unknown`: there is none of this name at all. `refused` says why in the words of seed R: it is a result, never a throw. */
export type SkillLoadAnswer =
  | { readonly kind: 'loaded'; readonly skill: ActiveSkill; readonly text: string }
  | { readonly kind: 'active'; readonly skill: ActiveSkill }
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'refused'; readonly code: SkillRefusal; readonly message: string }
type SkillRefusal = 'skill.loads' | 'skill.not_found' | 'action.too_large'

/** What threads load, and find, by themselves. Source: seed R; RULES 17, 18. */
export interface SkillLoads {
  /**
   * At most `limits.skillLoads` for a thread, counted from its record; one that is not there, too long, or active already, costs nothing.
   * It is active from here on: whoever asked puts `skill.loaded` on record in the same turn of the event loop.
   */
  load(asked: SkillToLoad): SkillLoadAnswer
  /** One that a host brought, told to the thread or about to be: it is active from here on, and costs no load of these. */
  joined(threadId: string, skill: ActiveSkill): void
  /** Undefined where it cannot be loaded. */
  trustOf(asked: SkillToLoad): SkillTrust | undefined
  /** By names, descriptions and tags, the best first. */
  search(asked: { readonly threadId: string; readonly query: string; readonly limit: number }): FoundSkills
}

export interface SkillLoadsParts {
  /** Null: of everywhere. */
  readonly library: (projectId: string | null) => SkillLibrary
  readonly store: { readonly threads: Pick<Store['threads'], 'get'> }
  readonly active: ActiveSkills
  /** What a skill requires and does not find. */
  readonly missing: (skill: LoadedSkill) => readonly string[]
  /** An approved version that is not the live one; undefined where there is none, or only live ones are kept. */
  readonly version?: (skill: LoadedSkill, version: number) => LoadedSkill | undefined
}

export function createSkillLoads({ library, store, active, missing, version: versionOf }: SkillLoadsParts): SkillLoads {
  const projectOf = (threadId: string): ThreadHeader['projectId'] | null =>
    store.threads.get(threadId)?.projectId ?? null

  function find({ threadId, name, version }: SkillToLoad): LoadedSkill | undefined {
    const live = library(projectOf(threadId)).get(name)
    if (live === undefined || version === undefined || version === live.version) return live
    return versionOf?.(live, version)
  }

  return {
    load(asked) {
      const { threadId, name, version } = asked
      const known = active
        .of(threadId)
        .findLast((each) => each.name === name && each.tokens > 0 && (version ?? each.version) === each.version)
      if (known !== undefined) return { kind: 'active', skill: known }
      const skill = find(asked)
      if (skill === undefined) {
        const message = unknownSkill(nameOf(asked))
        const isKnown = library(projectOf(threadId)).get(name) !== undefined
        return isKnown ? refused('skill.not_found', message) : { kind: 'unknown', message }
      }
      const reason = whyNot(skill, missing)
      if (reason !== null) return refused('skill.not_found', reason)
      const text = skillBlock(skill)
      const tooLong = tooLongToLoad(name, text)
      if (tooLong !== null) return refused('action.too_large', tooLong)
      if (active.loads(threadId) >= limits.skillLoads) return refused('skill.loads', loadsExhausted)
      const joins = activeOf(skill)
      active.loaded(threadId, joins)
      return { kind: 'loaded', skill: joins, text }
    },
    joined: active.loaded,
    trustOf: (asked) => find(asked)?.trust,
    search({ threadId, query, limit }) {
      const here = active.of(threadId)
      const { found, total } = searchSkills(library(projectOf(threadId)).skills, query, limit)
      const hits = found.map((skill) => {
        const { name, description, version, trust, activation } = skill
        const isActive = here.some((each) => each.name === name)
        const facts = { name, description, tags: activation.tags, version, trust, isActive }
        return { ...facts, reason: isActive ? null : whyNot(skill, missing) }
      })
      return { hits, total }
    },
  }
}

/** In the words of seed R. */
export const loadsExhausted = 'skill load budget exhausted'
export const unknownSkill = (name: string) => `unknown skill: ${name}`

/** As it joins a thread by a wish of its own: nobody weighed it. */
export function activeOf(skill: LoadedSkill): ActiveSkill {
  const { id, name, version, trust } = skill
  return { id, name, version, trust, score: 0, tokens: skillTokens(skill), isForced: false }
}

function nameOf({ name, version }: SkillToLoad): string {
  return version === undefined ? name : `${name}, version ${version}`
}

function refused(code: SkillRefusal, message: string): SkillLoadAnswer {
  return { kind: 'refused', code, message }
}

/** Why a model cannot have it; null where it can. */
export function whyNot(skill: LoadedSkill, missing: (skill: LoadedSkill) => readonly string[]): string | null {
  if (skill.isOnlyByName) return `only the user can ask for the skill ${skill.name}, as /${skill.name}`
  const lacking = missing(skill)
  return lacking.length === 0 ? null : `the skill ${skill.name} needs ${lacking.join(' and ')}`
}
