import { useCallback, useEffect, useRef, useState } from 'react'
import { type ErrorBody, errorBody } from '../../../core/domain/error.ts'
import type { EventHeader } from '../../../core/domain/event.ts'
import { call } from '../../engine/client.ts'

const pageRows = 500

export interface EventPages {
  readonly rows: readonly EventHeader[]
  readonly isLoading: boolean
  /** Every event up to now is in `rows`. */
  readonly isComplete: boolean
  readonly error: ErrorBody | null
  readonly more: () => void
}

/** A thread's events, a page at a time as they are scrolled to. A change of `version` asks for what came since. */
export function useEventPages(threadId: string, version: number): EventPages {
  const [rows, setRows] = useState<readonly EventHeader[]>([])
  const [next, setNext] = useState<number | null>(0)
  const [isLoading, setLoading] = useState(false)
  const [error, setError] = useState<ErrorBody | null>(null)
  const isBusy = useRef(false)
  const lastSeq = rows.at(-1)?.seq ?? 0

  const read = useCallback(
    async (after: number) => {
      if (isBusy.current) return
      isBusy.current = true
      setLoading(true)
      try {
        const page = await call('thread.events', { id: threadId, after, limit: pageRows })
        setRows((known) => [...known, ...page.rows.filter(({ seq }) => seq > (known.at(-1)?.seq ?? 0))])
        setNext(page.next)
        setError(null)
      } catch (thrown) {
        setError(errorBody(thrown))
      } finally {
        isBusy.current = false
        setLoading(false)
      }
    },
    [threadId],
  )
  const isComplete = next === null
  useEffect(() => {
    if (rows.length === 0 || isComplete) void read(lastSeq)
  }, [version, read])
  const more = useCallback(() => {
    if (!isComplete) void read(lastSeq)
  }, [isComplete, lastSeq, read])
  return { rows, isLoading, isComplete, error, more }
}
