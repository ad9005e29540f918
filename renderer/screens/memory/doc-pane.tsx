import { useCallback, useState } from 'react'
import type { DocVersionHeader, MemoryDoc } from '../../../core/domain/memory.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, ErrorNote, Skeleton } from '../../components/card.tsx'
import type { Undoable } from '../../components/undo-toast.tsx'
import { call } from '../../engine/client.ts'
import { go } from '../../state/navigation.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { DocAside } from './doc-aside.tsx'
import { DocEditor } from './doc-editor.tsx'
import { DocHead } from './doc-head.tsx'
import { DocText } from './doc-text.tsx'
import { useThreadPulse } from './use-docs.ts'

interface DocPaneProps {
  readonly id: string
  readonly revision: number
  onChanged(): void
  onDone(done: Undoable): void
}

interface Read {
  readonly doc: MemoryDoc
  readonly versions: readonly DocVersionHeader[]
}

/** The doc that the address names. */
export function DocPane({ id, revision, onChanged, onDone }: DocPaneProps) {
  const [read, setRead] = useState<Read | null>(null)
  const pulse = useThreadPulse(read?.doc.projectId ?? '')
  const load = useLoad(
    useCallback(async () => {
      const [doc, versions] = await Promise.all([call('doc.get', { id }), call('doc.versions', { id })])
      setRead({ doc, versions })
    }, [id, revision, pulse]),
  )
  if (read) return <Doc {...read} onChanged={onChanged} onDone={onDone} />
  return (
    <section className="pane detail" aria-label="Doc">
      {load.phase === 'failed' ? (
        <div className="padded">
          <ErrorCard
            title="This doc could not be read"
            error={load.error}
            actions={<Button onClick={() => go({ screen: 'memory', id: null })}>Show the list</Button>}
          />
        </div>
      ) : (
        <Skeleton rows={6} label="Reading the doc" />
      )}
    </section>
  )
}

function Doc({ doc, versions, onChanged, onDone }: Read & Pick<DocPaneProps, 'onChanged' | 'onDone'>) {
  const [isEditing, setEditing] = useState(false)
  // Null: the newest, whichever that is by now.
  const [version, setVersion] = useState<number | null>(null)
  const archive = useAction(async (isArchived: boolean, undoes: boolean) => {
    await call('doc.archive', { id: doc.id, archived: isArchived })
    onChanged()
    const text = isArchived ? `“${doc.title}” is archived` : `“${doc.title}” is back in use`
    if (!undoes) onDone({ text, undo: () => archive.run(!isArchived, true) })
  })
  if (isEditing)
    return (
      <DocEditor
        doc={doc}
        projectId={doc.projectId}
        onSaved={() => {
          setEditing(false)
          setVersion(null)
          onChanged()
        }}
        onClose={() => setEditing(false)}
      />
    )
  const shown = version ?? doc.version
  return (
    <section className="pane detail" aria-label={doc.title}>
      <DocHead
        doc={doc}
        isBusy={archive.isBusy}
        onEdit={() => setEditing(true)}
        onArchive={(isArchived) => archive.run(isArchived, false)}
      />
      {archive.error && (
        <div className="doc-note">
          <ErrorNote title="Nothing was changed" error={archive.error} />
        </div>
      )}
      <div className="doc-body">
        <DocText key={shown} doc={doc} version={shown} onNewest={() => setVersion(null)} />
        <DocAside
          doc={doc}
          versions={versions}
          shown={shown}
          onShow={(next) => setVersion(next === doc.version ? null : next)}
        />
      </div>
    </section>
  )
}
