import { z } from 'zod'
import type { Approvals } from './capabilities/capabilities.ts'
import type { Lease } from './domain/action.ts'
import { type Approval, type Grant, grantScopes } from './domain/approval.ts'
import { codeOf } from './domain/code.ts'
import type { ChatMessage, DoctorCheck, EngineInfo, Page, ProviderStatus } from './domain/contract.ts'
import { AppError } from './domain/error.ts'
import type { EventHeader, ModelCompletedBody, StoredEvent } from './domain/event.ts'
import type { TraceIssue } from './domain/issue.ts'
import { limits } from './domain/limits.ts'
import { type DocHeader, type DocVersionHeader, docTypes, type MemoryDoc, type MemoryHit } from './domain/memory.ts'
import { type DiscoveredServer, type ProbeResult, providerKinds } from './domain/model.ts'
import type { Project } from './domain/project.ts'
import { type Settings, settingsPatchSchema } from './domain/settings.ts'
import { type CallRow, type ThreadHeader, threadStates, tiers } from './domain/thread.ts'
import { analyseTrace } from './learning/learning.ts'
import type { Memory } from './memory/memory.ts'
import type { Models } from './models/models.ts'
import type { LoopReview, LoopReviews, LoopVersion, LoopVersions } from './orchestrator/orchestrator.ts'
import type { Projects } from './projects.ts'
import type { Providers } from './providers.ts'
import type { SettingsStore } from './settings.ts'
import type { Store } from './store/store.ts'
import { requireThread, type Threads } from './threads/threads.ts'

const id = z.string().min(1).max(64)
const key = z.number().int().nonnegative()
const limit = z.number().int().min(1).max(limits.pageRows).default(200)
const nothing = z.strictObject({})
const threadInput = z.strictObject({ id })

/** Where a message went: the thread that works on it and the event that holds it. */
export interface Started {
  readonly threadId: string
  readonly seq: number
}

