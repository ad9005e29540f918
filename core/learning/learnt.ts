import type { LearntEntry, LearntItem, LearntSource, LearntStatus, ProposalKind } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import type { DocHeader } from '../domain/memory.ts'
import type { Settings } from '../domain/settings.ts'
import type { Memory } from '../memory/memory.ts'
import type { LoopVersion, LoopVersions } from '../orchestrator/orchestrator.ts'
import type { SkillSystem } from '../skills/skills.ts'
import type { SkillRow, SkillVersionRow, Store } from '../store/store.ts'
import type { LearntBook, LearntDecision } from './book.ts'
import { tallySince } from './effect.ts'
import type { FixPatterns } from './fix-patterns.ts'
import { notFound, notInForce } from './refusals.ts'
import { changeWords, type ProposableSettings, readSettingChange } from './setting-changes.ts'

/** “What I learnt”: everything that learning proposed or brought about, in one list, each with where it comes from and the way back. */
export interface LearntDesk {
  /** The newest first; of all projects where none is named. */
  list(of: { readonly projectId?: string | undefined; readonly limit: number }): readonly LearntEntry[]
  /** Bound to the exact text. @throws as `LearntBook.decide` */
  decide(decision: LearntDecision): LearntEntry
  /** Takes one back. @throws AppError learn.not_found, learn.decided, and those of what it is */
  undo(id: string, reason: string | null): LearntEntry
  /** Of one project, or of all. */
  status(projectId?: string): LearntStatus
  /** That wait for a person, of all projects. */
  readonly pendingCount: number
}

export interface LearntDeskParts {
  readonly store: Store
  readonly book: LearntBook
  readonly patterns: Pick<FixPatterns, 'list'>
  readonly memory: Pick<Memory, 'archive'>
  readonly skills: Pick<SkillSystem['desk'], 'rollBack' | 'quarantine'>
  readonly loops: () => Pick<LoopVersions, 'list' | 'rollBack' | 'current'>
  readonly settings: ProposableSettings
}

export function createLearntDesk(parts: LearntDeskParts): LearntDesk {
  const { store, book } = parts
  const projectIds = (only: string | undefined) =>
    only === undefined ? store.projects.list().map(({ id }) => id) : [only]

  function entries(only: string | undefined): readonly LearntEntry[] {
    const items = store.learnt.page(Number.MAX_SAFE_INTEGER, limits.pageRows)
    const skills = store.skills.all().filter(({ projectId }) => only === undefined || projectId === only)
    return [
      ...items
        .filter(({ projectId }) => only === undefined || projectId === only)
        .map((item) => itemEntry(parts, item)),
      ...projectIds(only).flatMap((projectId) => docEntries(store, projectId)),
      ...skills.flatMap((row) => skillEntries(store, row)),
      ...parts
        .loops()
        .list()
        .flatMap((version) => loopEntries(parts, version, only)),
    ].toSorted((a, b) => b.at - a.at)
  }

  function entryOf(id: string): LearntEntry {
    const item = store.learnt.get(id)
    if (item !== undefined) return itemEntry(parts, item)
    const entry = entries(undefined).find((each) => each.id === id)
    if (entry === undefined) throw notFound(id)
    return entry
  }

  function undoEntry({ id, kind, state, undo }: LearntEntry, reason: string | null): void {
    // One that is damaged says so itself.
    if (undo === null && state !== 'live') throw notInForce({ id, state: state === 'gone' ? 'undone' : state })
    const [ofWhat = '', version = '0'] = id.split('@')
    switch (kind) {
      case 'skill': {
        const parent = store.skills.version(ofWhat, Number(version))?.parent ?? null
        const why = reason === null ? {} : { reason }
        if (parent === null) parts.skills.quarantine({ id: ofWhat, quarantined: true, ...why })
        else parts.skills.rollBack({ id: ofWhat, to: parent, ...why })
        return
      }
      case 'loop':
        parts.loops().rollBack()
        return
      case 'lesson':
      case 'spec':
      case 'code':
        parts.memory.archive(id, true)
        return
      default:
        book.undo(id, reason)
    }
  }

  return {
    list: ({ projectId, limit }) => entries(projectId).slice(0, limit),
    decide: (decision) => itemEntry(parts, book.decide(decision)),
    undo(id, reason) {
      undoEntry(entryOf(id), reason)
      return entryOf(id)
    },
    status(projectId) {
      const pending = store.learnt.pending(limits.pageRows)
      const live = projectIds(projectId).flatMap((id) => store.learnt.live(id, limits.pageRows))
      const count = (kind: ProposalKind) => live.filter((item) => item.kind === kind).length
      const fixes = projectIds(projectId).flatMap((id) => parts.patterns.list(id))
      const cursors = projectIds(projectId).flatMap((id) => store.readings.ofProject(id, limits.pageRows))
      return {
        autoApply: parts.settings.current.learning.autoApply,
        pending: pending.filter((item) => projectId === undefined || item.projectId === projectId).length,
        live: { overlay: count('overlay'), insight: count('insight'), setting: count('setting') },
        fixes: new Set(fixes.map(({ id }) => id)).size,
        cursors: cursors.map(({ mission, projectId: of, seq, until }) => ({
          mission,
          projectId: of,
          seq: until ?? seq,
        })),
      }
    },
    get pendingCount() {
      return store.learnt.countPending()
    },
  }
}

