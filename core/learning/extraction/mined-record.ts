import type { StoredEvent } from '../../domain/event.ts'
import { jsonLength } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Store } from '../../store/store.ts'

const pageRows = 200

/** What of a log says how the work was done; of all other events neither miner nor proof reads anything. */
const kinds: ReadonlySet<StoredEvent['kind']> = new Set([
  ...([
    'thread.created',
    'thread.state',
    'thread.corrected',
    'message.added',
    'model.completed',
    'model.failed',
  ] as const),
  ...(['action.started', 'action.finished', 'code.finished'] as const),
])

/**
 * The log of a thread as far as it is mined, a page at a time, the event loop in between. Null for one whose arguments and results
 * are more than `limits.minerEpisodeBytes`: it is given up before all of it is held. @throws the signal's reason; AppError
 * store.corrupt
 */
export async function minedRecord(
  store: Pick<Store, 'events'>,
  threadId: string,
  signal: AbortSignal,
): Promise<readonly StoredEvent[] | null> {
  const record: StoredEvent[] = []
  let [after, bytes] = [0, 0]
  for (;;) {
    signal.throwIfAborted()
    const page = store.events.ofThread(threadId, after, pageRows)
    for (const event of page) {
      bytes += bytesOf(event)
      if (bytes > limits.minerEpisodeBytes) return null
      if (kinds.has(event.kind)) record.push(event)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageRows) return record
    after = last.seq
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function bytesOf(event: StoredEvent): number {
  switch (event.kind) {
    case 'action.finished':
      return jsonLength(event.body.result)
    case 'action.started':
      return jsonLength(event.body?.arguments ?? null)
    case 'model.completed': {
      const sizes = event.body.toolCalls.map((call) => ('arguments' in call ? jsonLength(call.arguments) : 0))
      return sizes.reduce((sum, size) => sum + size, 0)
    }
    default:
      return 0
  }
}
