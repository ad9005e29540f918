import { cusumAfter, cusumLimit, isWorse, slowRuleUses } from '../../domain/confidence.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { limits } from '../../domain/limits.ts'
import { isTerminal, type ThreadHeader } from '../../domain/thread.ts'
import type { Append, Events } from '../../events/events.ts'
import type { SkillRow, SkillVersionRow, Store } from '../../store/store.ts'
import type { SkillCollection } from '../collection/collection.ts'
import { takeBack } from '../moves.ts'
import type { SkillReview } from '../review/review.ts'
import { type Judged, judgeUse, type WorkedWith } from './judge.ts'

/** Counts what threads show about versions of skills, and takes a version back that fails. Source: RULES 21. */
export interface SkillTracker {
  /** Looks at a thread once it is over; a second look changes nothing. Costs next to nothing for one without skills. */
  ended(thread: ThreadHeader): Promise<void>
  /**
   * A person said that a thread was wrong: what a skill's function gave it was, too. Within the transaction that says so, of a thread
   * that was looked at; answers what is to be done behind it.
   */
  corrected(append: Append, thread: ThreadHeader, reason: string): () => void
  /** The newest threads that ended in a process that did not live to look. */
  catchUp(): Promise<void>
}

export interface TrackerParts {
  readonly store: Store
  readonly events: Events
  readonly collection: Pick<SkillCollection, 'changed' | 'persist'>
  readonly review: Pick<SkillReview, 'propose'>
  readonly now: () => number
}

