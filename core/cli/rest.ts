import type { EventBatch, LiveEvent } from '../domain/contract.ts'
import { AppError } from '../domain/error.ts'
import type { LiveDelta } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Access } from './access.ts'

export interface Watch {
  /**
   * Settles once neither the thread nor its children are at work: ended, suspended, or waiting for somebody.
   * @throws AppError engine.stopped when its app was closed.
   */
  untilRest(threadId: string): Promise<ThreadHeader>
  end(): void
}

export interface Watcher {
  onEvent?(event: LiveEvent): void
  onDelta?(delta: LiveDelta): void
}

/** For as long a thread may wait for nothing: its child has ended, and it has not been taken up yet. */
const betweenMs = 500

/** Follows everything from now on; begun before a thread is started, so that nothing of it is missed. */
export async function watch(access: Access, watcher: Watcher): Promise<Watch> {
  const { lastSeq } = await access.call('engine.info', {})
  let moves = 0
  let ended: AppError | undefined
  let wake: () => void = () => undefined

  const listener = (batch: EventBatch) => {
    for (const event of batch.events) {
      watcher.onEvent?.(event)
      if (event.kind === 'thread.state') moves += 1
    }
    for (const delta of batch.deltas) watcher.onDelta?.(delta)
    wake()
  }
  const end = access.subscribe(lastSeq, listener, (error) => {
    ended = error
    wake()
  })

  /** Until a thread moved after `seen`. Answers false where none did in `withinMs`. */
  async function moved(seen: number, withinMs?: number): Promise<boolean> {
    let isLate = false
    const late = setTimeout(() => {
      isLate = withinMs !== undefined
      wake()
    }, withinMs ?? 0)
    while (moves === seen && ended === undefined && !isLate) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    clearTimeout(late)
    return moves > seen
  }

  return {
    async untilRest(threadId) {
      for (;;) {
        const seen = moves
        // It may have been suspended because the app is closing at this moment.
        const { thread, rest } = await stateOf(access, threadId).catch((error: unknown) => {
          throw ended === undefined ? error : appClosed(threadId, ended)
        })
        if (rest === 'rests') return thread
        if (ended !== undefined) throw appClosed(threadId, ended)
        const isMoved = await moved(seen, rest === 'between' ? betweenMs : undefined)
        if (!isMoved && rest === 'between') return thread
      }
    },
    end,
  }
}

interface Looked {
  readonly thread: ThreadHeader
  readonly rest: 'at work' | 'rests' | 'between'
}

async function stateOf(access: Access, threadId: string): Promise<Looked> {
  const thread = await access.call('thread.get', { id: threadId })
  if (thread.state !== 'Waiting') {
    const isAtRest = thread.state === 'Suspended' || thread.state === 'Done' || thread.state === 'Failed'
    return { thread, rest: isAtRest ? 'rests' : 'at work' }
  }
  const children = await access.call('thread.children', { id: threadId })
  const states = await Promise.all(children.map(({ id }) => stateOf(access, id)))
  if (states.some(({ rest }) => rest === 'at work')) return { thread, rest: 'at work' }
  if (states.some(({ rest, thread: child }) => rest === 'rests' && child.state === 'Waiting'))
    return { thread, rest: 'rests' }
  const { rows } = await access.call('approval.list', { state: 'pending', limit: limits.pageRows })
  return { thread, rest: rows.some((request) => request.threadId === threadId) ? 'rests' : 'between' }
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