function itemEntry({ store, settings }: Pick<LearntDeskParts, 'store' | 'settings'>, item: LearntItem): LearntEntry {
  const { id, kind, projectId, text, state, topic, sources, isUntrusted, appliedBy, replaces } = item
  const isRefused = state === 'rejected' || state === 'expired'
  const reason = [item.reason, item.isDamaged ? damaged : '', state === 'pending' ? correctedIn(store, sources) : '']
  return {
    ...{ id, kind, projectId, state, topic, sources, isUntrusted, appliedBy, replaces },
    reason: reason.filter((text) => text !== '').join(' '),
    endReason: isRefused ? item.decisionReason : item.endReason,
    expiresAt: state === 'pending' ? item.expiresAt : null,
    text: kind === 'setting' ? settingWords(item, settings.current) : text,
    at: item.endedAt ?? item.decidedAt ?? item.proposedAt,
    sha256: state === 'pending' ? item.sha256 : null,
    effect: kind === 'overlay' ? { before: item.before, after: tallySince(store, item) } : null,
    undo: state === 'live' && isReadable(item) ? undoOf(item) : null,
  }
}

function undoOf({ kind, replaces }: LearntItem): string {
  const revived = replaces === null ? '' : ' What it stood for is in force again.'
  return `${undoWords[kind]}${revived}`
}

const undoWords: Readonly<Record<ProposalKind, string>> = {
  overlay: 'Threads that begin from then on are not told this rule.',
  insight: 'It is forgotten: later threads are not told it, and it is not proposed again.',
  setting: 'The setting goes back to what it was before.',
}

/** What a person said since of the threads that it comes from. */
function correctedIn(store: Store, sources: readonly LearntSource[]): string {
  const wrong = sources.filter(({ threadId }) => store.events.isCorrected(threadId))
  const numbers = [...new Set(wrong.map(({ threadNumber }) => `#${threadNumber}`))]
  return numbers.length === 0 ? '' : `You said since that ${numbers.join(', ')} went wrong.`
}

const damaged = 'Where it comes from cannot be read: this entry is damaged.'

function isReadable({ kind, text }: LearntItem): boolean {
  return kind !== 'setting' || readSettingChange(text) !== null
}

/** Of what waits also what the setting is by now: a yes changes only what was proposed. */
function settingWords({ text, state }: LearntItem, settings: Settings): string {
  const change = readSettingChange(text)
  if (change === null) return 'A change of a setting that cannot be read: this entry is damaged.'
  return changeWords(change, state === 'pending' ? settings : null)
}

