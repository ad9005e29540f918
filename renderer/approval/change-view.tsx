import { useEffect, useRef } from 'react'
import type { Change } from '../../core/domain/approval.ts'
import { Note } from '../components/card.tsx'
import { FactList, LongText } from '../record/parts.tsx'
import { DiffView } from './diff-view.tsx'
import { sentence } from './words.ts'

interface ChangeViewProps {
  readonly change: Change
  /** Of a diff, at once. */
  readonly firstLines: number
  /** It was on screen: from now on it can be approved by key. */
  readonly onSeen?: (() => void) | undefined
}

/** What an action would do, or did: the text of a file, a move, a command. */
export function ChangeView({ change, firstLines, onSeen }: ChangeViewProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = ref.current
    if (!box || !onSeen) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [onSeen])
  return (
    <div className="change" ref={ref}>
      <ChangeBody change={change} firstLines={firstLines} />
    </div>
  )
}

function ChangeBody({ change, firstLines }: Omit<ChangeViewProps, 'onSeen'>) {
  switch (change.kind) {
    case 'file':
      return <FileChange change={change} firstLines={firstLines} />
    case 'move':
      return (
        <div className="change-facts">
          <FactList
            facts={[
              ['From', <Path key="from" path={change.from} />],
              ['To', <Path key="to" path={change.to} />],
            ]}
          />
          {change.replaces && <Note status="waiting">There is something at the new place: it would be replaced.</Note>}
        </div>
      )
    case 'command':
      return <Command change={change} />
    case 'request':
      return (
        <div className="change-facts">
          <LongText text={`${change.method} ${change.url}\n${change.body?.text ?? ''}`} isMono />
        </div>
      )
    case 'text':
      return (
        <div className="change-facts">
          <LongText text={change.text} isMono={false} />
        </div>
      )
  }
}

function Path({ path }: { readonly path: string }) {
  return <span className="mono breaks">{path}</span>
}

type FileChangeOf = Extract<Change, { kind: 'file' }>

function FileChange({ change, firstLines }: { readonly change: FileChangeOf; readonly firstLines: number }) {
  const { path, before, after, note } = change
  return (
    <>
      <p className="hunk">
        <span className="breaks">{path}</span>
        {before === null && note === undefined && <span className="chip">new file</span>}
        {after === null && note === undefined && <span className="chip st failed">will be gone</span>}
      </p>
      {note !== undefined && (
        <div className="change-facts">
          <Note status="waiting">{note}</Note>
        </div>
      )}
      {(before !== null || after !== null || note === undefined) && (
        <DiffView before={before} after={after} label={`Change of ${path}`} firstLines={firstLines} />
      )}
    </>
  )
}

function Command({ change }: { readonly change: Extract<Change, { kind: 'command' }> }) {
  const { command, argv, folder, jail, concerns } = change
  return (
    <div className="change-facts">
      <pre className="out command">{command}</pre>
      <FactList
        facts={[
          [
            'Runs',
            argv === null
              ? 'by bash, as a script'
              : `${argv.length === 1 ? 'one word' : `${argv.length} words`}, without a shell`,
          ],
          ['In', <Path key="in" path={folder} />],
          [
            'Jail',
            jail === 'none'
              ? 'none on this system: it can do what you can do'
              : 'without network, the project folder alone is writable',
          ],
        ]}
      />
      {concerns.map((concern) => (
        <Note key={concern} status="waiting">
          {sentence(concern)}
        </Note>
      ))}
    </div>
  )
}
