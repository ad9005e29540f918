import { Button } from '../../components/button.tsx'
import { ErrorCard, Skeleton } from '../../components/card.tsx'
import { go } from '../../state/navigation.ts'
import { Inspector } from './inspector.tsx'
import type { OpenSession } from './session.ts'
import { useSession, useSessionState } from './use-session.ts'
import './thread.css'
import './grid.css'
import './detail.css'

interface ThreadScreenProps {
  /** Its id or its number. */
  readonly id: string
  /** The event that it opens on. */
  readonly at?: number | undefined
}

/** The inspector of one thread. */
export function ThreadScreen({ id, at }: ThreadScreenProps) {
  const open = useSession(id)
  return open ? <OpenThread open={open} at={at ?? null} /> : <Waiting />
}

function OpenThread({ open, at }: { readonly open: OpenSession; readonly at: number | null }) {
  const session = useSessionState(open)
  const { header, timeline, error } = session
  if (header && timeline) {
    return <Inspector key={header.id} session={session} header={header} timeline={timeline} open={open} at={at} />
  }
  if (error === null) return <Waiting />
  return (
    <main className="split insp wide">
      <div className="part-fault">
        <h1 className="sr">Thread</h1>
        <h2 className="sr">Steps</h2>
        <ErrorCard
          title={error.code === 'thread.not_found' ? 'There is no such thread' : 'This thread could not be read'}
          error={error}
          actions={
            <>
              <Button look="primary" onClick={open.reload}>
                Read again
              </Button>
              <Button onClick={() => go({ screen: 'threads' })}>Show all threads</Button>
            </>
          }
        />
      </div>
    </main>
  )
}

function Waiting() {
  return (
    <main className="split insp wide" aria-busy="true">
      <h1 className="sr">Thread</h1>
      <Skeleton rows={12} label="Reading the thread" />
    </main>
  )
}
