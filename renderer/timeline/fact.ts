import type { EventData, EventHeader } from '../../core/domain/event.ts'

/** An event as a page or a push brings it: without its body. */
export type EventFacts = Pick<EventHeader, 'seq' | 'threadId' | 'at' | 'kind' | 'data'>

/** What an event says without its body, told apart by `kind`. */
export type Fact = EventData extends infer One
  ? One extends { readonly kind: infer Kind; readonly data: infer Data }
    ? { readonly kind: Kind; readonly data: Data }
    : never
  : never

/** Reads an event's small facts. Null when the fields do not belong to the kind: an event of a newer version. */
export function factOf(header: Pick<EventFacts, 'kind' | 'data'>): Fact | null {
  const { kind, data } = header
  switch (kind) {
    case 'thread.created':
      return 'conversationId' in data ? { kind, data } : null
    case 'thread.state':
      return 'from' in data && 'to' in data && typeof data.to === 'string' ? { kind, data } : null
    case 'thread.corrected':
      return 'wrong' in data ? { kind, data } : null
    case 'thread.recovered':
      return 'lostCalls' in data ? { kind, data } : null
    case 'message.added':
      return 'role' in data ? { kind, data } : null
    case 'lease.granted':
      return 'actions' in data ? { kind, data } : null
    case 'lease.revoked':
      return 'capability' in data && 'reason' in data ? { kind, data } : null
    case 'grant.given':
      return 'grantId' in data && 'scope' in data ? { kind, data } : null
    case 'grant.revoked':
      return 'grantId' in data ? { kind, data } : null
    case 'budget.checked':
      return 'checks' in data ? { kind, data } : null
    case 'docs.retrieved':
      return 'docs' in data ? { kind, data } : null
    case 'skill.selected':
      return 'skills' in data ? { kind, data } : null
    case 'skill.loaded':
      return 'skill' in data && 'path' in data ? { kind, data } : null
    case 'canvas.emitted':
      return 'id' in data && 'title' in data ? { kind, data } : null
    case 'skill.proposed':
      return 'candidateId' in data && 'kind' in data ? { kind, data } : null
    case 'skill.mined':
      return 'subjectId' in data ? { kind, data } : null
    case 'skill.decided':
      return 'candidateId' in data && 'state' in data ? { kind, data } : null
    case 'skill.versioned':
      return 'skillId' in data && 'by' in data ? { kind, data } : null
    case 'skill.used':
      return 'skillId' in data && 'how' in data ? { kind, data } : null
    case 'skill.ran':
      return 'elapsedMs' in data && 'objective' in data ? { kind, data } : null
    case 'context.compacted':
      return 'trigger' in data ? { kind, data } : null
    case 'context.warned':
      return 'phase' in data ? { kind, data } : null
    case 'approval.requested':
      return 'undo' in data ? { kind, data } : null
    case 'approval.decided':
      return 'approvalId' in data && 'state' in data ? { kind, data } : null
    case 'effect.undone':
      return 'trashId' in data ? { kind, data } : null
    case 'code.started':
      return 'sha256' in data && 'lines' in data ? { kind, data } : null
    case 'code.finished':
      return 'isFinal' in data ? { kind, data } : null
    case 'query.started':
      return 'purpose' in data ? { kind, data } : null
    case 'query.finished':
      return 'ok' in data && 'usd' in data ? { kind, data } : null
    case 'child.spawned':
      return 'childId' in data && 'number' in data ? { kind, data } : null
    case 'child.finished':
      return 'childId' in data && 'outcome' in data ? { kind, data } : null
    case 'repeat.noticed':
      return 'count' in data && 'verdict' in data ? { kind, data } : null
    case 'trace.analysed':
      return 'issues' in data ? { kind, data } : null
    case 'secret.redacted':
      return 'redactions' in data ? { kind, data } : null
    case 'orchestrator.chosen':
      return 'version' in data && 'sha256' in data && !('candidateId' in data) ? { kind, data } : null
    case 'orchestrator.failed':
      return 'failures' in data ? { kind, data } : null
    case 'orchestrator.rolledBack':
      return 'from' in data && 'to' in data && !('by' in data) && typeof data.to === 'number' ? { kind, data } : null
    case 'slot.queued':
      return 'ahead' in data ? { kind, data } : null
    case 'slot.acquired':
      return 'waitedMs' in data ? { kind, data } : null
    case 'step.started':
      return 'checkpoint' in data && 'providerId' in data ? { kind, data } : null
    case 'step.restarted':
      return 'step' in data ? { kind, data } : null
    case 'model.retried':
      return 'attempt' in data ? { kind, data } : null
    case 'model.completed':
      return 'finishReason' in data ? { kind, data } : null
    case 'model.failed':
      return 'userMessage' in data ? { kind, data } : null
    case 'action.started':
      return 'leaseId' in data && 'callId' in data ? { kind, data } : null
    case 'action.finished':
      return 'ok' in data && 'callId' in data && 'durationMs' in data ? { kind, data } : null
    case 'orchestrator.diverged':
      return 'expected' in data ? { kind, data } : null
    case 'status':
      return 'text' in data ? { kind, data } : null
    case 'unreadable':
      return 'problem' in data ? { kind, data } : null
    default:
      return null
  }
}
