import { z } from 'zod'
import type { Store } from './store/store.ts'

/** Whether this start follows others that did not come to their end, and how many. Source: RULES 23. */
export interface CrashLoop {
  /** Starts of the last `limits.crashLoopMs` that were not ended, this one not counted. */
  readonly crashes: number
  /** This start came to its end. */
  ended(): void
}

const name = 'startsWithoutEnd'

/** Notes that this start is under way. Its own row beside the settings: it is no setting. */
export function watchCrashes(
  store: Store,
  { now, withinMs }: { readonly now: number; readonly withinMs: number },
): CrashLoop {
  const stored = store.settings.all().find((row) => row.name === name)
  const open = startsIn(stored?.value).filter((at) => at > now - withinMs && at <= now)
  const write = (starts: readonly number[]) => store.transaction(() => store.settings.set(name, JSON.stringify(starts)))
  write([...open, now])
  return { crashes: open.length, ended: () => write([]) }
}

function startsIn(stored: string | undefined): readonly number[] {
  if (stored === undefined) return []
  const parsed = z.array(z.number()).safeParse(valueIn(stored))
  return parsed.success ? parsed.data : []
}

/** A row that is damaged counts as none: it must not keep the app from starting. */
function valueIn(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}

/** What a person is told then. */
export function heldAfter(crashes: number): string {
  return `Threadsmith ended without being closed ${crashes} times within an hour, so missions wait: one of them may be why. Nothing is lost; what is due meanwhile is claimed when you let them fire.`
}
