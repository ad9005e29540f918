import type { Approval } from '../../core/domain/approval.ts'
import type { Project } from '../../core/domain/project.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { isTerminal, type ThreadHeader, type Tier } from '../../core/domain/thread.ts'
import type { ThreadFilter } from './load.ts'
import type { Known } from './model.ts'
import type { AppState } from './store.ts'

type Threads = Readonly<Record<string, ThreadHeader>>

function newestFirst(threads: readonly ThreadHeader[]): readonly ThreadHeader[] {
  return [...threads].sort((a, b) => b.number - a.number)
}

/** Threads of one chat, oldest first. The children of their code are no turns of it. */
export function threadsOfChat(threads: Threads, conversationId: string): readonly ThreadHeader[] {
  return Object.values(threads)
    .filter((thread) => thread.conversationId === conversationId && thread.parentId === null)
    .sort((a, b) => a.number - b.number)
}

/** What a chat is called: as its first thread, whatever was asked since. */
export function chatTitle(threads: Threads, { conversationId, title }: ThreadHeader): string {
  return threads[conversationId]?.title ?? title
}

/** The same rule as the store's list: so that a new thread joins a filtered list, and a changed one leaves it. */
function matchesFilter(thread: ThreadHeader, { state, query }: ThreadFilter): boolean {
  if (state && thread.state !== state) return false
  const wanted = query.toLowerCase()
  return wanted === '' || thread.title.toLowerCase().includes(wanted)
}

/**
 * Known threads that a list shows, newest first. `before` is the key of the page that is not loaded yet: older threads that
 * are known for other reasons stay out until their page comes.
 */
export function listedThreads(threads: Threads, filter: ThreadFilter, before: number | null): readonly ThreadHeader[] {
  const loaded = Object.values(threads).filter((thread) => before === null || thread.number >= before)
  const candidates = filter.conversations ? newestOfChats(loaded) : loaded
  return newestFirst(candidates.filter((thread) => matchesFilter(thread, filter)))
}

function newestOfChats(threads: readonly ThreadHeader[]): readonly ThreadHeader[] {
  const newest = new Map<string, ThreadHeader>()
  for (const thread of threads) {
    if (thread.parentId !== null) continue
    const before = newest.get(thread.conversationId)
    if (!before || thread.number > before.number) newest.set(thread.conversationId, thread)
  }
  // A chat that begins with a firing is one once a person has answered there.
  return [...newest.values()].filter(({ missionId }) => missionId === null)
}

/** The thread that commands mean: the one on the inspector, or the newest of the chat that is open. */
export function shownThread({ route, known }: Pick<AppState, 'route' | 'known'>): ThreadHeader | undefined {
  if (route.screen === 'thread') {
    const { id } = route
    return known.threads[id] ?? Object.values(known.threads).find((thread) => String(thread.number) === id)
  }
  if (route.screen !== 'chat' || route.conversationId === null) return undefined
  return threadsOfChat(known.threads, route.conversationId).at(-1)
}

export function isUnderWay(thread: ThreadHeader): boolean {
  return !isTerminal(thread.state) && thread.state !== 'Completed' && thread.state !== 'Suspended'
}

/** How a tier's model reads: the planner by what it is, what the app runs by its title, every other by its own name. */
export function modelTitle(settings: Settings, tier: Tier): string {
  const { providerId, model } = settings.tiers[tier]
  if (providerId === 'planner') return 'Built-in planner'
  const inApp = providerId === 'local' ? settings.local.models.find(({ name }) => name === model) : undefined
  return inApp?.title ?? model
}

export function projectOf(projects: readonly Project[], projectId: string | null | undefined): Project | undefined {
  return projects.find((project) => project.id === projectId)
}

/** What waits for the person, the oldest first: it holds a thread up the longest. */
export function pendingApprovals(approvals: Approvals): readonly Approval[] {
  return Object.values(approvals)
    .filter(({ state }) => state === 'pending')
    .sort((a, b) => a.requestSeq - b.requestSeq)
}

/** All that waits for the person: actions that hold up a thread, and candidates that nothing waits for. */
export function waitingCount({ known, candidates }: Pick<AppState, 'known' | 'candidates'>): number {
  return pendingApprovals(known.approvals).length + candidates.length
}

/** What a thread or one of its children waits for. */
export function pendingOfThread({ approvals, threads }: Pick<Known, 'approvals' | 'threads'>, rootId: string) {
  return pendingApprovals(approvals).filter(
    ({ threadId }) => threadId === rootId || threads[threadId]?.rootId === rootId,
  )
}
type Approvals = Known['approvals']
