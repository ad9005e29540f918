import { hash } from 'node:crypto'
import { withoutControlTokens } from '../domain/fence.ts'
import type { LearntItem } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import { overlayTitle } from '../domain/memory.ts'
import type { Store } from '../store/store.ts'

/** The block of a system message that holds what was learnt; '' for nothing. The same items give the same bytes. */
export function learntText(live: readonly LearntItem[]): string {
  const rules = live.filter(({ kind }) => kind === 'overlay').slice(0, limits.overlayRules)
  const wishes = live.filter(({ kind, topic }) => kind === 'insight' && isWish(topic)).slice(-limits.promptInsights)
  const parts = [
    ...(rules.length > 0 ? ['## Learnt from earlier threads', '', ...rules.map(line), ''] : []),
    ...(wishes.length > 0 ? ['## What the user said in earlier threads', '', ...wishes.map(line), ''] : []),
  ]
  return parts.join('\n').trimEnd()
}

/** What holds whatever is asked; knowledge and workflows are found where they bear on a goal. */
function isWish(topic: string): boolean {
  return topic === 'preference' || topic === 'correction'
}

const line = ({ text }: LearntItem) => `- ${withoutControlTokens(text)}`

/** A version of the doc for each change of the rules, in the transaction of the change. */
export function writeOverlayDoc(
  store: Store,
  of: { readonly projectId: string; readonly threadId: string | null; readonly at: number },
): void {
  const { projectId, threadId, at } = of
  const rules = store.learnt.live(projectId, limits.pageRows).filter(({ kind }) => kind === 'overlay')
  const content = rules.length === 0 ? 'No rules are in force.' : rules.map(line).join('\n')
  const known = store.docs.byTitle(projectId, 'Note', overlayTitle)
  const id = known?.id ?? `doc_${hash('sha256', `${projectId}\n${overlayTitle}`).slice(0, 16)}`
  if (known === undefined) store.docs.insert({ id, projectId, type: 'Note', title: overlayTitle, at })
  const version = (known?.version ?? 0) + 1
  const facts = { tags: ['overlay'], sourceThreadId: threadId, callKey: null, createdAt: at } as const
  store.docs.addVersion({ docId: id, version, content, provenance: 'mission', ...facts })
}
