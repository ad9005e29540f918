import { hash } from 'node:crypto'
import { canonicalJson, type Json } from '../domain/json.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import type { LearntItem, LearntSource, LearntTally } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import { boundText, sanitizeText } from '../domain/text.ts'
import type { Append, Events } from '../events/events.ts'
import type { Memory } from '../memory/memory.ts'
import type { Store } from '../store/store.ts'
import type { FixPatterns } from './fix-patterns.ts'
import { keepInsightDoc } from './insight-docs.ts'
import { mergeKeyOf } from './merge-key.ts'
import { writeOverlayDoc } from './overlay.ts'
import {
  alreadyDecided,
  notFound,
  notInForce,
  notTaken,
  notWhatWasSeen,
  settingMoved,
  tooLate,
  tooMany,
} from './refusals.ts'
import { type ProposableSettings, readSetting, settingChangeOf, settingTitle, withSetting } from './setting-changes.ts'

export type LearntProposal = Pick<
  LearntItem,
  'projectId' | 'kind' | 'topic' | 'text' | 'reason' | 'sources' | 'isUntrusted' | 'threadId'
> &
  Partial<Pick<LearntItem, 'patternId' | 'replaces'>> & {
    /** Of an insight: a person's message holds these words, said for good. Without that only a person puts it in force. */
    readonly isSaidOutright?: boolean
  }

export interface LearntDecision {
  readonly id: string
  readonly decision: 'approve' | 'reject'
  /** Of the text that was seen. */
  readonly sha256: string
  readonly reason?: string | undefined
}

/** What learning proposes, and the only place where it comes into force. Source: RULES 14; seed E, Self-Improvement Loop. */
export interface LearntBook {
  /**
   * Inert, unless it is one rule or one fact of threads that no untrusted text touched, and the settings allow that: the first that
   * its thread proposes. What says the same is one item, also where it was refused: it only gains sources.
   * @throws AppError learn.invalid, learn.full
   */
  propose(proposal: LearntProposal): LearntItem
  /** The first decision counts. @throws AppError learn.not_found | decided | expired | stale | full | invalid */
  decide(decision: LearntDecision): LearntItem
  /**
   * What it stood for is in force again. @throws AppError learn.not_found; learn.decided for what is not in force; learn.stale for a
   * setting that was changed since; learn.invalid for one that cannot be read.
   */
  undo(id: string, reason: string | null): LearntItem
  /** By what was measured, see `worseBy`. */
  takeBack(item: LearntItem, reason: string): void
  /** Proposals whose time is over are denied. */
  expireDue(): void
  /** What a crash left half done: docs of insights. */
  catchUp(): void
}

export interface BookParts {
  readonly store: Store
  readonly events: Events
  readonly memory: Pick<Memory, 'writeDoc' | 'archive'>
  readonly settings: ProposableSettings
  readonly patterns: FixPatterns
  readonly redactor: Redactor
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  /** How threads fared so far. */
  readonly tally: (projectId: string, signature: string) => LearntTally
}

type By = 'agent' | 'rule' | 'person' | 'measure' | 'time'