const nothing = {
  ...{ topic: '', appliedBy: null, replaces: null, expiresAt: null, endReason: null, effect: null, sha256: null },
  isUntrusted: false,
} as const

/** Lessons and Specs that learning wrote, and what it would have the program's authors change. */
function docEntries(store: Store, projectId: string): readonly LearntEntry[] {
  const of = (type: 'Lesson' | 'Spec' | 'Note', archived: boolean) =>
    store.docs.list({ projectId, type, archived, limit: limits.pageRows })
  const kindOf = ({ type, tags }: DocHeader) =>
    type === 'Note' ? (tags.includes('code-proposal') ? 'code' : null) : type === 'Lesson' ? 'lesson' : 'spec'
  return [false, true]
    .flatMap((archived) => [...of('Lesson', archived), ...of('Spec', archived), ...of('Note', archived)])
    .filter(({ provenance }) => provenance === 'mission')
    .flatMap((doc) => {
      const kind = kindOf(doc)
      if (kind === null) return []
      const { id, title, updatedAt, untrusted, archivedAt, sourceThreadId } = doc
      return [
        {
          ...{ ...nothing, id, kind, projectId, text: title, isUntrusted: untrusted, at: updatedAt },
          state: archivedAt === null ? ('live' as const) : ('undone' as const),
          reason: 'Written by a learning mission.',
          sources: threadSource(store, sourceThreadId),
          undo: archivedAt === null ? 'The note is put away; every version of it stays.' : null,
        },
      ]
    })
}

/** Versions that agents wrote and that were live once. */
function skillEntries(store: Store, row: SkillRow): readonly LearntEntry[] {
  const versions = store.skills.versions(row.id)
  return versions
    .filter(({ source }) => source === 'extracted')
    .map((version) => {
      const isLive = row.live === version.version && row.state === 'active'
      const parent = versions.find((each) => each.version === version.parent)
      return {
        ...{ ...nothing, id: `${row.id}@${version.version}`, kind: 'skill', projectId: row.projectId },
        ...{ text: `${row.name} v${version.version}`, reason: version.reason, topic: row.name },
        ...{ sources: threadSource(store, version.threadId), at: version.rolledBackAt ?? version.createdAt },
        state: isLive ? ('live' as const) : version.rolledBackAt === null ? ('replaced' as const) : ('undone' as const),
        endReason: version.rolledBackReason,
        effect: { before: parent === undefined ? null : usesOf(parent), after: usesOf(version) },
        undo: isLive ? 'The version before it is in use again; without one the skill is put out of use.' : null,
      }
    })
}

function usesOf({ uses, successes }: SkillVersionRow) {
  return { n: uses, issues: uses - successes, failures: uses - successes }
}

/** Versions of the step loop that a thread wrote. */
function loopEntries(
  { store, loops }: Pick<LearntDeskParts, 'store' | 'loops'>,
  version: LoopVersion,
  only: string | undefined,
): readonly LearntEntry[] {
  const thread = store.threads.get(version.source)
  if (thread === undefined || (only !== undefined && thread.projectId !== only)) return []
  const isLive = loops().current === version.version
  return [
    {
      ...{ ...nothing, id: `loop@${version.version}`, kind: 'loop', projectId: thread.projectId },
      ...{ text: `Step loop, version ${version.version}`, reason: version.reason },
      ...{ sources: threadSource(store, thread.id), at: version.decidedAt ?? version.createdAt },
      state: isLive ? 'live' : loopStates[version.state],
      endReason: version.state === 'failed' ? `It failed ${version.failures} times by itself.` : null,
      undo: isLive ? 'New threads begin with the version before it.' : null,
    },
  ]
}

const loopStates = { candidate: 'pending', active: 'replaced', retired: 'undone', failed: 'undone' } as const

function threadSource(store: Store, threadId: string | null): readonly LearntSource[] {
  const thread = threadId === null ? undefined : store.threads.get(threadId)
  if (thread === undefined) return []
  return [{ threadId: thread.id, threadNumber: thread.number, seq: null, quote: thread.title }]
}
