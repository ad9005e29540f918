import { type ErrorBody, errorBody } from '../../core/domain/error.ts'
import type { StateChanged } from '../../core/domain/event.ts'
import { limits } from '../../core/domain/limits.ts'
import type { ModelRef } from '../../core/domain/model.ts'
import type { SettingsPatch } from '../../core/domain/settings.ts'
import type { ThreadHeader, ThreadState } from '../../core/domain/thread.ts'
import { call } from '../engine/client.ts'
import { factOf } from '../timeline/fact.ts'
import { loadPending } from './approvals.ts'
import { loadCandidates } from './candidates.ts'
import { mergeThreads, withSkills } from './fold.ts'
import { mergeCalls } from './fold-calls.ts'
import { mergeMessagePage } from './fold-messages.ts'
import { loadLearntStatus } from './learnt.ts'
import { loadMissionNews } from './missions.ts'
import { getApp, setApp, setKnown, supervise } from './store.ts'

const listRows = 60
const messageRows = 40
const endingRows = 100

/** The first pages. The log's end is read before them: an event up to there is in the pages, one after it is pushed. */
export async function loadStart(): Promise<void> {
  // Read anew behind what is shown: a screen that is open keeps its place.
  if (getApp().start !== 'ready') setApp({ start: 'loading' })
  try {
    const info = await call('engine.info', {})
    const [settings, projects, page] = await Promise.all([
      call('settings.get', {}),
      call('project.list', {}),
      call('thread.list', { conversations: true, limit: listRows }),
      loadPending(),
      loadCandidates(),
      loadMissionNews(),
      loadLearntStatus(),
    ])
    setKnown((known) => mergeThreads({ ...known, seq: Math.max(known.seq, info.lastSeq) }, page.rows))
    const projectId = getApp().projectId ?? settings.lastProjectId ?? projects[0]?.id ?? null
    setApp({ info, settings, projects, projectId, conversationsBefore: page.next, start: 'ready' })
    loadFirstThreads(page.rows)
  } catch (error) {
    // What is shown stays where only reading it anew failed.
    setApp(getApp().start === 'ready' ? { notice: errorBody(error) } : { start: errorBody(error) })
  }
}

/** Slots, and what could not be recorded. */
export async function loadInfo(): Promise<void> {
  setApp({ info: await call('engine.info', {}) })
}

/** What another process may have changed while the window was in the background. */
export async function readElsewhere(): Promise<void> {
  const [settings, projects] = await Promise.all([
    ...([call('settings.get', {}), call('project.list', {})] as const),
    ...([loadInfo(), loadPending(), loadCandidates()] as const),
  ])
  setApp({ settings, projects })
}

export async function loadMoreConversations(): Promise<void> {
  const before = getApp().conversationsBefore
  if (before === null) return
  const page = await call('thread.list', { conversations: true, limit: listRows, before })
  setKnown((known) => mergeThreads(known, page.rows))
  setApp({ conversationsBefore: page.next })
  loadFirstThreads(page.rows)
}

/** A chat is called by its first thread, which has the chat's id; its row in the list is its newest. */
function loadFirstThreads(rows: readonly ThreadHeader[]): void {
  const { threads } = getApp().known
  for (const { id, conversationId } of rows)
    if (id !== conversationId && !threads[conversationId]) supervise(() => loadThread(conversationId))
}

export interface ThreadFilter {
  readonly state: ThreadState | null
  readonly query: string
  readonly conversations: boolean
}

/** One page of threads into the store. Answers the key of the next. */
export async function loadThreads(
  { state, query, conversations }: ThreadFilter,
  before?: number,
): Promise<number | null> {
  const page = await call('thread.list', {
    conversations,
    limit: listRows,
    ...(state && { state }),
    ...(query !== '' && { query }),
    ...(before !== undefined && { before }),
  })
  setKnown((known) => mergeThreads(known, page.rows))
  if (conversations) loadFirstThreads(page.rows)
  return page.next
}

export async function loadThread(id: string) {
  const thread = await call('thread.get', { id })
  setKnown((known) => mergeThreads(known, [thread]))
  return thread
}