export function createLearntBook(parts: BookParts): LearntBook {
  const { store, events, settings, patterns, now } = parts

  function require(id: string): LearntItem {
    const item = store.learnt.get(id)
    if (item === undefined) throw notFound(id)
    return item
  }

  /** Within the transaction that is open: the row, what follows from it, and the fact. */
  function move(append: Append, item: LearntItem, by: By): LearntItem {
    store.learnt.update(item)
    const isOfRules = item.kind === 'overlay' && (item.state === 'live' || item.endedAt !== null)
    if (isOfRules) writeOverlayDoc(store, { ...item, at: now() })
    append(item.id, changed(item, by))
    return item
  }

  function putInForce(append: Append, item: LearntItem, by: 'rule' | 'person', reason: string | null): LearntItem {
    const isRule = item.kind === 'overlay'
    const replaced = item.replaces === null ? undefined : store.learnt.get(item.replaces)
    if (replaced?.state === 'live') end(append, replaced, { state: 'replaced', by, reason: `${item.id} stands for it` })
    return move(
      append,
      {
        ...item,
        ...{ state: 'live', appliedBy: by, decidedAt: now(), decisionReason: reason },
        patternId: item.patternId ?? (isRule ? patterns.learn(item) : null),
        before: isRule ? parts.tally(item.projectId, item.topic) : null,
      },
      by,
    )
  }

  function end(
    append: Append,
    item: LearntItem,
    to: { readonly state: 'undone' | 'replaced'; readonly by: By; readonly reason: string | null },
  ): LearntItem {
    if (to.state === 'undone' && item.patternId !== null) patterns.tally(item.projectId, item.patternId, false)
    const ended = move(append, { ...item, state: to.state, endedAt: now(), endReason: to.reason }, to.by)
    if (to.state === 'undone') revive(append, ended, to.by)
    return ended
  }

  /** What it stood for is in force again, unless another one stands for that, too. */
  function revive(append: Append, { id, projectId, replaces }: LearntItem, by: By): void {
    const older = replaces === null ? undefined : store.learnt.get(replaces)
    if (older?.state !== 'replaced') return
    if (store.learnt.live(projectId, limits.pageRows).some((each) => each.replaces === older.id)) return
    const decisionReason = `${id}, which stood for it, was taken back`
    move(append, { ...older, state: 'live', decidedAt: now(), decisionReason, endedAt: null, endReason: null }, by)
  }

  /** What its being in force, or not any more, means beside the row. */
  function follow(item: LearntItem): LearntItem {
    keepInsightDoc(parts, item)
    const replaced = item.replaces === null ? undefined : store.learnt.get(item.replaces)
    if (replaced !== undefined) keepInsightDoc(parts, replaced)
    return item
  }

  const isFull = (item: LearntItem) =>
    item.kind === 'overlay' &&
    store.learnt
      .live(item.projectId, limits.pageRows)
      .filter(({ id, kind }) => kind === 'overlay' && id !== item.replaces).length >= limits.overlayRules

  /** It is one of those that say the same: refused once it stays refused, and what is seen again gains sources. */
  function seenAgain(same: readonly LearntItem[], proposal: LearntProposal): LearntItem | undefined {
    const known = same.find(({ state }) => state !== 'expired')
    if (known === undefined || known.isDamaged || (known.state !== 'pending' && known.state !== 'live')) return known
    const sources = withSources(known.sources, proposal.sources)
    const isUntrusted = known.isUntrusted || proposal.isUntrusted
    if (sources.length === known.sources.length && isUntrusted === known.isUntrusted) return known
    const merged = { ...known, sources, isUntrusted }
    store.transaction(() => store.learnt.merge(merged))
    return merged
  }

  /** RULES 14. */
  function mayApply(
    { kind, isUntrusted, replaces, threadId }: LearntItem,
    { isSaidOutright }: LearntProposal,
  ): boolean {
    if (!settings.current.learning.autoApply || isUntrusted || replaces !== null) return false
    const isNarrow = kind === 'overlay' || (kind === 'insight' && isSaidOutright === true)
    return isNarrow && !ofThread(threadId).some(({ appliedBy }) => appliedBy === 'rule')
  }

  /** Its proposals are among the newest. */
  function ofThread(threadId: string): readonly LearntItem[] {
    return store.learnt.page(Number.MAX_SAFE_INTEGER, limits.pageRows).filter((item) => item.threadId === threadId)
  }

  /** So many of one thread are proposals; more are noise, or somebody's list. */
  function assertRoom({ projectId, kind, threadId }: LearntProposal): void {
    const waiting = store.learnt.pending(limits.pageRows).filter((each) => each.projectId === projectId)
    if (waiting.length >= limits.learntPending) throw tooMany('proposals that wait', limits.learntPending)
    const isInsight = kind === 'insight'
    if (isInsight && ofThread(threadId).filter((item) => item.kind === kind).length >= limits.insightsPerRun)
      throw notTaken(`One thread proposes at most ${limits.insightsPerRun} insights: the ones that matter most.`)
  }

  function changeSetting(item: LearntItem, from: 'before' | 'after', to: 'before' | 'after'): void {
    const change = settingChangeOf(item.text)
    const is = (value: Json) => canonicalJson(readSetting(settings.current, change.setting)) === canonicalJson(value)
    // Done already, by hand or in the moment before a crash.
    if (is(change[to])) return
    if (!is(change[from])) throw settingMoved(change.setting, settingTitle(change.setting))
    settings.set(withSetting(settings.current, change.setting, change[to]))
  }

  return {
    propose(proposal) {
      const text = textOf(proposal, parts.redactor)
      const { projectId, kind } = proposal
      const mergeKey = mergeKeyOf(kind, text)
      const again = seenAgain(store.learnt.same(projectId, kind, mergeKey), proposal)
      if (again !== undefined) return again
      assertRoom(proposal)
      const item: LearntItem = {
        ...{ id: parts.nextId('lrn'), projectId, kind, topic: proposal.topic, text, sha256: hash('sha256', text) },
        ...{ state: 'pending', reason: boundText(parts.redactor.text(proposal.reason), mostReason) },
        ...{ sources: withSources([], proposal.sources), isDamaged: false, isUntrusted: proposal.isUntrusted },
        ...{ threadId: proposal.threadId, patternId: proposal.patternId ?? null, replaces: proposal.replaces ?? null },
        ...{ appliedBy: null, proposedAt: now(), expiresAt: now() + limits.candidateMs, decidedAt: null },
        ...{ decisionReason: null, endedAt: null, endReason: null },
        before: kind === 'overlay' ? parts.tally(projectId, proposal.topic) : null,
      }
      const proposed = events.commit((append) => {
        store.learnt.insert({ ...item, mergeKey })
        store.learnt.update(item)
        append(item.id, changed(item, 'agent'))
        return mayApply(item, proposal) && !isFull(item)
          ? putInForce(append, item, 'rule', 'as the settings allow')
          : item
      })
      return follow(proposed)
    },

    decide({ id, decision, sha256, reason = null }) {
      const item = require(id)
      if (item.state !== 'pending') throw alreadyDecided(item)
      if (item.expiresAt <= now()) {
        expire(item)
        throw tooLate(item)
      }
      if (item.sha256 !== sha256) throw notWhatWasSeen(item)
      if (decision === 'reject') {
        return events.commit((append) => {
          if (item.patternId !== null) patterns.tally(item.projectId, item.patternId, false)
          return move(append, { ...item, state: 'rejected', decidedAt: now(), decisionReason: reason }, 'person')
        })
      }
      if (hash('sha256', item.text) !== sha256) throw notWhatWasSeen(item)
      if (item.isDamaged) throw notTaken('Where this comes from cannot be read.')
      if (isFull(item)) throw tooMany('rules in force', limits.overlayRules)
      if (item.kind === 'setting') changeSetting(item, 'before', 'after')
      return follow(events.commit((append) => putInForce(append, item, 'person', reason)))
    },

    undo(id, reason) {
      const item = require(id)
      if (item.state !== 'live') throw notInForce(item)
      if (item.kind === 'setting') changeSetting(item, 'after', 'before')
      return follow(events.commit((append) => end(append, item, { state: 'undone', by: 'person', reason })))
    },

    takeBack(item, reason) {
      follow(events.commit((append) => end(append, item, { state: 'undone', by: 'measure', reason })))
    },

    expireDue() {
      for (const item of store.learnt.pending(limits.pageRows)) if (item.expiresAt <= now()) expire(item)
    },

    catchUp() {
      for (const item of store.learnt.page(Number.MAX_SAFE_INTEGER, limits.pageRows)) keepInsightDoc(parts, item)
    },
  }

  function expire(item: LearntItem): void {
    const facts = { state: 'expired', decidedAt: now(), decisionReason: 'nobody answered in time' } as const
    events.commit((append) => move(append, { ...item, ...facts }, 'time'))
  }
}

