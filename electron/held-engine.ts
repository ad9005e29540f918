import { z } from 'zod'
import type { Engine } from '../core/engine.ts'
import { pushesOf, type WindowPush } from './window-push.ts'

/** The part of the engine that the window needs. */
export type HostedEngine = Pick<Engine, 'subscribe' | 'stop'> & { readonly api: Pick<Engine['api'], 'callByName'> }

/** The one engine that the window talks to, and the events that it tells of. */
export interface HeldEngine {
  readonly current: HostedEngine | undefined
  /** Follows it from its newest event on; the engine that was there before is let go. */
  adopt(next: HostedEngine): Promise<void>
  /** @throws what kept a part of it from being closed; all others are, and its store is free. */
  release(): Promise<void>
}

const infoSchema = z.object({ lastSeq: z.number() })
const faultSchema = z.object({ fault: z.object({ code: z.string() }).nullable() })

export function createHeldEngine(push: (push: WindowPush) => void): HeldEngine {
  let current: HostedEngine | undefined
  let unsubscribe: (() => void) | undefined

  async function release(): Promise<void> {
    unsubscribe?.()
    unsubscribe = undefined
    const old = current
    current = undefined
    await old?.stop('quit')
  }

  return {
    get current() {
      return current
    },
    async adopt(next) {
      // Held before anything can fail: an engine that nobody holds would own the store for good.
      const old = current
      unsubscribe?.()
      unsubscribe = undefined
      current = next
      // It only read: what keeps it from closing in order loses nothing.
      await old?.stop('quit').catch(() => undefined)
      const { lastSeq } = infoSchema.parse(await next.api.callByName('engine.info', {}))
      unsubscribe = next.subscribe(lastSeq, (batch) => {
        for (const part of pushesOf(batch)) push(part)
      })
    },
    release,
  }
}

/** The code of what an engine says is wrong with it now. */
export async function faultOf(engine: HostedEngine): Promise<string | undefined> {
  return faultSchema.parse(await engine.api.callByName('engine.info', {})).fault?.code
}
