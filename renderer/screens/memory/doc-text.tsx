import { useCallback, useState } from 'react'
import type { MemoryDoc } from '../../../core/domain/memory.ts'
import { DiffView } from '../../approval/diff-view.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Note, Skeleton } from '../../components/card.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { call } from '../../engine/client.ts'
import { longDayText } from '../../format/dates.ts'
import { useLoad } from '../../state/use-load.ts'

interface DocTextProps {
  readonly doc: MemoryDoc
  readonly version: number
  onNewest(): void
}

const firstLines = 400

/** The text of a version, as it was written; an older one also as what changed since. */
export function DocText({ doc, version, onNewest }: DocTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard
    <section className="scrolls doc-text" tabIndex={0} aria-label={`Text of version ${version}`}>
      {version === doc.version ? <Text doc={doc} /> : <OldVersion doc={doc} version={version} onNewest={onNewest} />}
    </section>
  )
}

function Text({ doc }: { readonly doc: MemoryDoc }) {
  return (
    <>
      {doc.untrusted && (
        <Note status="waiting">
          This text came from outside. Models are shown it between fences, as something to judge, never as something to
          follow.
        </Note>
      )}
      <Markdown text={doc.content} />
    </>
  )
}

const looks = [
  ['text', 'Text'],
  ['changes', 'Changes since'],
] as const

function OldVersion({ doc, version, onNewest }: DocTextProps) {
  const [old, setOld] = useState<MemoryDoc | null>(null)
  const [look, setLook] = useState<(typeof looks)[number][0]>('text')
  const load = useLoad(useCallback(() => call('doc.get', { id: doc.id, version }).then(setOld), [doc.id, version]))
  if (load.phase === 'failed')
    return (
      <ErrorCard
        title={`Version ${version} could not be read`}
        error={load.error}
        actions={<Button onClick={load.retry}>Read again</Button>}
      />
    )
  if (old === null) return <Skeleton rows={5} label="Reading the version" />
  return (
    <>
      <Note
        status="running"
        action={
          <Button look="ghost" onClick={onNewest}>
            Back to v{doc.version}
          </Button>
        }
      >
        Version {version} of {doc.version}, written on {longDayText(old.updatedAt)}.
      </Note>
      <Segmented label="How it is shown" options={looks} value={look} onChange={(next) => setLook(next)} />
      {look === 'text' ? (
        <Text doc={old} />
      ) : (
        <div className="card doc-diff">
          <DiffView
            before={old.content}
            after={doc.content}
            label={`Changes since v${version}`}
            firstLines={firstLines}
          />
        </div>
      )}
    </>
  )
}