const mostReason = 500
const mostQuote = 200

/** One line, safe to show, short enough. @throws AppError learn.invalid */
function textOf({ kind, text: given }: LearntProposal, redactor: Redactor): string {
  if (kind === 'setting') {
    settingChangeOf(given)
    return given
  }
  const text = redactor.text(sanitizeText(given)).replace(/\s+/g, ' ').trim()
  const most = kind === 'overlay' ? limits.overlayRuleCharacters : limits.insightCharacters
  const name = kind === 'overlay' ? 'A rule' : 'An insight'
  if (text === '') throw notTaken(`${name} needs words.`)
  if (text.length > most) throw notTaken(`${name} has at most ${most} characters; this one has ${text.length}.`)
  return text
}

/** Each place once, the first ones kept. */
function withSources(known: readonly LearntSource[], more: readonly LearntSource[]): readonly LearntSource[] {
  const all = new Map(known.map((source) => [keyOf(source), source]))
  for (const source of more) {
    const quote = boundText(source.quote.replace(/\s+/g, ' ').trim(), mostQuote)
    if (!all.has(keyOf(source))) all.set(keyOf(source), { ...source, quote })
  }
  return [...all.values()].slice(0, limits.learntSources)
}

const keyOf = ({ threadId, seq }: LearntSource) => `${threadId} ${seq ?? ''}`

function changed(item: LearntItem, by: By) {
  const { id: itemId, kind, projectId, state, sha256 } = item
  const reason = item.endReason ?? item.decisionReason ?? item.reason
  return {
    kind: 'learnt.changed',
    data: { itemId, kind, projectId, state, by, sha256, reason, preview: boundText(item.text, 200) },
  } as const
}
