import { approvalPlace, learntPlace, type Place } from './places.ts'
import type { WindowPush } from './window-push.ts'

/** What the system is asked to show. `place`: what a click opens in the window, which comes to the front. */
export interface Notice {
  readonly text: string
  readonly place: Place
}

const longest = 240

export interface NotifyParts {
  /** Shows it; `clicked` is called when the person clicks it. */
  readonly show: (shown: { readonly title: string; readonly body: string; readonly clicked: () => void }) => void
  readonly isSupported: () => boolean
  /** Brings the window to the front, at that place. */
  readonly open: (place: Place) => void
}

/** Tells the person something while the window may be hidden; a click leads to where it can be dealt with (asks A19). */
export function createNotify({ show, isSupported, open }: NotifyParts): (notice: Notice) => void {
  return ({ text, place }) => {
    if (!isSupported()) return
    const body = text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
    show({ title: 'Threadsmith', body, clicked: () => open(place) })
  }
}

/** What of a push waits for a person: each request, for nothing goes on until then, and once what is newly proposed to be learnt. */
export function requestNotices(push: WindowPush): readonly Notice[] {
  if (push.type !== 'engine') return []
  const { events } = push.batch
  const requests = events.flatMap((event) => {
    if (event.kind !== 'approval.requested' || !('approvalId' in event.data) || !('expiresAt' in event.data)) return []
    const { name, summary, approvalId } = event.data
    const text = `${name}${summary === '' ? '' : ` ${summary}`} waits for your approval`
    return [{ text, place: approvalPlace(approvalId) }]
  })
  return [...requests, ...learntNotice(events)]
}

type PushedEvents = Extract<WindowPush, { readonly type: 'engine' }>['batch']['events']

/** One, however many there are: nothing is held up by them. What came into force by itself does not wait. */
function learntNotice(events: PushedEvents): readonly Notice[] {
  const newest = new Map(
    events.flatMap(({ kind, data }) => (kind === 'learnt.changed' && 'itemId' in data ? [[data.itemId, data]] : [])),
  )
  const waiting = [...newest.values()].filter(({ state, by }) => state === 'pending' && by === 'agent')
  const [first] = waiting
  if (first === undefined) return []
  const more = waiting.length > 1 ? ` And ${waiting.length - 1} more.` : ''
  return [{ text: `Something to learn waits for you: ${first.preview}${more}`, place: learntPlace(first.itemId) }]
}
