import type { LearntItem } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import { boundText } from '../domain/text.ts'
import type { Memory } from '../memory/memory.ts'
import type { Store } from '../store/store.ts'

/**
 * The Summary doc of an insight: written once it is in force, out of use once it is not. Both may be asked again and again: what a
 * crash left undone is done at the next start.
 */
export function keepInsightDoc(
  { store, memory }: { readonly store: Store; readonly memory: Pick<Memory, 'writeDoc' | 'archive'> },
  item: LearntItem,
): void {
  if (item.kind !== 'insight') return
  const callKey = `learnt/${item.id}`
  const known = store.docs.docOfCall(callKey)
  if (item.state !== 'live') {
    if (known !== undefined && item.endedAt !== null) memory.archive(known, true)
    return
  }
  if (known !== undefined) {
    // Put away while another one stood for it. What a person put away since stays there.
    const archivedAt = store.docs.get(known)?.archivedAt ?? null
    if (archivedAt !== null && archivedAt <= (item.decidedAt ?? 0)) memory.archive(known, false)
    return
  }
  const { projectId, threadId: sourceThreadId, isUntrusted: untrusted } = item
  const facts = { type: 'Summary', tags: ['insight', item.topic], provenance: 'mission' } as const
  memory.writeDoc({
    ...{ projectId, ...facts, untrusted, sourceThreadId, callKey },
    title: titleOf(item),
    content: contentOf(item),
  })
}

/** Two that begin alike are two docs. */
function titleOf({ id, topic, text }: LearntItem): string {
  const title = `${topic.slice(0, 1).toUpperCase()}${topic.slice(1)}: ${text}`
  const tail = ` (${id.slice(-6)})`
  return title.length + tail.length <= limits.memoryTitleCharacters
    ? title
    : `${boundText(title, limits.memoryTitleCharacters - tail.length)}${tail}`
}

function contentOf({ text, sources }: LearntItem): string {
  const from = sources.map(({ threadNumber, quote }) => `- thread #${threadNumber}: “${quote}”`)
  return [text, '', 'From:', ...from].join('\n')
}