export function createSkillTracker({ store, events, collection, review, now }: TrackerParts): SkillTracker {
  async function ended(thread: ThreadHeader): Promise<void> {
    const uses = store.skills.usesOfThread(thread.id)
    const counted = new Set(uses.map(({ skillId: id, version }) => keyOf({ id, version })))
    const worked = workedWith(thread, store.events.skillsOf(thread.id)).filter((each) => !counted.has(keyOf(each)))
    if (worked.length === 0) return
    const record = await wholeRecord(thread.id)
    collection.persist()
    for (const skill of worked) note(skill, thread, judgeUse(skill, thread, record))
  }

  function note(skill: WorkedWith, thread: ThreadHeader, judged: Judged): void {
    const row = store.skills.get(skill.id)
    const version = store.skills.version(skill.id, skill.version)
    // A library that a test or a host brought has no rows to count in.
    if (row === undefined || version === undefined) return
    const use = { skillId: row.id, version: version.version, threadId: thread.id, at: now(), ...judged }
    const isTaken = events.commit((append) => {
      if (!store.skills.addUse(use)) return false
      append(thread.id, {
        kind: 'skill.used',
        data: { skillId: row.id, name: row.name, version: use.version, ...judged },
      })
      return judged.outcome !== null && addUp(append, row, version, judged.outcome)
    })
    if (isTaken) collection.changed()
    else proposeIfWorse(row, version)
  }

  type Use = ReturnType<Store['skills']['usesOfThread']>[number]

  function fail(append: Append, use: Use, said: string): () => void {
    const row = store.skills.get(use.skillId)
    const version = store.skills.version(use.skillId, use.version)
    if (row === undefined || version === undefined || use.how === 'selected') return () => {}
    const reason = `a person said that it was wrong: ${said}`
    if (!store.skills.failUse({ ...use, reason })) return () => {}
    const facts = { skillId: row.id, name: row.name, version: use.version, how: use.how, reason }
    append(use.threadId, { kind: 'skill.used', data: { ...facts, outcome: 'failure' } })
    const isTaken = settleCusum(append, row, version, cusumOf(version))
    return () => (isTaken ? collection.changed() : proposeIfWorse(row, version))
  }

  /** From its first use on: one of them was counted otherwise before. */
  function cusumOf(version: SkillVersionRow): number {
    const uses = store.skills.uses(version.skillId, limits.skillUses).filter((use) => use.version === version.version)
    const parent = achieved(parentOf(version))
    // Had they been known in time, a success after them would have been of the version before.
    return uses.toReversed().reduce((sum, { outcome }) => {
      return outcome === null || sum >= cusumLimit ? sum : cusumAfter(sum, outcome, parent)
    }, 0)
  }

  /** The fast rule. True where the version was taken back. */
  function addUp(append: Append, row: SkillRow, version: SkillVersionRow, outcome: 'success' | 'failure'): boolean {
    return settleCusum(append, row, version, cusumAfter(version.cusum, outcome, achieved(parentOf(version))))
  }

  function settleCusum(append: Append, row: SkillRow, version: SkillVersionRow, cusum: number): boolean {
    store.skills.setCusum(row.id, version.version, cusum)
    const isLive = row.live === version.version && row.state === 'active'
    if (cusum < cusumLimit || !isLive) return false
    const threadIds = failing(row.id, version.version)
    const reason = `v${version.version} failed in ${threadIds.length} of its last uses: it is worse, or what it relies on has changed`
    takeBack(store, append, { row, by: 'tracker', reason, at: now(), threadIds })
    return true
  }

  /** The slow rule: a person is asked, and where nobody answers it is carried out. */
  function proposeIfWorse(row: SkillRow, version: SkillVersionRow): void {
    const parent = parentOf(version)
    if (row.live !== version.version || row.state !== 'active' || parent === undefined) return
    const recent = store.skills
      .uses(row.id, limits.skillUses)
      .filter((use) => use.version === version.version && use.outcome !== null)
      .slice(0, slowRuleUses.most)
    const successes = recent.filter(({ outcome }) => outcome === 'success').length
    if (!isWorse({ successes, n: recent.length }, achieved(parent))) return
    const content = store.skills.content(row.id, parent.version)
    if (content === undefined) return
    review.propose({
      ...{ kind: 'rollback', name: row.name, projectId: row.projectId, content, source: parent.source },
      ...{
        trust: parent.trust,
        threadId: null,
        proposedBy: 'the tracker',
        callKey: `rollback/${row.id}/${version.version}`,
      },
      reason: `v${version.version} succeeds ${successes} of ${recent.length} times, v${parent.version} did ${parent.successes} of ${parent.uses}`,
      evidence: [],
    })
  }

  function parentOf({ skillId, parent }: SkillVersionRow): SkillVersionRow | undefined {
    return parent === null ? undefined : store.skills.version(skillId, parent)
  }

  /** Threads that failed among the last uses of a version, the newest first. */
  function failing(skillId: string, version: number): readonly string[] {
    const uses = store.skills.uses(skillId, limits.skillUses).filter((use) => use.version === version)
    const counted = uses.filter(({ outcome }) => outcome !== null).slice(0, slowRuleUses.most)
    return counted.filter(({ outcome }) => outcome === 'failure').map(({ threadId }) => threadId)
  }

  /** A page at a time, the event loop in between. */
  async function wholeRecord(threadId: string): Promise<readonly StoredEvent[]> {
    const record: StoredEvent[] = []
    for (;;) {
      const page = store.events.ofThread(threadId, record.at(-1)?.seq ?? 0, pageRows)
      record.push(...page)
      if (page.length < pageRows) return record
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return {
    ended,
    corrected(append, thread, reason) {
      const uses = store.skills.usesOfThread(thread.id).filter(({ outcome }) => outcome === 'success')
      const behind = uses.map((use) => fail(append, use, reason))
      return () => {
        for (const settle of behind) settle()
      }
    },
    async catchUp() {
      // As they ended: what counts is how many in a row.
      const newest = store.threads.list({ conversations: false, limit: newestThreads })
      for (const thread of newest.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0))) {
        if (isTerminal(thread.state)) await ended(thread)
      }
    },
  }
}

const pageRows = 200
/** More do not end in the moments before a crash. */
const newestThreads = 20

function achieved(parent: SkillVersionRow | undefined): { readonly successes: number; readonly n: number } {
  return { successes: parent?.successes ?? 0, n: parent?.uses ?? 0 }
}

/** Skills whose text was given to the thread's model. A child's are its parent's, but for those that it asked for itself. */
function workedWith(
  { parentId }: ThreadHeader,
  joined: ReturnType<Store['events']['skillsOf']>,
): readonly WorkedWith[] {
  const found = new Map<string, WorkedWith>()
  for (const event of joined) {
    if (event.kind === 'skill.selected' && parentId === null) {
      for (const skill of event.data.skills) found.set(keyOf(skill), { ...skill, how: 'selected' })
    }
    if (event.kind === 'skill.loaded') found.set(keyOf(event.data.skill), { ...event.data.skill, how: 'loaded' })
  }
  return [...found.values()]
}

function keyOf({ id, version }: Pick<WorkedWith, 'id' | 'version'>): string {
  return `${id}@${version}`
}
