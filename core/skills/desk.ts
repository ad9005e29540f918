import { hash } from 'node:crypto'
import type { Candidate } from '../domain/candidate.ts'
import { confidenceOf } from '../domain/confidence.ts'
import { AppError } from '../domain/error.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import {
  type SkillChoice,
  type SkillDetail,
  type SkillHeader,
  type SkillProblem,
  type SkillResource,
  type SkillUse,
  type SkillVersionHeader,
  writtenHere,
} from '../domain/skill.ts'
import type { Events } from '../events/events.ts'
import type { SkillRow, SkillVersionRow, Store } from '../store/store.ts'
import { skillTokens } from './block.ts'
import type { SkillCollection } from './collection/collection.ts'
import { parseSkill } from './file/parse.ts'
import { requestedActions } from './file/requests.ts'
import type { LoadedSkill } from './library.ts'
import { addLiveVersion, goLive, noSkill, requireSkill, takenBack } from './moves.ts'
import { renamed, unreadable } from './review/refusals.ts'
import type { SkillReview } from './review/review.ts'
import type { ThreadSkills } from './thread-skills.ts'

/** Skills as a person looks at them and changes them: each change is recorded, and none takes anything away. */
export interface SkillDesk {
  /** In the order of their names. */
  list(projectId: string | null): readonly SkillHeader[]
  /** By id, or by name in a project. @throws AppError skill.not_found */
  get(asked: {
    readonly name: string
    readonly projectId?: string | undefined
    readonly version?: number | undefined
  }): SkillDetail
  /** How skills would be chosen for a goal in a new chat. */
  select(goal: string, projectId: string | null): SkillChoice
  /** The newest first. @throws AppError skill.not_found */
  uses(id: string, limit: number): readonly SkillUse[]
  /** A person's own text, live at once. @throws AppError skill.not_found | invalid; candidate.stale where another version is live. */
  save(asked: {
    readonly id?: string | undefined
    readonly projectId?: string | undefined
    readonly parent: number | null
    readonly content: string
    readonly reason?: string | undefined
  }): SkillDetail
  /** @throws AppError skill.not_found */
  rollBack(asked: { readonly id: string; readonly to: number; readonly reason?: string | undefined }): SkillDetail
  /** @throws AppError skill.not_found */
  quarantine(asked: {
    readonly id: string
    readonly quarantined: boolean
    readonly reason?: string | undefined
  }): SkillDetail
  /** Proposes a project's skill for everywhere. @throws AppError skill.not_found | invalid where it is that already. */
  globalize(id: string): Candidate
  problems(projectId: string | null): readonly SkillProblem[]
}

export interface SkillDeskParts {
  readonly store: Store
  readonly events: Events
  readonly collection: SkillCollection
  readonly review: Pick<SkillReview, 'propose'>
  readonly skills: Pick<ThreadSkills, 'preview' | 'missing'>
  readonly redactor: Redactor
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  /** Files beside a SKILL.md, in its folder. */
  readonly resources: (folder: string) => readonly SkillResource[]
}

