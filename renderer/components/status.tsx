import type { CallState, Outcome, ThreadHeader, ThreadState } from '../../core/domain/thread.ts'

/** The six looks of a state. Icon, word and colour always come together. Source: the design's table of status. */
export type StatusName = 'running' | 'waiting' | 'done' | 'failed' | 'denied' | 'queued'

const words: Readonly<Record<StatusName, string>> = {
  running: 'Running',
  waiting: 'Waiting',
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  queued: 'Queued',
}

interface StatusProps {
  readonly status: StatusName
  /** The word, where it is not the status's own. */
  readonly word?: string
  /** `icon` keeps the word for screen readers and the title only: for rows. */
  readonly look?: 'text' | 'chip' | 'icon'
}

export function Status({ status, word = words[status], look = 'text' }: StatusProps) {
  return (
    <span className={look === 'chip' ? `chip st ${status}` : `st ${status}`} title={look === 'icon' ? word : undefined}>
      <StatusIcon status={status} />
      <span className={look === 'icon' ? 'sr' : 'st-word'}>{word}</span>
    </span>
  )
}

/** The shape alone, for a place that says the word itself. */
export function StatusIcon({ status }: { readonly status: StatusName }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {shapes[status]}
    </svg>
  )
}

/** A hollow diamond: a candidate waits, and nothing of it is in use. */
export function CandidateMark() {
  return (
    <span className="st waiting" title="Candidate">
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path d="M6 1.2L10.8 6 6 10.8 1.2 6z" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      <span className="sr">Candidate</span>
    </span>
  )
}

const shapes: Readonly<Record<StatusName, React.ReactNode>> = {
  running: (
    <>
      <circle cx="6" cy="6" r="4.6" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1.4a4.600 4.600 0 0 1 0 9.200z" fill="currentColor" />
    </>
  ),
  waiting: (
    <>
      <rect x="2.6" y="1.8" width="2.4" height="8.4" rx=".8" fill="currentColor" />
      <rect x="7" y="1.8" width="2.4" height="8.4" rx=".8" fill="currentColor" />
    </>
  ),
  done: (
    <path
      d="M2 6.4l2.700 2.700L10 3.400"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  failed: (
    <path
      d="M2.600 2.600l6.800 6.800M9.400 2.600L2.600 9.400"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
    />
  ),
  denied: (
    <>
      <circle cx="6" cy="6" r="5" fill="currentColor" />
      <rect className="st-hole" x="3" y="5.1" width="6" height="1.8" rx=".5" />
    </>
  ),
  queued: (
    <circle cx="6" cy="6" r="4.3" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.2 1.7" />
  ),
}

export interface StatusLook {
  readonly status: StatusName
  readonly word: string
}

const stateLooks: Readonly<Record<ThreadState, StatusLook>> = {
  Created: { status: 'queued', word: 'Queued' },
  Running: { status: 'running', word: 'Running' },
  Waiting: { status: 'waiting', word: 'Waiting' },
  Suspended: { status: 'waiting', word: 'Suspended' },
  Completed: { status: 'done', word: 'Done' },
  Done: { status: 'done', word: 'Done' },
  Failed: { status: 'failed', word: 'Failed' },
}
const outcomeLooks: Readonly<Record<Outcome, StatusLook>> = {
  answered: { status: 'done', word: 'Done' },
  stopped: { status: 'queued', word: 'Stopped' },
  budget: { status: 'queued', word: 'Budget used up' },
  maxSteps: { status: 'queued', word: 'Step limit' },
  failed: { status: 'failed', word: 'Failed' },
  denied: { status: 'denied', word: 'Denied' },
  interrupted: { status: 'queued', word: 'Interrupted' },
}

/** How a thread shows: by its outcome once it ended, by its state until then. */
export function threadLook(thread: Pick<ThreadHeader, 'state' | 'outcome'>): StatusLook {
  const hasEnded = thread.state === 'Completed' || thread.state === 'Done' || thread.state === 'Failed'
  return hasEnded && thread.outcome ? outcomeLooks[thread.outcome] : stateLooks[thread.state]
}

/** A thread that waits for a slot is at work in the record, but nothing of it runs. */
export const queuedLook: StatusLook = { status: 'queued', word: 'Queued' }

/** How one call shows: a refusal is purple, what was cut off is grey. */
export const callLooks: Readonly<Record<CallState, StatusLook>> = {
  waiting: { status: 'waiting', word: 'Waiting' },
  started: { status: 'running', word: 'Running' },
  done: { status: 'done', word: 'Done' },
  failed: { status: 'failed', word: 'Failed' },
  refused: { status: 'denied', word: 'Refused' },
  interrupted: { status: 'queued', word: 'Interrupted' },
  cancelled: { status: 'queued', word: 'Cancelled' },
}
