import type { LiveDelta } from '../../core/domain/event.ts'
import type { ShellState } from '../../core/domain/shell.ts'
import { isTerminal } from '../../core/domain/thread.ts'
import { call, type PushedEvent, subscribe, type WindowPush } from '../engine/client.ts'
import { parseRoute } from '../routes.ts'
import { loadApproval } from './approvals.ts'
import { loadCandidates } from './candidates.ts'
import { foldDeltas, foldEvents } from './fold.ts'
import { loadLearntStatus } from './learnt.ts'
import { loadCalls, loadChat, loadInfo, loadStart, loadThread, readElsewhere } from './load.ts'
import { loadMissionNews, loadMissions, missionsChanged } from './missions.ts'
import { emptyKnown } from './model.ts'
import { go } from './navigation.ts'
import { getApp, setApp, setKnown, supervise } from './store.ts'

const hiddenFrameMs = 200
const faultCheckMs = 5_000

/**
 * Keeps the store in step with the engine: pushes are collected and written once per animation frame. `runCommand` runs what
 * the system's menu asked for. Returns what ends it.
 */
export function startSync(runCommand: (id: string) => void): () => void {
  let events: PushedEvent[] = []
  let deltas: LiveDelta[] = []
  let isScheduled = false

  function flush(): void {
    if (!isScheduled) return
    isScheduled = false
    const [newEvents, newDeltas] = [events, deltas]
    events = []
    deltas = []
    const gap = hasGap(getApp().known.seq, newEvents)
    setKnown((known) => foldEvents(foldDeltas(known, newDeltas), newEvents))
    followUp(newEvents)
    if (gap) supervise(reloadShown)
  }

  function onPush(push: WindowPush): void {
    if (push.type === 'command') runCommand(push.id)
    else if (push.type === 'place') go(parseRoute(push.hash))
    else if (push.type === 'state') enterShell(push.state)
    else gather(push.batch.events, push.batch.deltas)
  }

  function gather(newEvents: readonly PushedEvent[], newDeltas: readonly LiveDelta[]): void {
    events.push(...newEvents)
    deltas.push(...newDeltas)
    if (isScheduled) return
    isScheduled = true
    // A hidden window gets no frames, nor one that is hidden before its frame came: its state still follows the store.
    requestAnimationFrame(flush)
    setTimeout(flush, hiddenFrameMs)
  }

  const end = subscribe(onPush)
  const onFocus = () => isOpen() && supervise(readElsewhere)
  window.addEventListener('focus', onFocus)
  // What cannot be recorded, or read, is no event either, so that it has to be asked for.
  const timer = setInterval(() => hasEngine() && !document.hidden && supervise(loadInfo), faultCheckMs)
  supervise(async () => enterShell(await call('shell.state', {})))
  return () => {
    end()
    clearInterval(timer)
    window.removeEventListener('focus', onFocus)
  }
}

function hasEngine({ phase } = getApp().shell): boolean {
  return phase === 'ready' || phase === 'readOnly'
}

function isOpen(): boolean {
  return getApp().start === 'ready' && hasEngine()
}

/**
 * The shell's phase. Whenever the store is open anew, everything is read anew. A start may be one of another store, a backup
 * say, whose numbers begin lower: nothing of the last one stays.
 */
export function enterShell(shell: ShellState): void {
  const before = getApp().shell.phase
  setApp({ shell, ...(hasEngine(shell) ? {} : noStore) })
  if (hasEngine(shell) && before !== shell.phase) supervise(reloadShown)
}

const noSkills = { candidates: [], skills: null, skillProblems: null } as const
const noMissions = { missions: null, missionDays: {}, proposedMissions: [], nextMission: null } as const
const noLearnt = { learnt: null, learntStatus: null } as const
const noStore = {
  known: emptyKnown,
  info: null,
  start: 'loading',
  conversationsBefore: null,
  projectId: null,
  ...noSkills,
  ...noMissions,
  ...noLearnt,
} as const

async function reloadShown(): Promise<void> {
  await loadStart()
  const { known, missions } = getApp()
  setApp({ missionDays: {} })
  // Threads that may have moved on and are on none of the first pages.
  const open = Object.values(known.threads).filter(({ state }) => !isTerminal(state))
  await Promise.all([
    ...Object.keys(known.chats).map(loadChat),
    ...Object.keys(known.calls).map(loadCalls),
    ...open.map(({ id }) => loadThread(id)),
    ...(missions === null ? [] : [loadMissions()]),
  ])
}

/** Sequence numbers are without gaps; a hole means that pushes were lost, as when the engine was restarted. */
export function hasGap(seq: number, events: readonly PushedEvent[]): boolean {
  const next = events.find((event) => event.seq > seq)
  return seq > 0 && next !== undefined && next.seq > seq + 1
}

const changesCandidates: ReadonlySet<PushedEvent['kind']> = new Set([
  'skill.proposed',
  'skill.decided',
  'skill.versioned',
])

/** Missions that these events changed, or of which a firing. */
function missionsIn(events: readonly PushedEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) =>
      event.kind === 'mission.changed' || event.kind === 'firing.claimed' || event.kind === 'firing.changed'
        ? [event.data.missionId]
        : [],
    ),
  )
}

/** What an event announces but does not carry: long messages, and the totals of a thread that came to rest. */
function followUp(events: readonly PushedEvent[]): void {
  const { known } = getApp()
  const threads = new Set<string>()
  const chats = new Set<string>()
  for (const event of events) {
    // Of a thread that no page has shown: its number and title are not in the event.
    if (event.kind === 'approval.requested' && !known.threads[event.threadId])
      supervise(() => loadApproval(event.data.approvalId))
    if (event.kind === 'thread.state' && event.data.to !== 'Running') threads.add(event.threadId)
    if (event.kind !== 'message.added' || event.body !== undefined) continue
    const conversationId = known.threads[event.threadId]?.conversationId
    if (conversationId !== undefined && known.chats[conversationId]) chats.add(conversationId)
  }
  for (const id of threads) {
    supervise(() => loadThread(id))
    // Calls that a stop or a crash cut off end without an event of their own.
    if (known.calls[id]) supervise(() => loadCalls(id))
  }
  for (const id of chats) supervise(() => loadChat(id))
  if (events.some((event) => event.kind === 'thread.state')) supervise(loadInfo)
  if (events.some(({ kind }) => changesCandidates.has(kind))) supervise(loadCandidates)
  const missions = missionsIn(events)
  if (missions.size > 0) supervise(loadMissionNews)
  missionsChanged(missions)
  if (events.some(({ kind }) => kind === 'learnt.changed')) supervise(loadLearntStatus)
}
