import { type FormEvent, useCallback, useState } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import type { DocHeader, DocProvenance, DocVersionHeader, MemoryDoc, MemoryHit } from '../../../core/domain/memory.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { ErrorNote, Note, Skeleton } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { call } from '../../engine/client.ts'
import { nowMs } from '../../engine/clock.ts'
import { dayTimeText, exactText, relativeText } from '../../format/dates.ts'
import { LongText } from '../../record/parts.tsx'
import { routeHash } from '../../routes.ts'
import { useAction, useLoad } from '../../state/use-load.ts'

interface DocRowProps {
  readonly doc: DocHeader | MemoryHit
  onChanged(): void
}

/** A doc in a line; opened, all of it. */
export function DocRow({ doc, onChanged }: DocRowProps) {
  const [isOpen, setOpen] = useState(false)
  const detail =
    'snippet' in doc
      ? doc.snippet
      : `${originTexts[doc.provenance]}, version ${doc.version}${doc.tags.length > 0 ? `, ${doc.tags.join(', ')}` : ''}`
  return (
    <div className="setgroup">
      <div className="setrow doc-line">
        <span className="chip line">{doc.type}</span>
        <div>
          {doc.title}
          <div className="sub trunc" title={detail}>
            {detail}
          </div>
        </div>
        <span className="row">
          {doc.untrusted && <span className="chip st waiting">from outside</span>}
          <time className="mute small" title={exactText(doc.updatedAt)}>
            {relativeText(doc.updatedAt, nowMs())}
          </time>
          <IconButton
            icon={isOpen ? 'down' : 'right'}
            label={isOpen ? `Close ${doc.title}` : `Open ${doc.title}`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
      </div>
      {isOpen && <OpenDoc id={doc.id} onChanged={onChanged} />}
    </div>
  )
}

const originTexts: Readonly<Record<DocProvenance, string>> = {
  user: 'written by you',
  action: 'written by a thread',
  mission: 'written by a mission',
  analysis: 'written by the look back',
  import: 'imported',
}

function OpenDoc({ id, onChanged }: { readonly id: string; onChanged(): void }) {
  const [version, setVersion] = useState<number | null>(null)
  const [doc, setDoc] = useState<MemoryDoc | null>(null)
  const [versions, setVersions] = useState<readonly DocVersionHeader[]>([])
  const [isEditing, setEditing] = useState(false)
  const load = useLoad(
    useCallback(async () => {
      const [read, all] = await Promise.all([
        call('doc.get', { id, ...(version !== null && { version }) }),
        call('doc.versions', { id }),
      ])
      setDoc(read)
      setVersions(all)
    }, [id, version]),
  )
  const archive = useAction(async (archived: boolean) => {
    setDoc(await call('doc.archive', { id, archived }))
    onChanged()
  })
  if (load.phase === 'failed') return <ErrorNote title="The doc could not be read" error={load.error} />
  if (doc === null) return <Skeleton rows={3} label="Reading the doc" />
  const newest = versions[0]?.version ?? doc.version
  if (isEditing)
    return (
      <EditDoc
        doc={doc}
        nextVersion={newest + 1}
        onCancel={() => setEditing(false)}
        onSaved={(saved) => {
          setEditing(false)
          setVersion(null)
          setDoc(saved)
          load.retry()
          onChanged()
        }}
      />
    )
  return (
    <div className="setmore doc-open">
      {doc.untrusted && (
        <Note status="waiting">
          Its text came from outside: it is given to a model as something to read, never to obey.
        </Note>
      )}
      {doc.version !== newest && <Note status="running">An older version. The one in use is {newest}.</Note>}
      <LongText text={doc.content} isMono={false} />
      {archive.error && <ErrorNote title="It was not changed" error={archive.error} />}
      <div className="row">
        {doc.type !== 'Skill' && (
          <Button onClick={() => setEditing(true)}>{doc.version === newest ? 'Edit' : 'Edit from here'}</Button>
        )}
        <Button disabled={archive.isBusy} onClick={() => archive.run(doc.archivedAt === null)}>
          {doc.archivedAt === null ? 'Archive' : 'Use it again'}
        </Button>
        <span className="grow" />
        {doc.sourceThreadId && (
          <a href={routeHash({ screen: 'thread', id: doc.sourceThreadId })}>Thread that wrote it</a>
        )}
        {versions.length > 1 && (
          <Choice
            label="Version"
            options={versions.map((each) => ({
              value: String(each.version),
              title: `Version ${each.version}`,
              detail: `${originTexts[each.provenance]}, ${dayTimeText(each.createdAt)}`,
            }))}
            value={String(doc.version)}
            onChange={(chosen) => setVersion(Number(chosen))}
          />
        )}
      </div>
    </div>
  )
}

interface EditDocProps {
  readonly doc: MemoryDoc
  readonly nextVersion: number
  onSaved(doc: MemoryDoc): void
  onCancel(): void
}

/** A new version of the doc. */
function EditDoc({ doc, nextVersion, onSaved, onCancel }: EditDocProps) {
  const [title, setTitle] = useState(doc.title)
  const [content, setContent] = useState(doc.content)
  const save = useAction(async () => {
    const { id, projectId, type, tags } = doc
    if (type === 'Skill') return
    onSaved(await call('doc.save', { id, projectId, type, title, content, tags: [...tags] }))
  })
  const isReady = title.trim() !== '' && content !== '' && !save.isBusy
  return (
    <form
      className="setmore doc-open"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (isReady) save.run()
      }}
    >
      <Field
        label="Title"
        value={title}
        maxLength={limits.memoryTitleCharacters}
        onChange={(event) => setTitle(event.target.value)}
      />
      <textarea
        className="input edit-text"
        aria-label="Text of the doc"
        value={content}
        maxLength={limits.memoryDocCharacters}
        onChange={(event) => setContent(event.target.value)}
      />
      {save.error && <ErrorNote title="It was not saved" error={save.error} />}
      <div className="row">
        <Button look="primary" type="submit" disabled={!isReady}>
          Save as version {nextVersion}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          Leave it as it was
        </Button>
      </div>
    </form>
  )
}
