import { AppError } from '../domain/error.ts'
import type { TraceIssue } from '../domain/issue.ts'
import { type LearntItem, type LearntSource, signatureOf } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Memory } from '../memory/memory.ts'
import type { FixPattern, Store } from '../store/store.ts'
import type { LearntBook } from './book.ts'
import type { FixPatterns } from './fix-patterns.ts'
import { type LearningReadings, type LogRange, type LogReader, walkLog } from './reading.ts'
import { orRefusal } from './refusals.ts'
import { type ProposableSettings, settingText } from './setting-changes.ts'
import { hasReadForeign, issuesToLearnFrom, isTelling } from './sound-threads.ts'

/** One kind of issue, over all threads that were read. */
export interface Finding {
  readonly signature: string
  readonly issue: TraceIssue
  readonly threads: readonly ThreadHeader[]
  readonly isUntrusted: boolean
  /** What is known to mend it, the best first. */
  readonly known: readonly FixPattern[]
  /** What was made of it by what is known: an item, a doc, or nothing yet. */
  readonly made: Made
}
export type Made =
  | { readonly kind: 'item'; readonly item: LearntItem; readonly patternId: string }
  | { readonly kind: 'doc'; readonly docId: string; readonly title: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'open' }

export interface Findings {
  /** Threads that went wrong since the cursor. */
  readonly threads: number
  readonly findings: readonly Finding[]
  /** There is more to read than one firing looks at. */
  readonly isMore: boolean
}

export interface FindingsParts {
  readonly store: Store
  readonly readings: LearningReadings
  readonly patterns: FixPatterns
  readonly book: Pick<LearntBook, 'propose'>
  readonly memory: Pick<Memory, 'writeDoc'>
  readonly settings: ProposableSettings
}

const selfImprovement = 'self-improvement'

/**
 * What went wrong in threads since the mission's cursor, and what is known of it: a known fix is tried first, by rules alone. A fix
 * that is in force already and does not help gives way to the next one. Source: seed E, Self-Improvement Loop.
 */
export function findingsFor(parts: FindingsParts, call: Omit<LogReader, 'mission'>): Findings {
  const { store, readings } = parts
  const reader = { ...call, mission: selfImprovement }
  const { found, until, isMore } = readIssues(store, call.projectId, readings.begin(reader))
  readings.keep(reader, until)
  const bySignature = Map.groupBy(
    found.flatMap(({ thread, issues }) => issues.map((issue) => ({ thread, issue }))),
    ({ issue }) => signatureOf(issue),
  )
  const foreign = new Set(found.flatMap(({ thread }) => (hasReadForeign(store, thread) ? [thread.id] : [])))
  const findings = [...bySignature].flatMap(([signature, seen]) => {
    const issue = seen.at(-1)?.issue
    if (issue === undefined) return []
    const threads = [...new Map(seen.map(({ thread }) => [thread.id, thread])).values()]
    const isUntrusted = threads.some(({ id }) => foreign.has(id))
    const known = parts.patterns.known(call.projectId, issue)
    const group = { signature, issue, threads, isUntrusted, known }
    if (issue.code === 'action.unknown') noteMissing(parts, group, call)
    return [{ ...group, made: makeKnown(parts, group, call) }]
  })
  return { threads: found.length, findings, isMore }
}

interface Found {
  readonly thread: ThreadHeader
  readonly issues: readonly TraceIssue[]
}

/** Threads of the project that were analysed in a stretch of the log, each once, with what learning may be about. */
function readIssues(store: Store, projectId: string, range: LogRange) {
  const found = new Map<string, Found>()
  const walk = walkLog(store, range, (event) => {
    if (event.kind !== 'trace.analysed') return false
    const thread = store.threads.get(event.threadId)
    const issues = issuesToLearnFrom(event.data.issues)
    if (thread?.projectId !== projectId || issues.length === 0 || !isTelling(store, thread)) return false
    found.set(thread.id, { thread, issues })
    return true
  })
  return { found: [...found.values()], ...walk }
}

type Group = Omit<Finding, 'made'>

function makeKnown(parts: FindingsParts, group: Group, call: Omit<LogReader, 'mission'>): Made {
  for (const fix of group.known) {
    const made = tryFix(parts, fix, group, call)
    if (made !== null) return made
  }
  return { kind: 'open' }
}