/** Every call that the window, the command line and tests may make: what it takes. The answers stand in `ApiOutputs`. */
export const apiInputs = {
  'engine.info': nothing,
  doctor: nothing,
  'project.list': nothing,
  /** Opens a folder as a project, or answers the project that it already is. */
  'project.open': z.strictObject({ folder: z.string().min(1).max(4_096) }),
  /** Newest first, by thread number. `conversations`: only the newest thread of each chat. `query` is a part of the title. */
  'thread.list': z.strictObject({
    projectId: id.optional(),
    state: z.enum(threadStates).optional(),
    query: z.string().max(200).optional(),
    conversations: z.boolean().default(false),
    limit,
    before: key.optional(),
  }),
  /** `id` is a thread's id or its number. */
  'thread.get': threadInput,
  /** All threads of one chat, oldest first. */
  'thread.conversation': z.strictObject({ conversationId: id }),
  /**
   * A message: to a running thread it is injected, a suspended one goes on with it, an ended one is followed by a new
   * thread of the same chat, and without `threadId` a new chat begins in `projectId`.
   */
  'thread.send': z.strictObject({
    threadId: id.optional(),
    projectId: id.optional(),
    text: z.string().min(1).max(limits.goalCharacters),
    tier: z.enum(tiers).optional(),
    /** `<providerId>/<model>`, in place of what the tier means. */
    model: z.string().min(3).max(300).includes('/').optional(),
    maxSteps: z.number().int().min(1).max(limits.maxStepsCeiling).optional(),
    /** Of a new thread with all its children; without one the settings say. */
    budget: z
      .strictObject({
        tokens: z.number().int().positive().nullable(),
        usd: z.number().positive().nullable(),
        ms: z.number().int().positive().nullable(),
      })
      .optional(),
    /** Every ordinary action of a new thread runs without asking; never what costs money. */
    approvesAll: z.boolean().optional(),
  }),
  /** The threads that its code asked for, oldest first. */
  'thread.children': threadInput,
  'thread.stop': threadInput,
  'thread.resume': threadInput,
  /** Starts an ended thread's goal again, as the next thread of the same chat. */
  'thread.retry': threadInput,
  /** The compact index of a thread's timeline, by step. */
  'thread.calls': z.strictObject({
    id,
    afterStep: z.number().int().min(-1).default(-1),
    limit: z.number().int().min(1).max(5_000).default(2_000),
  }),
  'thread.events': z.strictObject({ id, after: key.default(0), limit }),
  /** What went wrong in a thread, worst first, read from its record as it stands. */
  'thread.issues': threadInput,
  /** What was said in a chat, newest page first in time, oldest first within the page. */
  'chat.messages': z.strictObject({ conversationId: id, before: key.optional(), limit }),
  'event.body': z.strictObject({ seq: key }),
  /** Pending: oldest first, all of them. Decided: newest first; `before` is the time of the last one seen. */
  'approval.list': z.strictObject({ state: z.enum(['pending', 'decided']), before: key.optional(), limit }),
  'approval.get': z.strictObject({ id }),
  /** The first decision counts. `edited` runs in place of what was asked for; `stop` ends the thread as denied. */
  'approval.decide': z.strictObject({
    id,
    decision: z.enum(['approve', 'deny']),
    scope: z.enum(grantScopes).default('once'),
    reason: z.string().trim().max(1_000).optional(),
    edited: z.record(z.string(), z.json()).optional(),
    stop: z.boolean().default(false),
    /** False: only decided; the thread goes on at the next start. */
    run: z.boolean().default(true),
  }),
  /** Standing approvals that are in force. */
  'grant.list': nothing,
  'grant.revoke': z.strictObject({ id }),
  'lease.list': z.strictObject({ threadId: id }),
  /** With all that were cut from it. */
  'lease.revoke': z.strictObject({ id }),
  /** The step loop's versions; 0 is the bundled one. */
  'orchestrator.list': nothing,
  'orchestrator.get': z.strictObject({ version: key }),
  /** An inert candidate; nothing runs it before it was activated. */
  'orchestrator.propose': z.strictObject({
    code: z.string().min(1).max(262_144),
    reason: z.string().trim().min(1).max(1_000),
  }),
  /** Runs it over the newest threads on record, without any effect. */
  'orchestrator.review': z.strictObject({ version: key }),
  /** Reviewed first; then what new threads begin with. */
  'orchestrator.activate': z.strictObject({ version: key }),
  /** To the parent of the current one where no version is given. */
  'orchestrator.rollback': z.strictObject({ to: key.optional() }),
  /** The newest docs first, by number. `query` is a part of the title. */
  'doc.list': z.strictObject({
    projectId: id,
    type: z.enum(docTypes).optional(),
    query: z.string().max(200).optional(),
    archived: z.boolean().default(false),
    before: key.optional(),
    limit,
  }),
  /** The newest version where none is named; archived docs too. */
  'doc.get': z.strictObject({ id, version: z.number().int().min(1).optional() }),
  /** The newest 200, newest first. */
  'doc.versions': z.strictObject({ id }),
  'doc.search': z.strictObject({
    projectId: id,
    query: z.string().min(1).max(1_000),
    limit: z.number().int().min(1).max(100).default(20),
  }),
  /** A person's edit: with `id` a new version of that doc, else of the doc with this type and title, or a new doc. */
  'doc.save': z.strictObject({
    id: id.optional(),
    projectId: id,
    /** Skills change by a decision of their own. */
    type: z.enum(docTypes).exclude(['Skill']),
    title: z.string().trim().min(1).max(limits.memoryTitleCharacters),
    content: z.string().min(1).max(limits.memoryDocCharacters),
    tags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
  }),
  /** Takes a doc out of searches and prompts, or back into them. Its versions stay. */
  'doc.archive': z.strictObject({ id, archived: z.boolean() }),
  'settings.get': nothing,
  'settings.set': z.strictObject({ patch: settingsPatchSchema }),
  'model.list': nothing,
  /** Looks on the usual loopback ports for Ollama, LM Studio, llama.cpp and vLLM. */
  'model.discover': nothing,
  /** One small real request. */
  'model.probe': z.strictObject({ providerId: id, model: z.string().min(1).max(200) }),
  /**
   * Adds or replaces a provider. `key` goes to the secrets, never to the settings; without it the one there is stays, as
   * long as the server's origin does.
   */
  'provider.save': z.strictObject({
    provider: z.strictObject({
      id: id.optional(),
      kind: z.enum(providerKinds),
      title: z.string().min(1).max(80),
      baseUrl: z.url({ protocol: /^https?$/ }).nullable(),
    }),
    key: z.string().min(1).max(4_096).optional(),
  }),
  'provider.remove': z.strictObject({ id }),
} satisfies Record<string, z.ZodType>

