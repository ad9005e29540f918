import { hash } from 'node:crypto'
import type {
  Candidate,
  CandidateDecision,
  CandidateDetail,
  CandidateKind,
  CheckedEdit,
  PartEvidence,
} from '../../domain/candidate.ts'
import type { Page } from '../../domain/contract.ts'
import type { SkillProposed } from '../../domain/event.ts'
import type { Redactor } from '../../domain/leaks/redactor.ts'
import { limits } from '../../domain/limits.ts'
import type { SkillResource, SkillResourceText, SkillSource, SkillTrust } from '../../domain/skill.ts'
import type { Append, Events } from '../../events/events.ts'
import type { SkillRow, SkillVersionRow, Store } from '../../store/store.ts'
import { skillTokens } from '../block.ts'
import type { SkillCollection } from '../collection/collection.ts'
import { parseSkill, type SkillSnippet } from '../file/parse.ts'
import type { LoadedSkill } from '../library.ts'
import { addLiveVersion, soundParent, takeBack, takenBack } from '../moves.ts'
import type { SkillQuestion } from '../select.ts'
import { readResource } from '../sources/resources.ts'
import { checksOf } from './checks.ts'
import { correctedAmong } from './corrected.ts'
import { findEvidence } from './evidence.ts'
import { firstOrder } from './first-order.ts'
import { hasForeignText } from './foreign.ts'
import { alreadyDecided, blocked, noFile, notFound, renamed, stale, tooLate, unreadable } from './refusals.ts'
import { wouldChange } from './would-change.ts'

/** A proposal: inert from the moment that it is written. */
export interface SkillProposal {
  readonly kind: CandidateKind
  readonly name: string
  readonly projectId: string | null
  readonly content: string
  readonly source: SkillSource
  readonly trust: SkillTrust
  readonly threadId: string | null
  readonly proposedBy: string
  readonly reason: string
  /** A person asks for it: it is asked anew, also where these bytes were refused before. */
  readonly asksAnew?: boolean
  /** The same key twice is one proposal. */
  readonly callKey: string | null
  /** Without one it is looked for in the thread's record. */
  readonly evidence?: readonly PartEvidence[]
  /** Below the data folder: the other files of an imported skill. */
  readonly folder?: string
}

/** Candidates for skills: nothing of them is live without a recorded decision on exactly their bytes. Source: RULES 20, 22. */
export interface SkillReview {
  /** The same bytes for the same place are one candidate, also where they were refused. @throws AppError skill.invalid */
  propose(proposal: SkillProposal): Candidate
  list(filter: {
    readonly state: 'pending' | 'decided'
    readonly before?: number | undefined
    readonly limit: number
  }): Page<Candidate>
  /** With diff, evidence, checks, and what it would have changed. @throws AppError candidate.not_found */
  get(id: string): Promise<CandidateDetail>
  /** What the checks say of another text for it; nothing is stored. @throws AppError candidate.not_found */
  checkEdit(id: string, content: string): Promise<CheckedEdit>
  /** One of the files beside its SKILL.md. @throws AppError candidate.not_found; skill.resource */
  file(id: string, path: string): Promise<SkillResourceText>
  readonly pendingCount: number
  /** The first decision counts. @throws AppError candidate.not_found | decided | expired | stale | blocked; skill.invalid for an edit. */
  decide(decision: CandidateDecision): Promise<Candidate>
  /** Candidates whose time is over are denied; a proposal to go back is carried out. */
  expireDue(): void
}

export interface ReviewParts {
  readonly store: Store
  readonly events: Events
  readonly collection: Pick<SkillCollection, 'library' | 'version' | 'changed' | 'persist'>
  readonly redactor: Redactor
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  readonly judged: Pick<SkillQuestion, 'missing' | 'confidence'>
  /** Files beside a SKILL.md, in its folder. */
  readonly resources: (folder: string) => readonly SkillResource[]
  /** Names of actions that there are. */
  readonly actions: () => readonly string[]
  /** Why the snippets do not compile; null where they do. */
  readonly codeFault: (snippets: readonly SkillSnippet[]) => Promise<string | null>
}

