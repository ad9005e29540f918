import type { ApiInput } from '../../core/api.ts'
import type { Candidate } from '../../core/domain/candidate.ts'
import { call } from '../engine/client.ts'
import { setApp } from './store.ts'

const pendingRows = 1_000
const decidedRows = 60

/** All that wait, the oldest first. */
export async function loadCandidates(): Promise<void> {
  const { rows } = await call('candidate.list', { state: 'pending', limit: pendingRows })
  setApp({ candidates: rows })
}

/** The newest decisions, or those before the last one seen. */
export function readDecidedCandidates(before?: number) {
  return call('candidate.list', { state: 'decided', limit: decidedRows, ...(before !== undefined && { before }) })
}

/** Decides on exactly what was seen. What waits is read anew, also where it was refused: it may be because of that. */
export async function decideCandidate(decision: ApiInput<'candidate.decide'>): Promise<Candidate> {
  try {
    return await call('candidate.decide', decision)
  } finally {
    await loadCandidates()
  }
}