export interface ApiOutputs {
  'engine.info': EngineInfo
  doctor: readonly DoctorCheck[]
  'project.list': readonly Project[]
  'project.open': Project
  'thread.list': Page<ThreadHeader>
  'thread.get': ThreadHeader
  'thread.conversation': readonly ThreadHeader[]
  'thread.send': Started
  'thread.children': readonly ThreadHeader[]
  'thread.stop': ThreadHeader
  'thread.resume': ThreadHeader
  'thread.retry': Started
  'thread.calls': Page<CallRow>
  'thread.events': Page<EventHeader>
  'thread.issues': readonly TraceIssue[]
  'chat.messages': Page<ChatMessage>
  'event.body': StoredEvent
  'approval.list': Page<Approval>
  'approval.get': Approval
  'approval.decide': Approval
  'grant.list': readonly Grant[]
  'grant.revoke': Grant
  'lease.list': readonly Lease[]
  'lease.revoke': readonly Lease[]
  'orchestrator.list': readonly LoopVersion[]
  'orchestrator.get': LoopVersion
  'orchestrator.propose': LoopVersion
  'orchestrator.review': LoopReview
  'orchestrator.activate': LoopReview
  'orchestrator.rollback': LoopVersion
  'doc.list': Page<DocHeader>
  'doc.get': MemoryDoc
  'doc.versions': readonly DocVersionHeader[]
  'doc.search': readonly MemoryHit[]
  'doc.save': MemoryDoc
  'doc.archive': MemoryDoc
  'settings.get': Settings
  'settings.set': Settings
  'model.list': readonly ProviderStatus[]
  'model.discover': readonly DiscoveredServer[]
  'model.probe': ProbeResult
  'provider.save': ProviderStatus
  'provider.remove': Settings
}

export type ApiName = keyof typeof apiInputs
export type ApiInput<Name extends ApiName> = z.input<(typeof apiInputs)[Name]>
export type ApiOutput<Name extends ApiName> = ApiOutputs[Name]

/** What the handlers work on; wired by `createEngine`. */
export interface ApiParts {
  readonly info: () => EngineInfo
  readonly doctor: () => Promise<readonly DoctorCheck[]>
  readonly store: Store
  readonly threads: Threads
  readonly approvals: Approvals
  readonly versions: LoopVersions
  readonly loopReviews: LoopReviews
  readonly memory: Memory
  readonly projects: Projects
  readonly settings: SettingsStore
  readonly models: Models
  readonly providers: Providers
}

export interface Api {
  call<Name extends ApiName>(name: Name, input: ApiInput<Name>, signal?: AbortSignal): Promise<ApiOutput<Name>>
  /** For a process boundary, where name and input are anything. @throws AppError api.unknown, api.input, and the call's own. */
  callByName(name: string, input: unknown, signal?: AbortSignal): Promise<unknown>
}

type Entry<Output> = (input: unknown, signal: AbortSignal) => Promise<Output>
type Entries = { readonly [Name in ApiName]: Entry<ApiOutput<Name>> }

export function createApi(parts: ApiParts): Api {
  const entries: Entries = {
    ...threadEntries(parts),
    ...recordEntries(parts),
    ...decisionEntries(parts),
    ...docEntries(parts),
    ...setupEntries(parts),
  }
  const names = new Set(Object.keys(entries))
  const isName = (name: string): name is ApiName => names.has(name)
  const never = new AbortController().signal
  return {
    call<Name extends ApiName>(name: Name, input: ApiInput<Name>, signal = never) {
      const run: Entry<ApiOutput<Name>> = entries[name]
      return run(input, signal)
    },
    async callByName(name, input, signal = never) {
      if (!isName(name)) throw unknownCall(name)
      return entries[name](input, signal)
    },
  }
}

function entry<Schema extends z.ZodType, Output>(
  schema: Schema,
  handle: (input: z.output<Schema>, signal: AbortSignal) => Output | Promise<Output>,
): Entry<Output> {
  return async (input, signal) => {
    const parsed = schema.safeParse(input)
    if (!parsed.success) throw wrongInput(parsed.error)
    return handle(parsed.data, signal)
  }
}