export function createSkillDesk(parts: SkillDeskParts): SkillDesk {
  const { store, events, collection, now } = parts

  /** Of the live version; the newest where none is live. */
  function versionRow(row: SkillRow, version?: number): SkillVersionRow {
    const number = version ?? row.live ?? store.skills.newestVersion(row.id)
    const found = store.skills.version(row.id, number)
    if (found === undefined) throw noSkill(`${row.name} v${number}`)
    return found
  }

  function headerOf(row: SkillRow, facts: SkillVersionRow, skill: LoadedSkill | undefined): SkillHeader {
    const { id, name, projectId, state, uses, successes, lastUsedAt } = row
    const { version, source, trust, place } = facts
    return {
      ...{ id, name, projectId, state, version, source, trust, place, uses, successes, lastUsedAt },
      description: skill?.description ?? '',
      confidence: confidenceOf(facts.successes, facts.uses),
      tokens: skill === undefined ? 0 : skillTokens(skill),
      missing: skill === undefined ? [] : parts.skills.missing(skill),
    }
  }

  /** As its row will be: whoever reads a store that another process owns finds files that are not in it yet. */
  function unwritten(skill: LoadedSkill): { readonly row: SkillRow; readonly facts: SkillVersionRow } {
    const { id, name, projectId, version, sha256, source, trust, place, file, folder } = skill
    const at = { createdAt: now(), uses: 0, successes: 0 }
    const row = {
      ...at,
      id,
      name,
      projectId,
      state: 'active',
      live: version,
      imported: version,
      lastUsedAt: null,
    } as const
    const origin = { parent: null, reason: `read from ${place}`, threadId: null, candidateId: null, cusum: 0 }
    const standing = { rolledBackAt: null, rolledBackReason: null, rolledBackThreads: [] }
    const facts = { ...at, ...origin, ...standing, skillId: id, version, sha256, source, trust, place, file, folder }
    return { row: store.skills.get(id) ?? row, facts: store.skills.version(id, version) ?? facts }
  }

  function rowOf(name: string, projectId: string | undefined): SkillRow | undefined {
    const byId = store.skills.get(name)
    if (byId !== undefined) return byId
    const own = projectId === undefined ? undefined : store.skills.byName(name, projectId)
    return own ?? store.skills.byName(name, null) ?? store.skills.all().find((each) => each.name === name)
  }

  function detailOf(row: SkillRow, version?: number): SkillDetail {
    const facts = versionRow(row, version)
    const skill = collection.version(row.id, facts.version)
    return whole(row, { facts, skill, content: store.skills.content(row.id, facts.version) ?? '' })
  }

  function whole(
    row: SkillRow,
    {
      facts,
      skill,
      content,
    }: { readonly facts: SkillVersionRow; readonly skill: LoadedSkill | undefined; readonly content: string },
  ): SkillDetail {
    const { activation } = skill ?? {}
    return {
      ...headerOf(row, facts, skill),
      ...{ content, body: skill?.body ?? content, sha256: facts.sha256, file: facts.file },
      keywords: activation?.keywords ?? [],
      excludeKeywords: activation?.exclude_keywords ?? [],
      patterns: activation?.patterns ?? [],
      tags: activation?.tags ?? [],
      snippets: (skill?.snippets ?? []).map(({ name, description, code }) => ({ name, description, code })),
      actions: skill === undefined ? [] : requestedActions(skill),
      isOnlyByName: skill?.isOnlyByName ?? false,
      resources: facts.folder === null ? [] : parts.resources(facts.folder),
      versions: store.skills.versions(row.id).map((each) => versionHeader(row, each)),
      diagnostics: skill?.diagnostics ?? [],
    }
  }

  /** True where a version was made from the other one, over however many between them. */
  function isAbove(skillId: string, above: number, version: number): boolean {
    const parent = store.skills.version(skillId, version)?.parent ?? null
    return parent !== null && parent < version && (parent === above || isAbove(skillId, above, parent))
  }

  return {
    list(projectId) {
      const { skills } = collection.library(projectId)
      collection.persist()
      const live = skills.map((skill) => ({ ...unwritten(skill), skill }))
      const names = new Set(live.map(({ row }) => row.id))
      const outOfUse = store.skills
        .all()
        .filter((row) => !names.has(row.id) && (row.projectId === null || row.projectId === projectId))
        // One that another of its name wins over in this project is shown where it counts.
        .filter((row) => row.state !== 'active' && store.skills.newestVersion(row.id) > 0)
        .map((row) => ({ row, facts: versionRow(row), skill: collection.version(row.id, versionRow(row).version) }))
      const all = [...live, ...outOfUse].map(({ row, facts, skill }) => headerOf(row, facts, skill))
      return all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },

    get({ name, projectId, version }) {
      const library = collection.library(projectId ?? null)
      collection.persist()
      const row = rowOf(name, projectId)
      if (row !== undefined) return detailOf(row, version)
      const skill = library.get(name)
      if (skill === undefined) throw noSkill(name)
      return whole(unwritten(skill).row, { facts: unwritten(skill).facts, skill, content: collection.content(skill) })
    },

    select: (goal, projectId) => parts.skills.preview(goal, projectId),
    uses: (id, limit) => store.skills.uses(requireSkill(store, id).id, limit),

    save({ id, projectId = null, parent, content: given, reason = 'edited by you' }) {
      collection.persist()
      const content = parts.redactor.text(given)
      const verdict = parseSkill(Buffer.from(content), '')
      if (verdict.outcome === 'reject') throw unreadable(verdict.diagnostics)
      const { name } = verdict.skill
      const known = id === undefined ? store.skills.byName(name, projectId) : requireSkill(store, id)
      if (known !== undefined && known.name !== name) throw renamed(known, name)
      if ((known?.live ?? null) !== parent) throw changedMeanwhile(name)
      const sha256 = hash('sha256', content)
      const skillId = known?.id ?? parts.nextId('skl')
      events.commit((append) => {
        if (known === undefined)
          store.skills.insert({ id: skillId, name, projectId, state: 'active', createdAt: now() })
        const row = requireSkill(store, skillId)
        // A word that is changed in a text from elsewhere does not make it the person's own.
        const trust = known === undefined ? 'trusted' : versionRow(row, parent ?? undefined).trust
        const facts = { source: 'authored', trust, place: writtenHere, file: null, folder: null, reason } as const
        const origin = { threadId: null, candidateId: null, createdAt: now(), content }
        addLiveVersion(store, append, { row, by: 'person', parent, sha256, ...facts, ...origin })
      })
      collection.changed()
      return detailOf(requireSkill(store, skillId))
    },

    rollBack({ id, to, reason = 'rolled back by you' }) {
      collection.persist()
      const row = requireSkill(store, id)
      const version = versionRow(row, to)
      if (row.state === 'active' && row.live === to) return detailOf(row)
      events.commit((append) => {
        const isBack = row.live !== null && isAbove(id, to, row.live)
        if (isBack && row.live !== null) {
          store.skills.noteRollback({ skillId: id, version: row.live, at: now(), reason, threadIds: [] })
        }
        store.skills.clearRollback(id, version.sha256)
        goLive(store, append, { row, version, by: 'person', reason })
      })
      collection.changed()
      return detailOf(requireSkill(store, id))
    },

    quarantine({ id, quarantined, reason = quarantined ? 'put out of use by you' : 'in use again' }) {
      collection.persist()
      const row = requireSkill(store, id)
      if ((row.state === 'quarantined') === quarantined) return detailOf(row)
      // Its live version stays what it is, and is the one that is in use again.
      const version = row.live === null ? null : versionRow(row, row.live)
      events.commit((append) => {
        if (!quarantined) {
          goLive(store, append, { row: { ...row, live: null }, version, by: 'person', reason })
          // It was only its file's, and that was not there: it comes back with it.
          const all = store.skills.versions(id)
          const newest = all.find((each) => each.version === row.imported)
          if (version === null && newest !== undefined && !takenBack(all).has(newest.sha256))
            store.skills.move(id, null, 'gone')
          return
        }
        goLive(store, append, { row, version: null, by: 'person', reason })
        store.skills.move(id, row.live, 'quarantined')
      })
      collection.changed()
      return detailOf(requireSkill(store, id))
    },

    globalize(id) {
      const row = requireSkill(store, id)
      if (row.projectId === null) throw isGlobal(row.name)
      const { version, source, trust } = versionRow(row)
      const content = store.skills.content(id, version) ?? ''
      return parts.review.propose({
        ...{
          kind: 'global',
          name: row.name,
          projectId: null,
          content,
          source,
          trust,
          threadId: null,
          callKey: null,
          asksAnew: true,
        },
        ...{ proposedBy: 'you', reason: 'from one project to everywhere', evidence: [] },
      })
    },

    problems: (projectId) => collection.problems(projectId),
  }
}

function versionHeader(row: SkillRow, facts: SkillVersionRow): SkillVersionHeader {
  const { version, parent, sha256, source, trust, place, reason, threadId, createdAt, rolledBackAt } = facts
  const state = row.live === version ? 'live' : rolledBackAt === null ? 'retired' : 'rolledBack'
  const rolledBack =
    rolledBackAt === null
      ? null
      : { at: rolledBackAt, reason: facts.rolledBackReason ?? '', threadIds: facts.rolledBackThreads }
  const confidence = confidenceOf(facts.successes, facts.uses)
  return { version, parent, state, sha256, source, trust, place, reason, threadId, createdAt, confidence, rolledBack }
}

function changedMeanwhile(name: string): AppError {
  return new AppError('candidate.stale', {
    message: `another version of ${name} is live than the one that was edited`,
    userMessage: `Another version of ${name} is live than the one that you began with. Nothing was saved. Look at it, and edit that one.`,
  })
}

function isGlobal(name: string): AppError {
  return new AppError('skill.invalid', {
    message: `${name} is everywhere already`,
    userMessage: `${name} can be used everywhere already. Nothing was changed.`,
  })
}
