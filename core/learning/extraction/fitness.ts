import type { ErrorCode } from '../../domain/error.ts'
import type { StoredEvent } from '../../domain/event.ts'
import type { ThreadHeader } from '../../domain/thread.ts'

/** Why nothing is learnt from a thread. */
export interface Unfit {
  readonly reason: 'learning' | 'outcome' | 'outage' | 'corrected' | 'part' | 'redirected'
  readonly detail: string
}

/**
 * Null for a thread that skills can be learnt from: a person asked for it, it was answered by itself, and nobody took that back.
 * Source: issue 7, learning missions; learning 3.1.
 */
export function unfitness(
  thread: Pick<ThreadHeader, 'outcome' | 'parentId'>,
  record: readonly StoredEvent[],
): Unfit | null {
  const [created] = record
  if (created?.kind === 'thread.created' && created.data.mission !== undefined)
    return { reason: 'learning', detail: 'a mission asked for it' }
  if (thread.outcome !== 'answered') return { reason: 'outcome', detail: `it ended as ${thread.outcome ?? 'nothing'}` }
  if (isPart(thread, record)) return { reason: 'part', detail: 'it is a part of other work' }
  if (record.some(({ kind }) => kind === 'thread.corrected'))
    return { reason: 'corrected', detail: 'a person said that it was wrong' }
  const said = record.filter((event) => event.kind === 'message.added' && event.data.role === 'user' && isSaid(event))
  if (said.length > 1) return { reason: 'redirected', detail: 'a person said more while it ran' }
  const lost = unreached(record)
  return lost === null ? null : { reason: 'outage', detail: lost }
}

function isSaid(event: StoredEvent): boolean {
  return event.kind === 'message.added' && event.data.origin === undefined
}

/** What its goal says is not all that it rests on: a child, a skill's run, the end of another thread. */
function isPart({ parentId }: Pick<ThreadHeader, 'parentId'>, [created]: readonly StoredEvent[]): boolean {
  if (parentId !== null || created?.kind !== 'thread.created') return true
  const { run, retryOf, forkedFrom } = created.data
  return run !== undefined || retryOf !== undefined || forkedFrom !== undefined
}

const unreachable = /^(?:http\.(?:connect|lost|timeout)|action\.rate|secret\.|http\.credential)/

/** A call that could not reach a service and was never made again with success: what came after it was makeshift. */
function unreached(record: readonly StoredEvent[]): string | null {
  const open = new Map<string, ErrorCode>()
  for (const event of record) {
    if (event.kind !== 'action.finished') continue
    const { name, summary, ok, code } = event.data
    const key = `${name} ${summary}`
    if (ok) open.delete(key)
    else if (code !== undefined && unreachable.test(code)) open.set(key, code)
  }
  const [first] = open
  return first === undefined ? null : `${first[0]}: ${first[1]}`
}
