import { useEffect } from 'react'
import { routeHash } from '../routes.ts'
import { loadThread } from '../state/load.ts'
import { supervise, useApp } from '../state/store.ts'

/** `#12`, and where it leads. A thread that no list has brought yet is read. */
export function ThreadLink({ id }: { readonly id: string }) {
  const thread = useApp((state) => state.known.threads[id])
  const isKnown = thread !== undefined
  useEffect(() => {
    if (!isKnown) supervise(() => loadThread(id))
  }, [id, isKnown])
  return (
    <a className="link thread-link" href={routeHash({ screen: 'thread', id })} title={thread?.title}>
      thread{isKnown && ` #${thread.number}`}
    </a>
  )
}
