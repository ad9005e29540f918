import type { WindowPush } from './window-push.ts'

/** What the system is asked to show. `command`: what a click runs in the window, which comes to the front. */
export interface Notice {
  readonly text: string
  readonly command?: string
}

const longest = 240

export interface NotifyParts {
  /** Shows it; `clicked` is called when the person clicks it. */
  readonly show: (shown: { readonly title: string; readonly body: string; readonly clicked: () => void }) => void
  readonly isSupported: () => boolean
  /** Brings the window to the front. */
  readonly focus: () => void
  readonly run: (command: string) => void
}

/** Tells the person something while the window may be hidden; a click leads to where it can be dealt with (asks A19). */
export function createNotify({ show, isSupported, focus, run }: NotifyParts): (notice: Notice) => void {
  return ({ text, command }) => {
    if (!isSupported()) return
    const body = text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
    const clicked = () => {
      focus()
      if (command !== undefined) run(command)
    }
    show({ title: 'Threadsmith', body, clicked })
  }
}

/** The requests of a push, as notices: somebody has to decide, and nothing goes on until then. */
export function requestNotices(push: WindowPush): readonly Notice[] {
  if (push.type !== 'engine') return []
  return push.batch.events.flatMap((event) => {
    if (event.kind !== 'approval.requested' || !('approvalId' in event.data) || !('expiresAt' in event.data)) return []
    const { name, summary } = event.data
    return [{ text: `${name}${summary === '' ? '' : ` ${summary}`} waits for your approval`, command: 'go.approvals' }]
  })
}