/** Null where this fix was tried, or cannot be: the next one is looked at. */
function tryFix(parts: FindingsParts, fix: FixPattern, group: Group, call: Omit<LogReader, 'mission'>): Made | null {
  switch (fix.level) {
    case 'PROMPT':
      return proposed(parts, fix, { ...itemOf(group, call), kind: 'overlay', topic: group.signature, text: fix.rule })
    case 'CONFIG': {
      const text = stepsChange(parts.settings, fix.rule, group)
      if (text === null) return null
      return proposed(parts, fix, { ...itemOf(group, call), kind: 'setting', topic: fix.rule, text })
    }
    case 'CODE':
      return describe(parts, fix, group, call)
  }
}

function proposed(
  parts: FindingsParts,
  fix: FixPattern,
  { threads, ...item }: Parameters<LearntBook['propose']>[0] & Pick<Group, 'threads'>,
): Made | null {
  const made = orRefusal(() => parts.book.propose({ ...item, patternId: fix.id }))
  // Words that the book does not take never fit; where it is full the next fix has no room either.
  if (made instanceof AppError) return made.code === 'learn.invalid' ? null : { kind: 'refused', why: made.message }
  return wasTried(made, threads) ? null : { kind: 'item', item: made, patternId: fix.id }
}

/** A person said no, it was taken back, or the issue came up in threads that were told of it. */
function wasTried({ state, decidedAt }: LearntItem, threads: readonly ThreadHeader[]): boolean {
  if (state === 'pending') return false
  return state !== 'live' || threads.some(({ createdAt }) => createdAt > (decidedAt ?? 0))
}

function itemOf(group: Group, { projectId, threadId }: Omit<LogReader, 'mission'>) {
  const { threads, issue, isUntrusted } = group
  const seen = threads.length === 1 ? 'Seen in one thread' : `Seen in ${threads.length} threads`
  return { projectId, threadId, threads, isUntrusted, sources: sourcesOf(group), reason: `${seen}: ${issue.reason}` }
}

function sourcesOf({ threads, issue }: Pick<Group, 'threads' | 'issue'>): readonly LearntSource[] {
  return threads.map(({ id, number }) => ({ threadId: id, threadNumber: number, seq: null, quote: issue.reason }))
}

/** Twice the steps, where it is the setting that was too small. */
function stepsChange(settings: ProposableSettings, setting: string, { threads }: Group): string | null {
  const { steps } = settings.current.budgets.thread
  const used = steps ?? limits.maxSteps
  const isBySetting = threads.some(({ maxSteps }) => maxSteps === steps)
  if (setting !== 'budgets.thread.steps' || !isBySetting || used * 2 > mostProposedSteps) return null
  return settingText(settings.current, setting, used * 2)
}
/** More steps than that are no answer to anything. */
const mostProposedSteps = 400

/** What only the program's authors can mend: told in a doc, never applied. */
function describe(parts: FindingsParts, fix: FixPattern, group: Group, call: Omit<LogReader, 'mission'>): Made {
  const { signature, issue, threads, isUntrusted } = group
  const doc = parts.memory.writeDoc({
    ...{
      projectId: call.projectId,
      type: 'Note',
      title: `Code proposal: ${signature}`.slice(0, limits.memoryTitleCharacters),
    },
    content: `${fix.strategy}\n\n${issue.class} (${issue.severity}): ${issue.reason}\n\nThreads:\n${threadLines(threads)}`,
    ...{ tags: ['code-proposal'], provenance: 'mission', untrusted: isUntrusted },
    ...{ sourceThreadId: call.threadId, callKey: `${call.callKey}/${signature}` },
  })
  return { kind: 'doc', docId: doc.id, title: doc.title }
}

/** An action that models ask for and that there is not. Source: RULES 25. */
function noteMissing(parts: FindingsParts, group: Group, call: Omit<LogReader, 'mission'>): void {
  const { issue, threads, isUntrusted } = group
  const name = issue.subject ?? 'an action'
  parts.memory.writeDoc({
    ...{ projectId: call.projectId, type: 'Spec', tags: ['missing-capability'], provenance: 'mission' },
    title: `Missing capability: ${name}`.slice(0, limits.memoryTitleCharacters),
    content: `The action ${name} does not exist. It was called for:\n\n${threadLines(threads)}`,
    ...{ untrusted: isUntrusted, sourceThreadId: call.threadId, callKey: `${call.callKey}/spec/${name}` },
  })
}

function threadLines(threads: readonly ThreadHeader[]): string {
  return threads.map(({ number, title }) => `- #${number}: ${title}`).join('\n')
}
