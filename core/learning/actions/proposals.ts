import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import type { JsonObject } from '../../domain/json.ts'
import { insightTopics, type LearntItem, type LearntSource, type LearntState } from '../../domain/learnt.ts'
import { limits } from '../../domain/limits.ts'
import type { ThreadHeader } from '../../domain/thread.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Store } from '../../store/store.ts'
import type { LearntBook } from '../book.ts'
import { hasIssue } from '../effect.ts'
import { notTaken } from '../refusals.ts'
import { type ProposableSettings, proposableSettings, settingText } from '../setting-changes.ts'
import { hasReadForeign, isOfLearning } from '../sound-threads.ts'

export interface ProposalParts {
  readonly store: Store
  readonly book: Pick<LearntBook, 'propose'>
  readonly memory: Pick<Memory, 'writeDoc'>
  readonly settings: ProposableSettings
}

const threadNumbers = z.array(z.number().int().positive()).min(1).max(limits.learntSources)
const reasonText = z.string().trim().min(1).max(500)
/** Keyed by what they say: the same call run again finds its own item. They change nothing by themselves. */
const proposing = { effects: ['Compute'], isIdempotent: true } as const
/** A note, as other threads may read it; keyed by the call. */
const noting = { effects: ['WriteLocal'], isIdempotent: true, askedFor: ['note', 'write', 'keep', 'learn'] } as const

/** Proposals of a model for what no known fix mends: inert, or one rule as the settings allow it. */
export function createProposalActions(parts: ProposalParts): readonly Action[] {
  const { store, book, memory, settings } = parts
  return [
    defineAction({
      ...proposing,
      name: 'overlay_propose',
      description:
        'Proposes one rule for the system message, against one kind of issue that trace_findings left open. Short, specific, about how to work; nothing about single files.',
      parameters: z.strictObject({
        rule: z.string().trim().min(1).max(limits.overlayRuleCharacters),
        issue: z.string().min(1).max(200).describe('As trace_findings names it.'),
        threads: threadNumbers.describe('Numbers of the threads that show it.'),
        reason: reasonText,
      }),
      summarize: ({ rule }) => rule.slice(0, 60),
      run({ rule, issue, threads, reason }, { projectId, threadId, sources }) {
        const seen = threadsOf(store, projectId, threads)
        if (!seen.some(({ id }) => hasIssue(store, id, issue)))
          throw notTaken('None of these threads shows that issue: name it as trace_findings does.')
        const isUntrusted = sources.length > 0 || seen.some((thread) => hasReadForeign(store, thread))
        const item = book.propose({
          ...{ projectId, kind: 'overlay', topic: issue, text: rule, reason, threadId, isUntrusted },
          sources: seen.map((thread) => sourceOf(thread, reason)),
        })
        return told(item)
      },
    }),
    defineAction({
      ...proposing,
      name: 'setting_propose',
      description: `Proposes another value for one setting: ${proposableSettings.join(', ')}. The user decides.`,
      parameters: z.strictObject({
        setting: z.string().min(1).max(100),
        after: z.union([z.number(), z.boolean(), z.null()]),
        threads: threadNumbers,
        reason: reasonText,
      }),
      summarize: ({ setting }) => setting.slice(0, 60),
      run({ setting, after, threads, reason }, { projectId, threadId, sources }) {
        const seen = threadsOf(store, projectId, threads)
        const item = book.propose({
          ...{ projectId, kind: 'setting', topic: setting, text: settingText(settings.current, setting, after) },
          ...{ reason, threadId, sources: seen.map((thread) => sourceOf(thread, reason)) },
          isUntrusted: sources.length > 0 || seen.some((thread) => hasReadForeign(store, thread)),
        })
        return told(item)
      },
    }),
    defineAction({
      ...proposing,
      name: 'insight_propose',
      description:
        'Proposes one fact that the user said, for later threads: a preference, correction, knowledge or workflow, with the messages that show it. Nothing personal, nothing about a single task.',
      parameters: z.strictObject({
        topic: z.enum(insightTopics),
        text: z.string().trim().min(1).max(limits.insightCharacters),
        sources: z
          .array(z.strictObject({ thread: z.number().int().positive(), seq: z.number().int().positive() }))
          .min(1)
          .max(limits.learntSources)
          .describe('Thread number and seq of each message, as thread_digest gives them.'),
        replaces: z.string().max(64).optional().describe('Id of an older insight that this one stands for.'),
      }),
      summarize: ({ text }) => text.slice(0, 60),
      run({ topic, text, sources: shown, replaces }, { projectId, threadId, sources }) {
        const said = shown.map(({ thread, seq }) => messageOf(store, threadOf(store, projectId, thread), seq))
        assertRoom(store, { projectId, threadId, text })
        const item = book.propose({
          ...{ projectId, kind: 'insight', topic, text, threadId, sources: said.map(({ source }) => source) },
          ...{ reason: 'You said so.', replaces: replaceable(store, projectId, replaces) },
          isUntrusted: sources.length > 0 || said.some(({ thread }) => hasReadForeign(store, thread)),
        })
        return told(item)
      },
    }),
    defineAction({
      ...noting,
      name: 'code_propose',
      description:
        'Writes down a change of the program itself for its authors: what is wrong, where, and what would be right. It is text for people and is never applied.',
      parameters: z.strictObject({
        title: z.string().trim().min(1).max(80),
        text: z.string().trim().min(1).max(limits.memoryDocCharacters),
      }),
      summarize: ({ title }) => title.slice(0, 60),
      run({ title, text }, { projectId, threadId, callKey, sources }) {
        const doc = memory.writeDoc({
          ...{ projectId, type: 'Note', title: `Code proposal: ${title}`, content: text, tags: ['code-proposal'] },
          ...{ provenance: 'mission', untrusted: sources.length > 0, sourceThreadId: threadId, callKey },
        })
        return { doc: doc.id, title: doc.title, note: 'It is kept for people to read; nothing applies it.' }
      },
    }),
    defineAction({
      ...noting,
      name: 'lesson_write',
      description:
        'Keeps a Lesson (what the work showed) or a Spec (a capability that is missing) for later threads of this project.',
      parameters: z.strictObject({
        type: z.enum(['Lesson', 'Spec']),
        title: z.string().trim().min(1).max(limits.memoryTitleCharacters),
        content: z.string().trim().min(1).max(limits.memoryDocCharacters),
      }),
      summarize: ({ title }) => title.slice(0, 60),
      run({ type, title, content }, { projectId, threadId, callKey, sources }) {
        const doc = memory.writeDoc({
          ...{ projectId, type, title, content, tags: ['learnt'], provenance: 'mission' },
          ...{ untrusted: sources.length > 0, sourceThreadId: threadId, callKey },
        })
        return { doc: doc.id, type, title: doc.title, version: doc.version }
      },
    }),
  ]
}

