import { fromErrorBody } from '../../core/domain/error.ts'
import type { CallInput, CallName, CallOutput, WindowPush } from './bridge.ts'

export type { CallInput, CallName, CallOutput, PushedEvent, WindowPush } from './bridge.ts'

/** Asks the engine or the shell. Throws AppError with the code and texts that the other side gave. */
export async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
  const reply = await window.threadsmith.call(name, input)
  if (!reply.ok) throw fromErrorBody(reply.error)
  return reply.value
}

/** Everything that main pushes, in order. Returns what ends the subscription. */
export function subscribe(listener: (push: WindowPush) => void): () => void {
  return window.threadsmith.subscribe(listener)
}
