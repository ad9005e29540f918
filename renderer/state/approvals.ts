import type { ApiInput } from '../../core/api.ts'
import type { Approval } from '../../core/domain/approval.ts'
import { AppError } from '../../core/domain/error.ts'
import { call } from '../engine/client.ts'
import { mergeThreads } from './fold.ts'
import { mergeApprovals, replacePending } from './fold-approvals.ts'
import { getApp, setKnown } from './store.ts'

const pendingRows = 1_000
const decidedRows = 60

/** Everything that waits for a person, with the threads that wait: a child's parent is found through its header. */
export async function loadPending(): Promise<void> {
  const { rows } = await call('approval.list', { state: 'pending', limit: pendingRows })
  setKnown((known) => replacePending(known, rows))
  await loadHeaders(rows)
}

/** The newest decisions, or those before the last one seen. Answers the key of the next page. */
export async function loadDecided(before?: number): Promise<number | null> {
  const page = await call('approval.list', {
    ...{ state: 'decided', limit: decidedRows },
    ...(before !== undefined && { before }),
  })
  setKnown((known) => mergeApprovals(known, page.rows))
  return page.next
}

export async function loadApproval(id: string): Promise<Approval> {
  const approval = await call('approval.get', { id })
  setKnown((known) => mergeApprovals(known, [approval]))
  await loadHeaders([approval])
  return approval
}

/** Decides. What was decided elsewhere meanwhile is read, so that the screen shows how. */
export async function decideApproval(decision: ApiInput<'approval.decide'>): Promise<void> {
  try {
    const approval = await call('approval.decide', decision)
    setKnown((known) => mergeApprovals(known, [approval]))
  } catch (error) {
    const isOver = error instanceof AppError && (error.code === 'approval.decided' || error.code === 'approval.expired')
    if (isOver) await loadApproval(decision.id)
    throw error
  }
}

async function loadHeaders(rows: readonly Approval[]): Promise<void> {
  const { threads } = getApp().known
  const missing = [...new Set(rows.map(({ threadId }) => threadId))].filter((id) => !threads[id])
  const headers = await Promise.all(missing.map((id) => call('thread.get', { id })))
  setKnown((known) => mergeThreads(known, headers))
}