function threadEntries({ threads, store }: ApiParts) {
  return {
    'thread.list': entry(apiInputs['thread.list'], (filter) => {
      const rows = store.threads.list(filter)
      return { rows, next: rows.length < filter.limit ? null : (rows.at(-1)?.number ?? null) }
    }),
    'thread.get': entry(apiInputs['thread.get'], ({ id }) => requireThread(store, id)),
    'thread.conversation': entry(apiInputs['thread.conversation'], ({ conversationId }) =>
      store.threads.ofConversation(conversationId),
    ),
    'thread.send': entry(apiInputs['thread.send'], (input) => threads.send(input)),
    'thread.children': entry(apiInputs['thread.children'], ({ id }) =>
      store.threads.childrenOf(requireThread(store, id).id),
    ),
    'thread.stop': entry(apiInputs['thread.stop'], ({ id }) => threads.stop(id)),
    'thread.resume': entry(apiInputs['thread.resume'], ({ id }) => threads.resume(id)),
    'thread.retry': entry(apiInputs['thread.retry'], ({ id }) => threads.retry(id)),
  }
}

function recordEntries({ store }: ApiParts) {
  return {
    'thread.calls': entry(apiInputs['thread.calls'], ({ id, afterStep, limit }) =>
      wholeSteps((rows) => store.calls.page(requireThread(store, id).id, afterStep, rows), limit),
    ),
    'thread.events': entry(apiInputs['thread.events'], ({ id, after, limit }) => {
      const rows = store.events.headersOf(requireThread(store, id).id, after, limit)
      return { rows, next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) }
    }),
    'thread.issues': entry(apiInputs['thread.issues'], ({ id }) => {
      const thread = requireThread(store, id)
      return analyseTrace(thread, wholeRecord(store, thread.id))
    }),
    'chat.messages': entry(apiInputs['chat.messages'], ({ conversationId, before, limit }) => {
      const events = store.events.messagesBefore(conversationId, before ?? Number.MAX_SAFE_INTEGER, limit)
      const rows = events.flatMap(chatMessage).reverse()
      return { rows, next: events.length < limit ? null : (events.at(-1)?.seq ?? null) }
    }),
    'event.body': entry(apiInputs['event.body'], ({ seq }) => wholeEvent(store, seq)),
  }
}