function threadsOf(store: Store, projectId: string, numbers: readonly number[]): readonly ThreadHeader[] {
  return numbers.map((number) => threadOf(store, projectId, number))
}

/** Of this project, and not of learning itself. */
function threadOf(store: Store, projectId: string, number: number): ThreadHeader {
  const thread = store.threads.find(String(number))
  if (thread?.projectId !== projectId || isOfLearning(store, thread))
    throw notTaken(`There is no thread #${number} of this project to learn from.`)
  return thread
}

function sourceOf({ id, number }: ThreadHeader, quote: string): LearntSource {
  return { threadId: id, threadNumber: number, seq: null, quote }
}

/** What a person wrote there, word for word. */
function messageOf(store: Store, thread: ThreadHeader, seq: number) {
  const [event] = store.events.ofThread(thread.id, seq - 1, 1)
  const isPersons = event?.kind === 'message.added' && event.data.role === 'user' && event.data.origin === undefined
  if (!isPersons || event.seq !== seq || (event.data.sources ?? []).length > 0)
    throw notTaken(`Thread #${thread.number} has no message of the user at ${seq}.`)
  return { thread, source: { ...sourceOf(thread, event.body.content), seq } }
}

/** So many of one thread are proposals; more are noise. */
function assertRoom(store: Store, of: Pick<LearntItem, 'projectId' | 'threadId' | 'text'>): void {
  const own = store.learnt
    .page(Number.MAX_SAFE_INTEGER, limits.pageRows)
    .filter(({ kind, threadId, text }) => kind === 'insight' && threadId === of.threadId && text !== of.text)
  if (own.length >= limits.insightsPerRun)
    throw notTaken(`One thread proposes at most ${limits.insightsPerRun} insights: the ones that matter most.`)
}

function replaceable(store: Store, projectId: string, id: string | undefined): string | null {
  if (id === undefined) return null
  const item = store.learnt.get(id)
  if (item?.projectId === projectId && item.kind === 'insight') return id
  throw notTaken(`There is no insight ${id} to be replaced.`)
}

function told({ id, kind, state }: LearntItem): JsonObject {
  return { id, kind, state, note: notes[state] }
}

const notes: Readonly<Record<LearntState, string>> = {
  pending: 'The user decides.',
  live: 'It is in force, as the settings allow; the user can take it back.',
  rejected: 'The user said no to this before: it is not asked about again.',
  expired: 'Nobody decided on this in time.',
  undone: 'This was in force and was taken back: it is not proposed again.',
  replaced: 'Another insight stands for this one.',
}
