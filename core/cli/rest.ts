import type { EventBatch, LiveEvent } from '../domain/contract.ts'
import { AppError } from '../domain/error.ts'
import type { LiveDelta } from '../domain/event.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Access } from './access.ts'

export interface Watch {
  /** Settles once the thread has ended, waits or is suspended. @throws AppError engine.stopped when its app was closed. */
  untilRest(threadId: string): Promise<ThreadHeader>
  end(): void
}

export interface Watcher {
  onEvent?(event: LiveEvent): void
  onDelta?(delta: LiveDelta): void
}

/** Follows everything from now on; begun before a thread is started, so that nothing of it is missed. */
export async function watch(access: Access, watcher: Watcher): Promise<Watch> {
  const { lastSeq } = await access.call('engine.info', {})
  const rested = new Set<string>()
  let ended: AppError | undefined
  let wake: () => void = () => undefined

  const listener = (batch: EventBatch) => {
    for (const event of batch.events) {
      watcher.onEvent?.(event)
      if (event.kind !== 'thread.state' || !('to' in event.data)) continue
      const { to } = event.data
      if (to === 'Running') rested.delete(event.threadId)
      else if (to !== 'Completed') rested.add(event.threadId)
    }
    for (const delta of batch.deltas) watcher.onDelta?.(delta)
    wake()
  }
  const end = access.subscribe(lastSeq, listener, (error) => {
    ended = error
    wake()
  })

  return {
    async untilRest(threadId) {
      while (!rested.has(threadId)) {
        if (ended !== undefined) throw appClosed(threadId, ended)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      // It may have been suspended because the app is closing at this moment.
      return access.call('thread.get', { id: threadId }).catch((error: unknown) => {
        throw ended === undefined ? error : appClosed(threadId, ended)
      })
    },
    end,
  }
}

function appClosed(threadId: string, cause: AppError): AppError {
  if (cause.code !== 'engine.stopped') return cause
  return new AppError('engine.stopped', {
    message: `the app was closed while ${threadId} was at work`,
    userMessage: `The app was closed; the thread is suspended there and nothing of it is lost. \`threadsmith thread resume ${threadId}\` goes on.`,
    cause,
    data: { threadId },
    retryable: true,
  })
}