function decisionEntries({ approvals, versions, loopReviews }: ApiParts) {
  return {
    'approval.list': entry(apiInputs['approval.list'], (filter) => approvals.list(filter)),
    'approval.get': entry(apiInputs['approval.get'], ({ id }) => approvals.get(id)),
    'approval.decide': entry(apiInputs['approval.decide'], ({ reason, edited, ...decision }) =>
      approvals.decide({ ...decision, reason: reason ?? null, edited }),
    ),
    'grant.list': entry(apiInputs['grant.list'], () => approvals.grants()),
    'grant.revoke': entry(apiInputs['grant.revoke'], ({ id }) => approvals.revokeGrant(id)),
    'lease.list': entry(apiInputs['lease.list'], ({ threadId }) => approvals.leasesOf(threadId)),
    'lease.revoke': entry(apiInputs['lease.revoke'], ({ id }) => approvals.revokeLease(id)),
    'orchestrator.list': entry(apiInputs['orchestrator.list'], () => versions.list()),
    'orchestrator.get': entry(apiInputs['orchestrator.get'], ({ version }) => versions.get(version)),
    'orchestrator.activate': entry(apiInputs['orchestrator.activate'], ({ version }) => loopReviews.activate(version)),
    'orchestrator.propose': entry(apiInputs['orchestrator.propose'], (proposal) =>
      versions.propose({ ...proposal, source: 'user' }),
    ),
    'orchestrator.review': entry(apiInputs['orchestrator.review'], ({ version }) => loopReviews.review(version)),
    'orchestrator.rollback': entry(apiInputs['orchestrator.rollback'], ({ to }) => versions.rollBack(to)),
function docEntries({ memory }: ApiParts) {
  return {
    'doc.list': entry(apiInputs['doc.list'], (filter) => {
      const rows = memory.list(filter)
      return { rows, next: rows.length < filter.limit ? null : (rows.at(-1)?.number ?? null) }
    }),
    'doc.get': entry(apiInputs['doc.get'], ({ id, version }) => memory.get(id, version)),
    'doc.versions': entry(apiInputs['doc.versions'], ({ id }) => memory.versions(id)),
    'doc.search': entry(apiInputs['doc.search'], async ({ projectId, query, limit }) => {
      const { hits } = await memory.search(projectId, query, limit)
      return hits
    }),
    'doc.save': entry(apiInputs['doc.save'], ({ id, ...doc }) => {
      if (id !== undefined) return memory.edit({ ...doc, id })
      return memory.writeDoc({ ...doc, provenance: 'user', sourceThreadId: null, callKey: null })
    }),
    'doc.archive': entry(apiInputs['doc.archive'], ({ id, archived }) => memory.archive(id, archived)),
  }
}

function setupEntries({ info, doctor, projects, settings, models, providers }: ApiParts) {
  return {
    'engine.info': entry(apiInputs['engine.info'], info),
    doctor: entry(apiInputs.doctor, doctor),
    'project.list': entry(apiInputs['project.list'], () => projects.list()),
    'project.open': entry(apiInputs['project.open'], ({ folder }) => projects.open(folder)),
    'settings.get': entry(apiInputs['settings.get'], () => settings.current),
    'settings.set': entry(apiInputs['settings.set'], ({ patch }) => settings.set(patch)),
    'model.list': entry(apiInputs['model.list'], (_input, signal) => providers.list(signal)),
    'model.discover': entry(apiInputs['model.discover'], (_input, signal) => models.discover(signal)),
    'model.probe': entry(apiInputs['model.probe'], (ref, signal) => models.probe(ref, signal)),
    'provider.save': entry(apiInputs['provider.save'], ({ provider, key }, signal) =>
      providers.save(provider, key, signal),
    ),
    'provider.remove': entry(apiInputs['provider.remove'], ({ id }) => providers.remove(id)),
  }
}

/** A full page may end inside a step: that step is left for the next page, or is a page of its own where it fills one. */
function wholeSteps(read: (limit: number) => readonly CallRow[], limit: number): Page<CallRow> {
  const rows = read(limit)
  const last = rows.at(-1)
  if (rows.length < limit || last === undefined) return { rows, next: null }
  const whole = rows.filter((row) => row.step < last.step)
  const page = whole.length > 0 ? whole : read(rowsOfStep).filter((row) => row.step === last.step)
  return { rows: page, next: page.at(-1)?.step ?? null }
}
/** Of the largest step: the model's call and all that one answer may ask for. */
const rowsOfStep = limits.callsPerAnswer + limits.codeCalls * limits.codeBatch + 2

/** Every event of a thread with its body, read in small pages: no statement may hold the engine up. */
function* wholeRecord(store: Store, threadId: string): Generator<StoredEvent> {
  let after = 0
  for (;;) {
    const page = store.events.ofThread(threadId, after, recordPage)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < recordPage) return
    after = last.seq
  }
}
const recordPage = 200

/** The arguments of a call lie in the model's answer that asked for it: found by step and call id. */
function wholeEvent(store: Store, seq: number): StoredEvent {
  const event = store.events.get(seq)
  if (event.kind === 'code.started' && event.body === undefined) {
    const code = codeOf(answerOfStep(store, event.threadId, event.data.step)?.text ?? '')?.code
    return code === undefined ? event : { ...event, body: { code } }
  }
  if (event.kind !== 'action.started' || event.body?.arguments !== undefined) return event
  const { step, callId } = event.data
  const call = answerOfStep(store, event.threadId, step)?.toolCalls.find((each) => each.id === callId)
  if (call === undefined) return event
  return { ...event, body: { ...event.body, arguments: 'arguments' in call ? call.arguments : call.argumentsRaw } }
}

function answerOfStep(store: Store, threadId: string, step: number): ModelCompletedBody | undefined {
  const model = store.calls.page(threadId, step - 1, rowsOfStep).find((row) => row.step === step && row.path === '0')
  const answer = model?.endSeq === null || model === undefined ? undefined : store.events.get(model.endSeq)
  return answer?.kind === 'model.completed' ? answer.body : undefined
}

function chatMessage(event: StoredEvent): readonly ChatMessage[] {
  if (event.kind === 'unreadable') {
    const { seq, threadId, at } = event
    return [{ seq, threadId, role: 'assistant', content: `*Message ${seq} cannot be read any more.*`, at }]
  }
  if (event.kind !== 'message.added') return []
  const { role, origin } = event.data
  const isSpoken = (role === 'user' && origin === undefined) || (role === 'assistant' && origin === 'final')
  if (!isSpoken) return []
  const { seq, threadId, at } = event
  return [{ seq, threadId, role, content: event.body.content, at }]
}

function unknownCall(name: string): AppError {
  return new AppError('api.unknown', {
    message: `no call ${name.slice(0, 80)}`,
    userMessage: 'That call does not exist in this version. Nothing was changed.',
  })
}

function wrongInput(error: z.ZodError): AppError {
  return new AppError('api.input', {
    message: z.prettifyError(error),
    userMessage: 'What was asked for is not complete or not in the right form. Nothing was changed.',
  })
}
