import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { call, subscribe } from '../../engine/client.ts'
import { nowMs } from '../../engine/clock.ts'
import { type OpenSession, openSession, type Session, type SessionSources } from './session.ts'

const sources: SessionSources = {
  thread: (id) => call('thread.get', { id }),
  calls: (input) => call('thread.calls', input),
  events: (input) => call('thread.events', input),
  subscribe,
  now: nowMs,
}

/** Opens a thread for as long as the component is there. Null for the first moment. */
export function useSession(threadId: string): OpenSession | null {
  const [open, setOpen] = useState<OpenSession | null>(null)
  useEffect(() => {
    const session = openSession(threadId, sources)
    setOpen(session)
    return () => session.close()
  }, [threadId])
  return open
}

export function useSessionState(open: OpenSession): Session {
  return useStore(open.store)
}
