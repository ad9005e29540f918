import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { boundText } from '../../domain/text.ts'
import type { Store } from '../../store/store.ts'
import { type Digest, type DigestParts, digestFor } from '../digest.ts'
import { isForeignResult } from './foreign-result.ts'

/** What people said since the last time; what they said outright and for good is proposed at once. */
export function createThreadDigestAction(parts: DigestParts): Action {
  return defineAction({
    name: 'thread_digest',
    description:
      'What the user said in answered threads since it was last asked, with thread numbers and seqs, the insights that are known, and those that were proposed from what they said outright.',
    parameters: z.strictObject({}),
    effects: ['ReadLocal', 'Compute'],
    // Keyed by the call: run again, it reads and proposes the same.
    isIdempotent: true,
    source: (_parameters, ended) =>
      ended.ok && isForeignResult(ended.value)
        ? { kind: 'memory', name: 'what was said in threads', isOfProject: false }
        : null,
    summarize: () => 'what was said since the last time',
    run(_parameters, { projectId, threadId, callKey }) {
      const digest = digestFor(parts, { projectId, threadId, callKey })
      const { threads, said, proposed, isMore, isUntrusted } = digest
      return {
        threads: threads.map(({ number, title }) => ({ number, title })),
        said: said.map(({ thread, seq, text }) => ({
          ...{ thread: thread.number, seq, text: boundText(text, limits.digestMessageCharacters) },
        })),
        proposed: proposed.map(({ id, topic, text, state }) => ({ id, topic, text, state })),
        known: knownIn(parts.store, projectId),
        ...{ isMore, isUntrusted },
        ...accountOf(digest),
      }
    },
  })
}

/** So that what is there is replaced, not said again. */
function knownIn(store: Store, projectId: string): readonly JsonObject[] {
  const live = store.learnt.live(projectId, limits.pageRows).filter(({ kind }) => kind === 'insight')
  return live.map(({ id, topic, text }) => ({ id, topic, text }))
}

function accountOf({ threads, proposed, refused, leftOut }: Digest): JsonObject {
  if (threads.length === 0) return { done: 'No thread was answered since the last time.', evidence: [] }
  const read = `Read ${threads.length} ${threads.length === 1 ? 'thread' : 'threads'}`
  const made = new Map(proposed.map((item) => [item.id, item]))
  const [why] = refused
  const rest = [
    why === undefined ? '' : ` ${refused.length} not taken: ${why}`,
    leftOut === 0
      ? ''
      : ` ${leftOut} more left out: a message that says so many things for good at once is read by a person.`,
  ].join('')
  if (made.size === 0 && rest === '') return { done: `${read}; nothing was said for good.`, evidence: [] }
  return {
    done: `${read}; proposed ${made.size} ${made.size === 1 ? 'insight' : 'insights'} from what was said outright.${rest}`,
    evidence: [...made.values()].slice(0, 10).map(({ id, state, text }) => `${id} (${state}): ${boundText(text, 120)}`),
  }
}
