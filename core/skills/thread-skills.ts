import { limits } from '../domain/limits.ts'
import {
  type ActiveSkill,
  isHostedSkill,
  type SkillChoice,
  type SkillSelected,
  type SkillSelectedBody,
} from '../domain/skill.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import { createActiveSkills } from './active.ts'
import { skillBlock } from './block.ts'
import { catalogueOf } from './catalogue.ts'
import { missingFor, type SkillHost } from './gate.ts'
import type { LoadedSkill, SkillLibrary } from './library.ts'
import { createSkillLoads, type SkillLoads } from './load.ts'
import { createSkillSelector, type SkillQuestion, type SkillSelection, type SkillSelector } from './select.ts'

/** What a thread is told of skills for what was just said: the fact, and the message; '' where no skill joins. */
export interface SkillsTold {
  readonly data: SkillSelected
  readonly body: SkillSelectedBody
  readonly text: string
}

export interface SkillsAsked {
  readonly thread: Pick<ThreadHeader, 'id' | 'parentId' | 'projectId' | 'conversationId' | 'number'>
  readonly text: string
  readonly step: number
  /** The thread begins with it. */
  readonly isFirst: boolean
}

export interface ThreadSkills {
  /**
   * Chooses for what was said; null where there are no skills at all. To be recorded in the same turn of the event loop: the
   * thread works with them from then on.
   */
  choose(asked: SkillsAsked): SkillsTold | null
  /** In the order in which they joined. */
  active(threadId: string): readonly ActiveSkill[]
  /** The first of the active skills that comes from elsewhere. */
  installed(threadId: string): string | undefined
  /** Functions of the active skills that there still are; of one name the first. */
  snippets(threadId: string): readonly ActiveSnippet[]
  /** The active skills, each in the version whose text the thread was given; those that are out of use are left out. */
  loaded(threadId: string): readonly LoadedSkill[]
  /** All skills of a project in a few lines, for the system message; null: of everywhere. */
  catalogue(projectId: string | null): string
  /** A dry run for a goal, as a person would say it in a new chat of the project; null: with the skills of everywhere. */
  preview(goal: string, projectId: string | null): SkillChoice
  missing(skill: LoadedSkill): readonly string[]
  /** What threads load, and find, by themselves. */
  readonly loads: SkillLoads
  /** The live skill of a name in a project; null: of everywhere. */
  get(name: string, projectId: string | null): LoadedSkill | undefined
  /** False where a model need not hear of skills at all: its prompt is what it would be without them. */
  hasAny(projectId: string): boolean
}

export interface ActiveSnippet {
  readonly skill: string
  readonly version: number
  readonly name: string
  readonly code: string
}

export interface ThreadSkillsParts {
  /** Null: of everywhere. */
  readonly library: (projectId: string | null) => SkillLibrary
  readonly store: Pick<Store, 'events' | 'threads'>
  readonly host: SkillHost
  /** Of an extracted skill; null where nothing is known. */
  readonly confidence: (skill: LoadedSkill) => number | null
  /** An approved version that is not the live one; undefined where there is none, or only live ones are kept. */
  readonly version?: (skill: LoadedSkill, version: number) => LoadedSkill | undefined
  /** The version that a thread was given, as long as its skill is in use and it was not taken back; absent where only live ones are kept. */
  readonly inUse?: (skill: Pick<ActiveSkill, 'id' | 'version'>) => LoadedSkill | undefined
}

