import type { ErrorBody } from '../../core/domain/error.ts'
import type { ShellState } from '../../core/domain/shell.ts'
import type { StatusLook } from '../components/status.tsx'

interface EngineLook extends StatusLook {
  readonly tone?: 'warm' | 'bad'
  readonly title?: string
}

/** How the engine shows in the status bar. What it cannot read or record comes first: no other state is as good as it looks. */
export function engineLook(phase: ShellState['phase'], fault: ErrorBody | null): EngineLook {
  if (phase !== 'ready' && phase !== 'readOnly') return { status: 'queued', word: 'Engine starts' }
  if (fault) {
    const title = `${fault.userMessage} (${fault.code})`
    const word = fault.code === 'store.corrupt' ? 'Store damaged' : 'Not all is recorded'
    return { status: 'failed', word, tone: 'bad', title }
  }
  if (phase === 'readOnly') return { status: 'waiting', word: 'Read only', tone: 'warm' }
  return { status: 'done', word: 'Engine ok' }
}
