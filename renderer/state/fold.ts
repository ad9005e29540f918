import type { LiveDelta, ModelCompleted } from '../../core/domain/event.ts'
import type { ActiveSkill } from '../../core/domain/skill.ts'
import { isTerminal, type ThreadHeader } from '../../core/domain/thread.ts'
import type { PushedEvent } from '../engine/client.ts'
import { foldDecided, foldRequested } from './fold-approvals.ts'
import { type FreshTables, foldCall } from './fold-calls.ts'
import { canvasCard, mergeCanvases } from './fold-canvases.ts'
import { foldMessage } from './fold-messages.ts'
import type { Known, LiveAnswer } from './model.ts'

/** Everything known after these events. Events that are not newer than what is folded already are left out. */
export function foldEvents(known: Known, events: readonly PushedEvent[]): Known {
  let next = known
  const fresh: FreshTables = new Set()
  for (const event of events) {
    if (event.seq > next.seq) next = { ...foldEvent(next, event, fresh), seq: event.seq }
  }
  return next
}

function foldEvent(known: Known, event: PushedEvent, fresh: FreshTables): Known {
  const thread = known.threads[event.threadId]
  switch (event.kind) {
    case 'thread.created':
      return thread ? known : withThread(known, createdThread(event, known))
    case 'thread.state': {
      const { to, outcome, reason } = event.data
      const settled = to === 'Running' ? known : withoutKey(known, 'queued', event.threadId)
      const quiet = isTerminal(to) || to === 'Suspended' ? endLive(settled, event.threadId) : settled
      return patchThread(quiet, event, {
        state: to,
        outcome: outcome ?? thread?.outcome ?? null,
        reason: reason ?? null,
        endedAt: isTerminal(to) ? event.at : null,
      })
    }
    case 'slot.queued':
      return { ...known, queued: { ...known.queued, [event.threadId]: event.data.ahead } }
    case 'slot.acquired':
      return withoutKey(known, 'queued', event.threadId)
    case 'step.started': {
      const stepped = patchThread(known, event, { steps: Math.max(thread?.steps ?? 0, event.data.step + 1) })
      return foldCall(withoutKey(withoutOldLive(stepped, event), 'endings', event.threadId), event, fresh)
    }
    case 'model.completed':
      // Text beside calls or code was said on the way; only text alone is the answer that a message will repeat.
      return foldCall(isOnTheWay(event.data) ? withoutKey(known, 'live', event.threadId) : known, event, fresh)
    case 'model.failed':
      return foldCall(foldFailure(known, event), event, fresh)
    case 'step.restarted':
      // What it had said before a quit is said anew.
      return foldCall(withoutKey(known, 'endings', event.threadId), event, fresh)
    case 'action.started':
    case 'action.finished':
    case 'code.started':
    case 'code.finished':
    case 'query.started':
    case 'query.finished':
    case 'child.spawned':
    case 'child.finished':
      return foldCall(known, event, fresh)
    case 'approval.requested':
      return foldCall(foldRequested(known, event), event, fresh)
    case 'approval.decided':
      return foldDecided(known, event)
    case 'message.added': {
      const answered = event.data.role === 'assistant' ? withoutKey(known, 'live', event.threadId) : known
      return foldMessage(answered, event)
    }
    case 'skill.selected':
      return withSkills(known, event.threadId, event.data.skills)
    case 'skill.loaded':
      return withSkills(known, event.threadId, [event.data.skill])
    case 'canvas.emitted':
      return mergeCanvases(known, event.threadId, [canvasCard(event)])
    case 'skill.proposed':
    case 'skill.mined':
    case 'skill.decided':
    case 'skill.versioned':
    case 'skill.used':
    case 'skill.ran':
      // Such an event may be of no thread at all: what it changed is read anew by whoever shows it.
      return { ...known, skillSeq: event.seq }
    case 'mission.changed':
    case 'firing.claimed':
    case 'firing.changed':
      return { ...known, missionSeqs: { ...known.missionSeqs, [event.data.missionId]: event.seq } }
    case 'learnt.changed':
    case 'orchestrator.rolledBack':
      return { ...known, learntSeq: event.seq }
    case 'context.warned':
      return { ...known, warned: { ...known.warned, [event.threadId]: event.data } }
    case 'model.retried':
    case 'thread.recovered':
    case 'thread.corrected':
    case 'lease.granted':
    case 'lease.revoked':
    case 'grant.given':
    case 'grant.revoked':
    case 'budget.checked':
    case 'docs.retrieved':
    case 'context.compacted':
    case 'effect.undone':
    case 'repeat.noticed':
    case 'trace.analysed':
    case 'secret.redacted':
    case 'orchestrator.chosen':
    case 'orchestrator.failed':
    case 'orchestrator.diverged':
    case 'status':
    case 'unreadable':
      return known
    default:
      return event satisfies never
  }
}

/** Skills that join a thread; those that are known already stay as they are. */
export function withSkills(known: Known, threadId: string, joining: readonly ActiveSkill[]): Known {
  const before = known.skills[threadId] ?? []
  const more = joining.filter(({ name }) => !before.some((each) => each.name === name))
  return more.length === 0 ? known : { ...known, skills: { ...known.skills, [threadId]: [...before, ...more] } }
}

