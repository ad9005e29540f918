import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { Empty, ErrorCard, Skeleton } from '../../components/card.tsx'
import { go } from '../../state/navigation.ts'
import { useApp } from '../../state/store.ts'
import type { Session } from './session.ts'

interface NoStepsProps {
  readonly session: Session
  readonly header: ThreadHeader
  readonly isQueued: boolean
  readonly ahead: number
  readonly stop: () => void
  readonly reload: () => void
}

/** What stands in the place of a timeline that has no step: why, and what can be done. */
export function NoSteps({ session, header, isQueued, ahead, stop, reload }: NoStepsProps) {
  if (session.error) {
    return (
      <div className="part-fault">
        <h2 className="sr">Steps</h2>
        <ErrorCard
          title="The steps of this thread could not be read"
          error={session.error}
          actions={
            <Button look="primary" onClick={reload}>
              Read again
            </Button>
          }
        />
      </div>
    )
  }
  if (session.isLoading && header.steps > 0) return <Skeleton rows={12} label="Reading the steps" />
  const hasEnded = header.state === 'Done' || header.state === 'Completed' || header.state === 'Failed'
  const isRunning = header.state === 'Running' || header.state === 'Created'
  const actions = (
    <>
      {isQueued && (
        <Button look="primary" onClick={() => go({ screen: 'threads' })}>
          Show what holds the slots
        </Button>
      )}
      {isRunning && <Button onClick={stop}>Stop this thread</Button>}
    </>
  )
  return (
    <div className="part-empty">
      <h2 className="sr">Steps</h2>
      <Empty
        title={hasEnded ? 'No steps' : 'No steps yet'}
        actions={isRunning ? actions : undefined}
        hint={isRunning ? 'This view fills by itself.' : undefined}
      >
        {isQueued ? <Queued number={header.number} ahead={ahead} /> : <Why header={header} hasEnded={hasEnded} />}
      </Empty>
    </div>
  )
}

function Queued({ number, ahead }: { readonly number: number; readonly ahead: number }) {
  const slots = useApp((state) => state.info?.slots.total ?? null)
  const room = slots === null ? '' : `${countWord(slots)} ${slots === 1 ? 'thread runs' : 'threads run'} at a time; `
  const line = ahead === 0 ? 'it is the next in line' : `${countWord(ahead)} ${ahead === 1 ? 'is' : 'are'} ahead of it`
  return `Thread #${number} waits for a slot. ${upper(`${room}${line}`)}. Nothing has been sent to a model.`
}

function Why({ header, hasEnded }: { readonly header: ThreadHeader; readonly hasEnded: boolean }) {
  if (!hasEnded) return `Thread #${header.number} has not asked a model yet.`
  const why = header.reason ? `: ${header.reason}` : '.'
  return `Thread #${header.number} ended before its first step${why} Nothing has been sent to a model.`
}

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six']
const countWord = (count: number) => words[count] ?? String(count)
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
