import type { EventBatch } from '../core/domain/contract.ts'
import { limits } from '../core/domain/limits.ts'
import type { ShellPush } from '../core/domain/shell.ts'

export type WindowPush = ShellPush<EventBatch>

/**
 * A batch of the engine as messages to the window, in order. The engine gathers events for a frame; here only the size of
 * one message is bounded, so that a page of a long log does not hold up the window. Live text goes with the first: it is
 * older than the events that end it.
 */
export function* pushesOf({ events, deltas }: EventBatch): Generator<WindowPush> {
  for (let at = 0; at === 0 || at < events.length; at += limits.pushEvents) {
    const batch = { events: events.slice(at, at + limits.pushEvents), deltas: at === 0 ? deltas : [] }
    yield { type: 'engine', batch }
  }
}