/** All threads of a chat and its newest messages. */
export async function loadChat(conversationId: string): Promise<void> {
  const [threads, page] = await Promise.all([
    call('thread.conversation', { conversationId }),
    call('chat.messages', { conversationId, limit: messageRows }),
  ])
  setKnown((known) => mergeMessagePage(mergeThreads(known, threads), conversationId, page, false))
}

export async function loadOlderMessages(conversationId: string): Promise<void> {
  const before = getApp().known.chats[conversationId]?.before
  if (before === undefined || before === null) return
  const page = await call('chat.messages', { conversationId, before, limit: messageRows })
  setKnown((known) => mergeMessagePage(known, conversationId, page, true))
}

/** Every call of a thread. The table is there before the question, so that no event in between is lost. */
export async function loadCalls(threadId: string): Promise<void> {
  setKnown((known) => mergeCalls(known, threadId, []))
  let afterStep: number | null = -1
  while (afterStep !== null) {
    const page: Awaited<ReturnType<typeof readCalls>> = await readCalls(threadId, afterStep)
    setKnown((known) => mergeCalls(known, threadId, page.rows))
    afterStep = page.next
  }
}

function readCalls(id: string, afterStep: number) {
  return call('thread.calls', { id, afterStep })
}

/** The skills of a thread, and that its window was too small, stand in its log: told again after a reload. */
export async function loadNotes(threadId: string): Promise<void> {
  const { rows } = await call('thread.events', { id: threadId, after: 0, limit: limits.pageRows })
  const facts = rows.map(factOf)
  const skills = facts.flatMap((fact) =>
    fact?.kind === 'skill.selected' ? fact.data.skills : fact?.kind === 'skill.loaded' ? [fact.data.skill] : [],
  )
  setKnown((known) => withSkills(known, threadId, skills))
  const warning = facts.findLast((fact) => fact?.kind === 'context.warned')
  if (warning?.kind !== 'context.warned') return
  setKnown((known) => ({ ...known, warned: { ...known.warned, [threadId]: warning.data } }))
}

/** Reads how a thread ended: its last events say it, after its last call began. */
export async function loadEnding(threadId: string): Promise<void> {
  const rows = Object.values(getApp().known.calls[threadId] ?? {})
  const after = Math.max(0, ...rows.map((row) => row.startSeq)) - 1
  const { rows: headers } = await call('thread.events', { id: threadId, after: Math.max(0, after), limit: endingRows })
  let error: ErrorBody | null = null
  let partialText = ''
  let model: ModelRef | null = null
  for (const header of headers) {
    const fact = factOf(header)
    if (fact?.kind === 'model.failed') {
      const event = await call('event.body', { seq: header.seq })
      if (event.kind !== 'model.failed') continue
      const { code, userMessage, retryable } = event.data
      error = code === 'cancelled' ? null : { code, userMessage, retryable, message: event.body.message }
      partialText = event.body.partialText
      model = { providerId: event.data.providerId, model: event.data.model }
    }
    if (fact?.kind === 'thread.state' && fact.data.to === 'Failed') error = endOf(fact.data, error)
  }
  setKnown((known) => {
    // What was stopped before it was on record stays in this window.
    const seen = known.endings[threadId]
    const ending = partialText === '' && seen?.isKept === false ? seen : { partialText, isKept: true }
    return { ...known, endings: { ...known.endings, [threadId]: { ...ending, error, model } } }
  })
}

function endOf({ code, reason }: StateChanged, error: ErrorBody | null): ErrorBody | null {
  if (error && (code === undefined || code === error.code)) return error
  const userMessage = reason ?? 'The thread could not go on.'
  return { code: code ?? 'orchestrator.failed', message: userMessage, userMessage, retryable: true }
}

export async function changeSettings(patch: SettingsPatch): Promise<void> {
  setApp({ settings: await call('settings.set', { patch }) })
}

/** Opens a folder as a project and makes it the one of the next new chat. */
async function openProject(folder: string) {
  const project = await call('project.open', { folder })
  const projects = await call('project.list', {})
  setApp({ projects, projectId: project.id })
  await changeSettings({ lastProjectId: project.id })
  return project
}

/** Asks for a folder with the system's dialog. Null when the person changed their mind. */
export async function pickProject() {
  const { folder } = await call('shell.pickFolder', {})
  return folder === null ? null : openProject(folder)
}
