import { useState } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { call } from '../../engine/client.ts'
import { readBody } from '../../record/bodies.ts'
import { go } from '../../state/navigation.ts'
import { supervise } from '../../state/store.ts'
import { retryThread } from '../../state/threads.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { spanJson, transcriptMarkdown } from './copy-text.ts'

/** What can be done to a thread from its inspector; a second press while one is under way does nothing. */
export function useThreadActions(header: ThreadHeader, timeline: Timeline, selected: number) {
  const { id, conversationId } = header
  const [isBusy, setBusy] = useState(false)
  const run = (work: () => Promise<unknown>) => {
    if (isBusy) return
    setBusy(true)
    supervise(() => work().finally(() => setBusy(false)))
  }
  const copy = (text: () => Promise<string>) => supervise(async () => call('shell.copyText', { text: await text() }))
  return {
    stop: () => run(() => call('thread.stop', { id })),
    resume: () => run(() => call('thread.resume', { id })),
    retry: () => run(async () => go({ screen: 'thread', id: (await retryThread(id)).id })),
    openChat: () => go({ screen: 'chat', conversationId }),
    copies: {
      json: () => copy(() => spanJson(timeline, header, { id: selected, readBody })),
      markdown: () => copy(() => transcriptMarkdown(timeline, header, readBody)),
      id: () => copy(async () => id),
    },
  }
}