export function createThreadSkills(parts: ThreadSkillsParts): ThreadSkills {
  const { library, store, host, confidence } = parts
  const active = createActiveSkills(store)
  const missing = (skill: LoadedSkill) => missingFor(skill, host)
  const judged = { missing, confidence }
  const made = new WeakMap<SkillLibrary, { readonly selector: SkillSelector; readonly catalogue: string }>()

  /** Made anew when the skills are others. */
  function current(projectId: string | null) {
    const now = library(projectId)
    const known = made.get(now)
    if (known !== undefined) return known
    const fresh = { selector: createSkillSelector(now.skills), catalogue: catalogueOf(now.skills) }
    made.set(now, fresh)
    return fresh
  }

  /** Names of the app's own: one of a host may have the name of another skill. */
  const ownNames = (threadId: string) =>
    active.of(threadId).flatMap((skill) => (isHostedSkill(skill) ? [] : [skill.name]))

  function loaded(threadId: string): readonly LoadedSkill[] {
    const all = active.of(threadId).filter((skill) => !isHostedSkill(skill))
    if (all.length === 0) return []
    const { get } = library(store.threads.get(threadId)?.projectId ?? null)
    // Of one that it was given in two versions, what it was given last.
    const given = all.filter(({ id }, at) => all.findLastIndex((each) => each.id === id) === at)
    return given.flatMap((skill) => {
      const live = get(skill.name)
      const isLive = live?.id === skill.id && live.version === skill.version
      return (isLive ? live : parts.inUse?.(skill)) ?? []
    })
  }

  /** Of the turn before in the same chat. */
  function carriedInto({ conversationId, number }: SkillsAsked['thread']): readonly string[] {
    const before = store.threads.ofConversation(conversationId).findLast((thread) => thread.number < number)
    return before === undefined ? [] : ownNames(before.id)
  }

  return {
    choose({ thread, text, step, isFirst }) {
      const { id, parentId, projectId } = thread
      const looked = library(projectId).skills.length
      if (looked === 0) return null
      const parents = isFirst && parentId !== null ? ownNames(parentId) : []
      const question: SkillQuestion = {
        ...{ text, isPersons: parentId === null, ...judged, inherited: parents },
        active: ownNames(id),
        carried: isFirst && parentId === null ? carriedInto(thread) : [],
      }
      active.changes(id)
      return toldOf(current(projectId).selector.select(question, limits.skillTableRows), { step, looked })
    },
    active: active.of,
    installed: (threadId) => active.of(threadId).find(({ trust }) => trust === 'installed')?.name,
    snippets(threadId) {
      const all = loaded(threadId).flatMap(({ name: skill, version, snippets }) =>
        snippets.map(({ name, code }) => ({ skill, version, name, code })),
      )
      return all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at)
    },
    loaded,
    catalogue: (projectId) => current(projectId).catalogue,
    preview(goal, projectId) {
      const question = { text: goal, isPersons: true, active: [], inherited: [], carried: [], ...judged }
      const { joining, table, unavailable } = current(projectId).selector.select(question, Number.POSITIVE_INFINITY)
      return { selected: joining.map(({ skill }) => skill.name), table, unknown: unavailable }
    },
    missing,
    loads: createSkillLoads({ ...parts, active, missing }),
    get: (name, projectId) => library(projectId).get(name),
    hasAny: (projectId) => library(projectId).skills.length > 0,
  }
}

function toldOf(
  { joining, table, unavailable }: SkillSelection,
  { step, looked }: Pick<SkillSelected, 'step' | 'looked'>,
): SkillsTold {
  const skills = joining.map(({ skill: { id, name, version, trust }, score, tokens, isForced }) => ({
    ...{ id, name, version, score, tokens, trust, isForced },
  }))
  const facts = { step, skills, looked, unavailable: unavailable.slice(0, limits.skillTableRows) }
  const shown = table.filter((row, at) => at < limits.skillTableRows || row.picked)
  return { data: facts, body: { table: shown }, text: textOf(joining, facts.unavailable) }
}

function textOf(joining: SkillSelection['joining'], unavailable: readonly string[]): string {
  const blocks = joining.map(({ skill }) => skillBlock(skill))
  const parts = blocks.length === 0 ? [] : [`## Skills\n\n${intro}`, ...blocks]
  if (unavailable.length > 0) parts.push(unavailableNote(unavailable))
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`
}

const intro = 'These were chosen for what is asked. Follow them as far as they serve it.'

function unavailableNote(names: readonly string[]): string {
  const list = names.map((name) => `/${name}`).join(', ')
  return `${list}: no such skill is available here. Where the user meant a skill, say so.`
}
