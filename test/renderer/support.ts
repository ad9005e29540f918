import type { Approval } from '../../core/domain/approval.ts'
import type { Candidate } from '../../core/domain/candidate.ts'
import type { ChatMessage } from '../../core/domain/contract.ts'
import type { CallRow, ThreadHeader } from '../../core/domain/thread.ts'
import type { PushedEvent } from '../../renderer/engine/client.ts'

/** 14:36 on a Thursday, local time. */
export const noon = new Date(2026, 10, 26, 14, 36).getTime()

export function thread(patch: Partial<ThreadHeader> = {}): ThreadHeader {
  return {
    id: 't1',
    number: 1,
    projectId: 'p1',
    conversationId: 'c1',
    title: 'Bring the docs up to the 2.4 flags',
    goal: 'Bring the docs up to the 2.4 flags',
    state: 'Running',
    outcome: null,
    reason: null,
    tier: 'allegro',
    model: null,
    maxSteps: null,
    parentId: null,
    rootId: 't1',
    depth: 0,
    missionId: null,
    budget: { tokens: null, usd: null, ms: null },
    usd: 0,
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    createdAt: noon,
    updatedAt: noon,
    endedAt: null,
    ...patch,
  }
}

export function message(patch: Partial<ChatMessage>): ChatMessage {
  return { seq: 1, threadId: 't1', role: 'user', content: 'hello', at: noon, ...patch }
}

export function callRow(patch: Partial<CallRow>): CallRow {
  return {
    step: 0,
    path: '0',
    kind: 'model',
    name: 'planner',
    state: 'done',
    startedAt: noon,
    firstTokenAt: null,
    endedAt: noon + 100,
    inputTokens: 0,
    outputTokens: 0,
    usd: null,
    childId: null,
    startSeq: 1,
    endSeq: 2,
    summary: '',
    ...patch,
  }
}

export function stepStarted(seq: number, step: number, threadId = 't1'): PushedEvent {
  const data = {
    step,
    providerId: 'planner',
    model: 'planner',
    tier: 'allegro',
    messages: 2,
    promptTokens: 100,
    checkpoint: null,
    argsHash: 'h',
  } as const
  return { kind: 'step.started', seq, threadId, at: noon + seq, data }
}

export function modelCompleted(seq: number, step: number, calls: number): PushedEvent {
  const data = {
    step,
    providerId: 'planner',
    model: 'planner',
    durationMs: 900,
    firstTokenMs: 200,
    inputTokens: 1_000,
    outputTokens: 50,
    cachedInputTokens: 0,
    estimated: false,
    finishReason: calls > 0 ? 'tool_calls' : 'stop',
    calls,
    usd: null,
    preview: 'There are 24 files.',
  } as const
  return { kind: 'model.completed', seq, threadId: 't1', at: noon + seq, data }
}

export function actionStarted(seq: number, step: number, path: string): PushedEvent {
  const data = {
    step,
    path,
    callId: `call-${path}`,
    name: 'read_file',
    argsHash: 'h',
    leaseId: 'L1',
    usesLeft: null,
    policy: { verdict: 'allow', check: null, reason: null, effects: ['ReadLocal'] } as const,
    summary: 'docs/a.md',
  }
  return { kind: 'action.started', seq, threadId: 't1', at: noon + seq, data }
}

export function actionFinished(seq: number, step: number, path: string, ok = true): PushedEvent {
  const data = { step, path, callId: `call-${path}`, name: 'read_file', ok, durationMs: 12, summary: '41 lines' }
  return { kind: 'action.finished', seq, threadId: 't1', at: noon + seq, data }
}

export function answered(seq: number, content: string): PushedEvent {
  const data = { role: 'assistant', origin: 'final', preview: content } as const
  return { kind: 'message.added', seq, threadId: 't1', at: noon + seq, data, body: { content } }
}

export function approval(patch: Partial<Approval> = {}): Approval {
  return {
    ...{ id: 'a1', kind: 'action', threadId: 't1', threadNumber: 1, threadTitle: 'Docs', projectId: 'p1', step: 0 },
    ...{ path: '1', callId: 'c1', action: 'write_file', hash: 'h', summary: 'docs/a.md', effects: ['WriteLocal'] },
    ...{ reason: 'It writes a file.', scopeKey: 'write_file', undo: 'Undo takes it away.', state: 'pending' },
    ...{ scope: null, decisionReason: null, requestedAt: noon, expiresAt: noon + 1_000, decidedAt: null },
    ...{ requestSeq: 5, decidedSeq: null },
    ...patch,
  }
}

export function approvalRequested(seq: number, patch: { path?: string; threadId?: string } = {}): PushedEvent {
  const { path = '1', threadId = 't1' } = patch
  const data = {
    ...{ approvalId: `a${path}`, step: 0, path, callId: `call-${path}`, name: 'write_file', argsHash: 'h' },
    ...{ summary: 'docs/a.md', scopeKey: 'write_file', undo: 'Undo takes it away.', expiresAt: noon + 1_000 },
    policy: { verdict: 'ask', check: 'approval', reason: 'It writes a file.', effects: ['WriteLocal'] } as const,
  }
  return { kind: 'approval.requested', seq, threadId, at: noon + seq, data }
}

export function approvalDecided(seq: number, state: 'approved' | 'denied' | 'cancelled', path = '1'): PushedEvent {
  const data = {
    ...{ approvalId: `a${path}`, step: 0, path, callId: `call-${path}`, name: 'write_file', state },
    scope: 'once',
    ...{ reason: state === 'denied' ? 'not now' : null, argsHash: 'h' },
  } as const
  return { kind: 'approval.decided', seq, threadId: 't1', at: noon + seq, data }
}

export function candidate(patch: Partial<Candidate> = {}): Candidate {
  return {
    ...{ id: 'can_1', kind: 'update', name: 'docs-sweep', projectId: null, sha256: 'b'.repeat(64) },
    target: { skillId: 'skl_1', version: 3, sha256: 'a'.repeat(64) },
    ...{ source: 'extracted', trust: 'installed', threadId: 't1', threadNumber: 198, proposedBy: 'save_skill' },
    ...{ reason: 'The narrower label was wanted twice.', state: 'pending', decisionReason: null },
    ...{ proposedAt: noon, expiresAt: noon + 1_000, decidedAt: null, version: null },
    ...patch,
  }
}
