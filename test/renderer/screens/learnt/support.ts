import type { LearntEntry } from '../../../../core/domain/learnt.ts'
import { noon } from '../../support.ts'

export function learnt(patch: Partial<LearntEntry> = {}): LearntEntry {
  return {
    ...{ id: 'lrn_1', kind: 'overlay', projectId: 'p1', text: 'Look a path up before you read it.', state: 'pending' },
    ...{ reason: 'Seen in 2 threads: read_file failed', topic: 'tool_error read_file action.not_found' },
    sources: [source(1), source(2)],
    ...{ isUntrusted: false, at: noon, sha256: 'a'.repeat(64), appliedBy: null, replaces: null },
    ...{ expiresAt: noon + 1_000, endReason: null, effect: null, undo: null },
    ...patch,
  }
}

export function source(threadNumber: number, seq: number | null = null): LearntEntry['sources'][number] {
  return { threadId: `t${threadNumber}`, threadNumber, seq, quote: 'there is no file notes.md' }
}
