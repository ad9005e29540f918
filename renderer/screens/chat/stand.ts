import type { Outcome, ThreadHeader } from '../../../core/domain/thread.ts'
import { counted } from '../../format/figures.ts'
import type { Known } from '../../state/model.ts'
import { pendingOfThread } from '../../state/select.ts'

const restTitles: Readonly<Record<Outcome, string>> = {
  answered: 'Done',
  stopped: 'Stopped by you',
  budget: 'The budget is used up',
  maxSteps: 'The limit of steps is reached',
  failed: 'It could not go on',
  denied: 'Denied',
  interrupted: 'Interrupted',
}

/** What a thread at rest is called where nothing broke. */
export function restTitle({ state, outcome }: ThreadHeader): string {
  return state === 'Suspended' ? 'Suspended' : restTitles[outcome ?? 'stopped']
}

/** Why it rests, where the title does not say so already, and what is safe. */
export function restText(thread: ThreadHeader): string {
  const { reason } = thread
  const isSaid = reason === null || reason.toLowerCase() === restTitle(thread).toLowerCase()
  const sentences = isSaid ? [safeText(thread)] : [reason, safeText(thread)]
  return sentences.map((text) => `${capital(text).replace(/[.\s]+$/, '')}.`).join(' ')
}

/** What is safe, as the end of a sentence. */
export function safeText(thread: ThreadHeader): string {
  return thread.steps === 0 ? 'no step was begun' : `everything up to step ${thread.steps} is recorded`
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** What a waiting thread waits for: `write_file docs/a.md`, or its own reason. Null for one that does not wait. */
export function waitsForText(thread: ThreadHeader, known: Pick<Known, 'approvals' | 'threads'>): string | null {
  if (thread.state !== 'Waiting') return null
  const [first, ...others] = pendingOfThread(known, thread.id)
  if (first === undefined) return thread.reason ?? 'something that is not recorded'
  return `${`${first.action} ${first.summary}`.trim()}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** For the list: where a thread stands, in a few words. */
export function standText(thread: ThreadHeader, known: Pick<Known, 'approvals' | 'threads'>): string {
  const waitsFor = waitsForText(thread, known)
  if (waitsFor !== null) return `waits for you: ${waitsFor}`
  switch (thread.state) {
    case 'Created':
      return 'waits for a slot'
    case 'Running':
    case 'Waiting':
      return `step ${Math.max(1, thread.steps)}`
    case 'Suspended':
      return `suspended at step ${Math.max(1, thread.steps)}`
    case 'Failed':
      return `failed at step ${Math.max(1, thread.steps)}`
    case 'Completed':
    case 'Done':
      return thread.outcome === 'answered' || thread.outcome === null
        ? `answered in ${counted(thread.steps, 'step')}`
        : `${restTitles[thread.outcome].toLowerCase()}, ${counted(thread.steps, 'step')}`
  }
}