/** What had been said when it broke off stays in sight: its record is read behind it. */
function foldFailure(known: Known, { threadId, data, body }: Extract<PushedEvent, { kind: 'model.failed' }>): Known {
  const { code, userMessage, retryable, providerId, model } = data
  const failure = { code, userMessage, retryable, message: body?.message ?? userMessage }
  const error = code === 'cancelled' ? null : failure
  const partialText = body?.partialText ?? known.live[threadId]?.text ?? ''
  return {
    ...known,
    endings: { ...known.endings, [threadId]: { error, partialText, isKept: true, model: { providerId, model } } },
  }
}

function endLive(known: Known, threadId: string): Known {
  const partialText = known.live[threadId]?.text ?? ''
  const quiet = withoutKey(known, 'live', threadId)
  if (partialText === '' || known.endings[threadId]) return quiet
  return {
    ...quiet,
    endings: { ...quiet.endings, [threadId]: { error: null, partialText, isKept: false, model: null } },
  }
}

function isOnTheWay({ calls, codeBlocks = 0 }: ModelCompleted): boolean {
  return calls > 0 || codeBlocks > 0
}

/**
 * Live text of many deltas at once, folded before the events of their batch: the record that ends a text comes after it.
 * A delta of a step that is already over is too late and left out.
 */
export function foldDeltas(known: Known, deltas: readonly LiveDelta[]): Known {
  if (deltas.length === 0) return known
  const live: Record<string, LiveAnswer> = { ...known.live }
  for (const { threadId, step, kind, text } of deltas) {
    const thread = known.threads[threadId]
    if (thread && (!isUnderWay(thread) || step < thread.steps - 1)) continue
    const before = live[threadId]
    const answer = before?.step === step ? before : { step, text: '', reasoning: '' }
    if (kind === 'text') live[threadId] = { ...answer, text: answer.text + text }
    if (kind === 'reasoning') live[threadId] = { ...answer, reasoning: answer.reasoning + text }
  }
  return { ...known, live }
}

function isUnderWay({ state }: ThreadHeader): boolean {
  return state === 'Created' || state === 'Running'
}

/** Headers that a call answered. The store is right about all but the events that came after the answer was made. */
export function mergeThreads(known: Known, headers: readonly ThreadHeader[]): Known {
  if (headers.length === 0) return known
  const threads = { ...known.threads }
  for (const header of headers) threads[header.id] = newerOf(threads[header.id], header)
  return { ...known, threads }
}

function newerOf(before: ThreadHeader | undefined, after: ThreadHeader): ThreadHeader {
  if (!before) return after
  // The store writes the counts when a thread comes to rest; while it runs, the events know more. They only ever grow.
  return {
    ...(after.updatedAt >= before.updatedAt ? after : before),
    // A goal never changes; a row of a list has the beginning of it only.
    goal: before.goal.length > after.goal.length ? before.goal : after.goal,
    steps: Math.max(before.steps, after.steps),
    inputTokens: Math.max(before.inputTokens, after.inputTokens),
    outputTokens: Math.max(before.outputTokens, after.outputTokens),
  }
}

function createdThread(event: Extract<PushedEvent, { kind: 'thread.created' }>, known: Known): ThreadHeader {
  const { number, projectId, conversationId, title, tier, parentId = null, depth = 0 } = event.data
  const rootId = parentId === null ? event.threadId : (known.threads[parentId]?.rootId ?? parentId)
  return {
    id: event.threadId,
    number,
    projectId,
    conversationId,
    title,
    tier,
    // Both are asked for by the command line only, and read with the header.
    model: null,
    maxSteps: null,
    budget: { tokens: null, usd: null, ms: null },
    ...{ parentId, rootId, depth },
    missionId: event.data.mission?.missionId ?? null,
    usd: 0,
    // A goal over 4 kB does not ride along; the list needs no more than the beginning of it.
    goal: event.body?.goal ?? title,
    state: 'Created',
    outcome: null,
    reason: null,
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    createdAt: event.at,
    updatedAt: event.at,
    endedAt: null,
  }
}

function withThread(known: Known, thread: ThreadHeader): Known {
  return { ...known, threads: { ...known.threads, [thread.id]: thread } }
}

function patchThread(known: Known, event: PushedEvent, patch: Partial<ThreadHeader>): Known {
  const thread = known.threads[event.threadId]
  return thread ? withThread(known, { ...thread, ...patch, updatedAt: Math.max(thread.updatedAt, event.at) }) : known
}

function withoutOldLive(known: Known, event: Extract<PushedEvent, { kind: 'step.started' }>): Known {
  const live = known.live[event.threadId]
  return live && live.step < event.data.step ? withoutKey(known, 'live', event.threadId) : known
}

function withoutKey<Part extends 'live' | 'queued' | 'endings'>(known: Known, part: Part, threadId: string): Known {
  if (known[part][threadId] === undefined) return known
  const { [threadId]: _, ...rest } = known[part]
  return { ...known, [part]: rest }
}
