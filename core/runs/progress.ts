import type { LiveEvent } from '../domain/contract.ts'
import { isTerminal } from '../domain/thread.ts'

/** What a skill's run tells whoever waits for it. Source: seed L, Progress streaming. */
export type SkillProgress =
  | { readonly kind: 'status'; readonly message: string }
  /** `tools`: how many it may use; it never changes within a run. */
  | { readonly kind: 'turn'; readonly turn: number; readonly tools: number }
  | { readonly kind: 'tool_start'; readonly name: string; readonly summary: string }
  | { readonly kind: 'tool_end'; readonly name: string; readonly durationMs: number; readonly error?: string }
  /** Nothing more comes of it. */
  | { readonly kind: 'error'; readonly phase: 'model' | 'run'; readonly message: string }

/** A run's own events as progress, in the order of its record. */
export function createProgress(onProgress: (progress: SkillProgress) => void): (event: LiveEvent) => void {
  let tools = 0
  let isModels = false

  function tell(progress: SkillProgress): void {
    try {
      onProgress(progress)
    } catch {
      // Whoever watches must not end what they watch.
    }
  }

  return (event) => {
    switch (event.kind) {
      case 'lease.granted':
        if (event.data.expiresAt !== null) tools += event.data.actions.length
        break
      case 'thread.created':
        tell({ kind: 'status', message: `Running the skill ${event.data.run?.skill ?? event.data.title}` })
        break
      case 'slot.queued':
        tell({ kind: 'status', message: 'Waiting for a free slot' })
        break
      case 'status':
        tell({ kind: 'status', message: event.data.text })
        break
      case 'step.started':
        isModels = false
        tell({ kind: 'turn', turn: event.data.step + 1, tools })
        break
      case 'action.started':
        tell({ kind: 'tool_start', name: event.data.name, summary: event.data.summary })
        break
      case 'action.finished': {
        const { name, durationMs, code } = event.data
        tell({ kind: 'tool_end', name, durationMs, ...(code && { error: code }) })
        break
      }
      case 'model.failed':
        isModels = true
        break
      case 'thread.state': {
        const { to, reason = '' } = event.data
        if (to === 'Failed') tell({ kind: 'error', phase: isModels ? 'model' : 'run', message: reason })
        else if (to === 'Waiting' || to === 'Suspended') tell({ kind: 'status', message: `${to}: ${reason}` })
        else if (isTerminal(to)) tell({ kind: 'status', message: 'Done' })
        break
      }
    }
  }
}
