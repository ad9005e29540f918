import { useCallback, useRef, useState } from 'react'
import { call } from '../../engine/client.ts'
import { useApp } from '../../state/store.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { useSettled } from '../../state/use-settled.ts'
import { type DocRow, foundRow, listedRow, type ShownType } from './words.ts'

/** What of a project's memory is listed. `query` searches, and finds nothing that is archived. */
export interface DocsView {
  readonly projectId: string
  readonly type: ShownType | null
  readonly isArchived: boolean
  readonly query: string
}

interface DocsPage {
  readonly view: DocsView
  readonly rows: readonly DocRow[]
  readonly next: number | null
}

const pageRows = 100
const mostRows = 1_000
const hitRows = 50
const pulseMs = 1_000

/** The docs of a view, page by page; read again when `revision` or the project's threads move. The view must be stable. */
export function useDocs(view: DocsView, revision: number) {
  const [page, setPage] = useState<DocsPage | null>(null)
  const shown = page?.view === view ? page : null
  const countRef = useRef(0)
  countRef.current = shown?.rows.length ?? 0
  const pulse = useThreadPulse(view.projectId)
  const load = useLoad(
    useCallback(async () => setPage(await readDocs(view, { limit: countRef.current })), [view, revision, pulse]),
  )
  const more = useAction(async (before: number) => {
    const next = await readDocs(view, { before })
    setPage((now) => (now?.view === view ? { ...next, rows: [...now.rows, ...next.rows] } : now))
  })
  const before = shown?.next ?? null
  return {
    rows: shown?.rows ?? [],
    isRead: shown !== null,
    hasMore: before !== null,
    load,
    moreError: more.error,
    onEnd: () => before !== null && !more.isBusy && more.run(before),
  }
}

async function readDocs(
  view: DocsView,
  part: { readonly before?: number; readonly limit?: number },
): Promise<DocsPage> {
  const { projectId, type, isArchived, query } = view
  if (query !== '') {
    const hits = await call('doc.search', { projectId, query, limit: hitRows })
    return { view, rows: hits.filter((hit) => type === null || hit.type === type).map(foundRow), next: null }
  }
  const { rows, next } = await call('doc.list', {
    ...{ projectId, archived: isArchived, limit: Math.min(mostRows, Math.max(pageRows, part.limit ?? 0)) },
    ...(type !== null && { type }),
    ...(part.before !== undefined && { before: part.before }),
  })
  return { view, rows: rows.filter((doc) => doc.type !== 'Skill').map(listedRow), next }
}

/** Moves, at most once a second, when a thread of the project did something: it may have written a doc. */
export function useThreadPulse(projectId: string): number {
  const newest = useApp(({ known }) =>
    Object.values(known.threads).reduce(
      (latest, thread) => (thread.projectId === projectId ? Math.max(latest, thread.updatedAt) : latest),
      0,
    ),
  )
  return useSettled(newest, pulseMs)
}
