import type { EventData } from '../../../core/domain/event.ts'
import type { CallRow, ThreadHeader } from '../../../core/domain/thread.ts'
import type { EventFacts } from '../../../renderer/timeline/fact.ts'
import type { Span } from '../../../renderer/timeline/span.ts'
import { callAt, childrenOf, spanAt, type Timeline } from '../../../renderer/timeline/timeline.ts'

export const startAt = 1_700_000_000_000

export function header(patch: Partial<ThreadHeader> = {}): ThreadHeader {
  return {
    ...{
      id: 't1',
      number: 1,
      projectId: 'p1',
      conversationId: 'c1',
      title: 'Count the pages',
      goal: 'Count the pages',
    },
    ...{ state: 'Running', outcome: null, reason: null, tier: 'allegro', steps: 0, inputTokens: 0, outputTokens: 0 },
    ...{ createdAt: startAt, updatedAt: startAt, endedAt: null, model: null, maxSteps: null, usd: 0 },
    ...{ parentId: null, rootId: 't1', depth: 0, missionId: null, budget: { tokens: null, usd: null, ms: null } },
    ...patch,
  }
}

/** A call of the index; `from` and `to` in ms after the thread's beginning, `to` null while it runs. */
export function row(at: { step: number; path?: string; from: number; to: number | null } & Partial<CallRow>): CallRow {
  const { step, path = '0', from, to, ...rest } = at
  const seq = step * 100 + Number(path) * 2 + 1
  return {
    ...{ step, path, kind: path === '0' ? 'model' : 'action', name: path === '0' ? 'planner' : 'read_file' },
    ...{ state: to === null ? 'started' : 'done', startedAt: startAt + from, firstTokenAt: null },
    ...{
      endedAt: to === null ? null : startAt + to,
      inputTokens: 0,
      outputTokens: 0,
      summary: '',
      usd: null,
      childId: null,
    },
    ...{ startSeq: seq, endSeq: to === null ? null : seq + 1 },
    ...rest,
  }
}

type Data<Kind extends EventData['kind']> = Extract<EventData, { kind: Kind }>['data']

export function event<Kind extends EventData['kind']>(
  seq: number,
  at: number,
  kind: Kind,
  data: Data<Kind>,
): EventFacts {
  return { seq, threadId: 't1', at: startAt + at, kind, data }
}

export const stepStarted = (seq: number, at: number, step: number) =>
  event(seq, at, 'step.started', {
    ...{ step, providerId: 'planner', model: 'planner', tier: 'allegro', messages: 1, promptTokens: 10 },
    ...{ checkpoint: null, argsHash: 'h' },
  })

export const modelCompleted = (
  seq: number,
  at: number,
  of: { step: number; durationMs: number; firstTokenMs?: number | null; inputTokens?: number; outputTokens?: number },
) =>
  event(seq, at, 'model.completed', {
    ...{ providerId: 'planner', model: 'planner', cachedInputTokens: 0, estimated: false, finishReason: 'stop' },
    ...{ calls: 0, preview: 'said', usd: null, firstTokenMs: null, inputTokens: 0, outputTokens: 0 },
    ...of,
  })

export const actionStarted = (seq: number, at: number, step: number, path: string) =>
  event(seq, at, 'action.started', {
    ...{ step, path, callId: `${step}/${path}`, name: 'read_file', argsHash: 'h', leaseId: 'L1', usesLeft: null },
    policy: { verdict: 'allow', check: null, reason: null, effects: ['ReadLocal'] },
    summary: 'docs',
  })

export const actionFinished = (
  seq: number,
  at: number,
  of: { step: number; path: string; ok: boolean; durationMs: number },
) =>
  event(seq, at, 'action.finished', {
    ...{ callId: `${of.step}/${of.path}`, name: 'read_file', summary: '2 kB' },
    ...(of.ok ? {} : { code: 'action.failed' as const }),
    ...of,
  })

export function call(timeline: Timeline, step: number, path: string): Span {
  const span = callAt(timeline, step, path)
  if (!span) throw new Error(`no call ${step}/${path}`)
  return span
}

/** The tree as indented names: what a person reads from top to bottom. */
export function outline(timeline: Timeline): readonly string[] {
  const lines = [spanAt(timeline, 0).name]
  for (const step of childrenOf(timeline, 0)) {
    lines.push(`  ${spanAt(timeline, step).name}`)
    for (const id of childrenOf(timeline, step)) {
      const { name, path } = spanAt(timeline, id)
      lines.push(`    ${path} ${name}`)
    }
  }
  return lines
}