export function createSkillReview(parts: ReviewParts): SkillReview {
  const { store, events, collection, now } = parts

  function require(id: string): Candidate {
    const candidate = store.candidates.get(id)
    if (candidate === undefined) throw notFound(id)
    return candidate
  }

  /** What is live now in the place where the candidate would be. */
  function liveOf({ name, projectId }: Pick<Candidate, 'name' | 'projectId'>): Live | null {
    const row = store.skills.byName(name, projectId)
    if (row === undefined) return null
    const version = row.live === null ? undefined : store.skills.version(row.id, row.live)
    return { row, version: version ?? null }
  }

  /** What the diff is against: what is live, and once it is decided what it was written against. */
  function beforeOf(candidate: Candidate): CandidateDetail['before'] {
    const { state, target } = candidate
    const written = target === null ? null : (store.skills.version(target.skillId, target.version) ?? null)
    const version = state === 'pending' ? (liveOf(candidate)?.version ?? null) : written
    const content = version === null ? undefined : store.skills.content(version.skillId, version.version)
    if (version === null || content === undefined) return null
    return { version: version.version, sha256: version.sha256, content }
  }

  async function checked(candidate: Candidate, content: string) {
    const { name, projectId, threadId, trust, source } = candidate
    const verdict = parseSkill(Buffer.from(content), name)
    const library = collection.library(projectId)
    const at = { id: candidate.id, version: 0, projectId, file: null, folder: null, place: '', source, trust }
    const bytes = { sha256: hash('sha256', content), diagnostics: verdict.diagnostics }
    const skill: LoadedSkill | undefined =
      verdict.outcome === 'reject' ? undefined : { ...verdict.skill, ...at, ...bytes }
    const live = liveOf(candidate)
    const before =
      live?.version === null || live === null ? undefined : collection.version(live.row.id, live.version.version)
    const goals = pastGoals(projectId)
    // A pattern is to match the goals that it comes from.
    const { evidence = [] } = store.candidates.texts(candidate.id) ?? {}
    const learntFrom = new Set(evidence.flatMap(({ steps }) => steps.map((step) => step.threadId)))
    const isOpen = candidate.state === 'pending'
    const isStale = isOpen && (candidate.target?.sha256 ?? null) !== (live?.version?.sha256 ?? null)
    const checks = checksOf({
      ...{ content, verdict, skill, before, isStale, actions: parts.actions() },
      isShadowing: before === undefined && projectId !== null && collection.library(null).get(name) !== undefined,
      wasRolledBack: wasTakenBack(name, bytes.sha256),
      isUntrusted: threadId !== null && hasForeignText(recordOf(threadId)),
      corrected: correctedAmong(store, [...learntFrom, ...(threadId === null ? [] : [threadId])]),
      pastGoals: goals.filter(({ id }) => !learntFrom.has(id)).map(({ goal }) => goal),
      order: await firstOrder(parts.resources, content, store.candidates.texts(candidate.id)?.folder ?? null),
      codeFault: skill === undefined ? null : await parts.codeFault(skill.snippets),
    })
    const change =
      skill === undefined
        ? { n: 0, picksBefore: 0, picksAfter: 0, changes: [] }
        : wouldChange(skill, { goals, library, judged: parts.judged })
    return { checks, wouldChange: change, isStale, tokens: skill === undefined ? null : skillTokens(skill) }
  }

  /** In any project, and everywhere. */
  function wasTakenBack(name: string, sha256: string): boolean {
    const rows = store.skills.all().filter((row) => row.name === name)
    return rows.some(({ id }) => takenBack(store.skills.versions(id)).has(sha256))
  }

  function pastGoals(projectId: string | null) {
    const filter = { conversations: false, limit: limits.pastGoals * 4, ...(projectId !== null && { projectId }) }
    return store.threads
      .list(filter)
      .filter(({ parentId }) => parentId === null)
      .slice(0, limits.pastGoals)
  }

  /** What lies in folders counts as live, also where nobody looked there yet. */
  function writeFound(projectId: string | null): void {
    collection.library(projectId)
    collection.persist()
  }

  function propose(proposal: SkillProposal): Candidate {
    const { kind, name, projectId, threadId, callKey } = proposal
    writeFound(projectId)
    const known = callKey === null ? undefined : store.candidates.byCallKey(callKey)
    if (known !== undefined) return known
    const content = parts.redactor.text(proposal.content)
    const sha256 = hash('sha256', content)
    const same =
      kind === 'rollback' ? undefined : store.candidates.ofBytes(sha256).find((each) => isSame(each, proposal))
    const isAsked = proposal.asksAnew && (same?.state !== 'pending' || !hasFiles(same.id, proposal.folder))
    if (same !== undefined && !isAsked) return same
    const verdict = parseSkill(Buffer.from(content), name)
    if (verdict.outcome === 'reject') throw unreadable(verdict.diagnostics)
    const live = liveOf(proposal)?.version ?? null
    const target = live && { skillId: live.skillId, version: live.version, sha256: live.sha256 }
    const thread = threadId === null ? undefined : store.threads.get(threadId)
    const evidence =
      proposal.evidence ??
      (thread === undefined ? [] : findEvidence(verdict.skill, content, thread, recordOf(thread.id)))
    const id = parts.nextId('can')
    const expiresAt = now() + (kind === 'rollback' ? limits.rollbackProposalMs : limits.candidateMs)
    events.commit((append) => {
      store.candidates.insert({
        ...{ id, kind, name, projectId, sha256, target, threadId, callKey, evidence, content, expiresAt },
        ...{ source: proposal.source, trust: proposal.trust, proposedBy: proposal.proposedBy, reason: proposal.reason },
        ...{ proposedAt: now(), folder: proposal.folder ?? null },
      })
      append(threadId ?? id, { kind: 'skill.proposed', data: { candidateId: id, kind, name, sha256 } })
    })
    return require(id)
  }

  /** One that waits, was refused, or became what is live. What expired, or was live once, is another question. */
  function isSame(known: Candidate, { kind, name, projectId }: SkillProposal): boolean {
    if (known.kind !== kind || known.name !== name || known.projectId !== projectId) return false
    if (known.state === 'expired') return false
    return known.state !== 'approved' || liveOf(known)?.version?.sha256 === known.sha256
  }

  function hasFiles(id: string, folder: string | undefined): boolean {
    return (store.candidates.texts(id)?.folder ?? null) === (folder ?? null)
  }

  function* recordOf(threadId: string) {
    let after = 0
    for (let pages = 0; pages < mostPages; pages += 1) {
      const page = store.events.ofThread(threadId, after, recordPage)
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < recordPage) return
      after = last.seq
    }
  }

  /** Within an open transaction: what became of it, with the rows that it changes. */
  function settle(append: Append, candidate: Candidate, to: Settled): void {
    const { id, kind, name, sha256, threadId } = candidate
    const { state, reason } = to
    const version = state === 'approved' ? carryOut(append, candidate, reason) : null
    store.candidates.decide({ id, state, reason, at: now(), version })
    const proposed: SkillProposed = { candidateId: id, kind, name, sha256 }
    append(threadId ?? id, { kind: 'skill.decided', data: { ...proposed, state, version, reason } })
  }

  /** The only place where a candidate changes what is live. Answers the version that is live then. */
  function carryOut(append: Append, candidate: Candidate, reason: string | null): number | null {
    const { id, kind, name, projectId, sha256, source, trust, threadId } = candidate
    const live = liveOf(candidate)
    if (kind === 'rollback') {
      if (live === null) return null
      const why = reason ?? candidate.reason
      const failed = store.skills
        .uses(live.row.id, limits.skillUses)
        .filter(({ version, outcome }) => version === live.row.live && outcome === 'failure')
      const threadIds = failed.map((use) => use.threadId)
      const taken = { row: live.row, by: 'candidate', at: now(), candidateId: id, threadIds } as const
      return takeBack(store, append, { ...taken, reason: why })?.version ?? null
    }
    const row = live?.row ?? newSkill(name, projectId)
    const { content = '', folder = null } = store.candidates.texts(id) ?? {}
    const place = threadId === null ? candidate.proposedBy : `thread #${candidate.threadNumber ?? '?'}`
    return addLiveVersion(store, append, {
      ...{ row, by: 'candidate', parent: live?.version?.version ?? null, sha256, source, trust, place, threadId },
      ...{ file: folder === null ? null : `${folder}/SKILL.md`, folder, candidateId: id, createdAt: now(), content },
      reason: candidate.reason,
    })
  }

  function newSkill(name: string, projectId: string | null): SkillRow {
    const id = parts.nextId('skl')
    store.skills.insert({ id, name, projectId, state: 'active', createdAt: now() })
    return { ...{ id, name, projectId, live: null, imported: null, createdAt: now() }, ...unused }
  }

  function assertOpen(candidate: Candidate): void {
    if (candidate.state !== 'pending') throw alreadyDecided(candidate)
    // What is carried out by itself when nobody answers is still a person's to decide as long as it was not.
    if (candidate.expiresAt > now() || candidate.kind === 'rollback') return
    expire(candidate)
    throw tooLate(candidate)
  }

  function expire(candidate: Candidate): void {
    const reason = 'nobody answered in time'
    const state = candidate.kind === 'rollback' ? 'approved' : 'expired'
    // What is live meanwhile is another version: there is nothing to go back from.
    const isOver = candidate.kind === 'rollback' && !isAgainstLive(candidate)
    events.commit((append) => settle(append, candidate, { state: isOver ? 'expired' : state, reason }))
    collection.changed()
  }

  /** Of a proposal to go back: the version that it is about is in use, and would make way for just these bytes. */
  function isAgainstLive({ sha256, target, ...place }: Candidate): boolean {
    const live = liveOf(place)
    if (live?.row.state !== 'active' || live.version === null || live.version.version !== target?.version) return false
    return soundParent(store, live.row.id, live.version.version)?.sha256 === sha256
  }

  return {
    propose,
    list({ state, before, limit }) {
      if (state === 'pending') return { rows: store.candidates.pending(limit), next: null }
      const rows = store.candidates.decided(before ?? Number.MAX_SAFE_INTEGER, limit)
      return { rows, next: rows.length < limit ? null : (rows.at(-1)?.decidedAt ?? null) }
    },

    async get(id) {
      const candidate = require(id)
      const { content = '', evidence = [], folder = null } = store.candidates.texts(id) ?? {}
      const files = folder === null ? [] : parts.resources(folder)
      const found = await checked(candidate, content)
      return { ...candidate, content, evidence, files, before: beforeOf(candidate), ...found }
    },

    async checkEdit(id, content) {
      const candidate = require(id)
      const text = parts.redactor.text(content)
      // As it was written: a key that would be taken out must be seen, not only its place.
      return { sha256: hash('sha256', text), checks: (await checked(candidate, content)).checks }
    },

    async file(id, path) {
      require(id)
      const folder = store.candidates.texts(id)?.folder ?? null
      if (folder === null) throw noFile(path)
      return readResource(folder, path)
    },

    get pendingCount() {
      return store.candidates.countPending()
    },

    async decide({ id, decision, sha256, before, edited, reason = null }) {
      writeFound(require(id).projectId)
      const candidate = require(id)
      assertOpen(candidate)
      if (candidate.sha256 !== sha256) throw stale(candidate)
      if (decision !== 'approve') {
        const state = decision === 'reject' ? 'rejected' : 'quarantined'
        events.commit((append) => settle(append, candidate, { state, reason }))
        return require(id)
      }
      if (candidate.kind === 'rollback' && (edited !== undefined || !isAgainstLive(candidate))) throw stale(candidate)
      const seenLive = () => (liveOf(candidate)?.version?.sha256 ?? null) === before
      if (!seenLive()) throw stale(candidate)
      const content = edited === undefined ? store.candidates.texts(id)?.content : parts.redactor.text(edited)
      const verdict = parseSkill(Buffer.from(content ?? ''), candidate.name)
      if (content === undefined || verdict.outcome === 'reject') throw unreadable(verdict.diagnostics)
      if (verdict.skill.name !== candidate.name) throw renamed(candidate, verdict.skill.name)
      if (candidate.kind !== 'rollback') {
        const failed = (await checked(candidate, content)).checks.filter(({ state }) => state === 'failed')
        if (failed.length > 0) throw blocked(candidate, failed)
      }
      // The checks took their time: somebody else may have decided, or another version may be live since.
      assertOpen(require(id))
      if (require(id).sha256 !== sha256 || !seenLive()) throw stale(candidate)
      const bytes = { content, sha256: hash('sha256', content), name: candidate.name }
      // What is stored must be what was seen, whatever stands beside it.
      if (edited === undefined && bytes.sha256 !== sha256) throw stale(candidate)
      events.commit((append) => {
        if (edited !== undefined) store.candidates.edit(id, bytes)
        settle(append, { ...candidate, sha256: bytes.sha256 }, { state: 'approved', reason })
      })
      collection.changed()
      return require(id)
    },

    expireDue() {
      for (const candidate of store.candidates.pending(mostPending)) {
        if (candidate.expiresAt <= now()) expire(candidate)
      }
    },
  }
}

interface Live {
  readonly row: SkillRow
  readonly version: SkillVersionRow | null
}
interface Settled {
  readonly state: 'approved' | 'rejected' | 'quarantined' | 'expired'
  readonly reason: string | null
}

const unused = { state: 'active', uses: 0, successes: 0, lastUsedAt: null } as const
const recordPage = 200
const mostPages = 50
const mostPending = 1_000
