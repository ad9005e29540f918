import { useCallback } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { loadCalls, loadEnding } from '../../state/load.ts'
import { go } from '../../state/navigation.ts'
import { useApp } from '../../state/store.ts'
import { retryThread } from '../../state/threads.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { restText, restTitle, safeText } from './stand.ts'

/** A thread that gave no answer, or has not yet: what happened, what is safe, what can be done. */
export function ThreadEnding({ thread }: { readonly thread: ThreadHeader }) {
  const { id, updatedAt } = thread
  // Each rest of the thread has an ending of its own.
  const load = useCallback(() => loadCalls(id).then(() => loadEnding(id)), [id, updatedAt])
  const loaded = useLoad(load)
  const ending = useApp((state) => state.known.endings[id])
  if (loaded.phase === 'loading' && !ending) return null
  const partialText = ending?.partialText ?? ''
  return (
    <>
      {partialText !== '' && (
        <div className="txt">
          <Markdown text={partialText} />
          <span className="chip">
            <Icon name="stop" size="tiny" />
            stopped here, partial answer kept
          </span>
        </div>
      )}
      {thread.state === 'Failed' ? <FailedCard thread={thread} /> : <RestCard thread={thread} />}
    </>
  )
}

function FailedCard({ thread }: { readonly thread: ThreadHeader }) {
  const error = useApp((state) => state.known.endings[thread.id]?.error) ?? {
    code: 'orchestrator.failed',
    message: thread.reason ?? 'no reason on record',
    userMessage: thread.reason ?? 'The thread could not go on.',
    retryable: true,
  }
  const retry = useAction(retryThread)
  return (
    <>
      <ErrorCard
        className="work"
        title={error.code.startsWith('model.') ? 'The model gave no answer' : 'The thread could not go on'}
        error={error}
        facts={[['Thread', `#${thread.number} ended; ${safeText(thread)}`]]}
        actions={
          <>
            <Button look="primary" disabled={retry.isBusy} onClick={() => retry.run(thread.id)}>
              Retry
            </Button>
            {error.code.startsWith('model.') && (
              <Button onClick={() => go({ screen: 'settings', section: 'models' })}>Change model</Button>
            )}
          </>
        }
      />
      {retry.error && <ErrorCard className="work" title="It could not be started again" error={retry.error} />}
    </>
  )
}

/** Stopped, suspended or at a limit: nothing broke, so it is a quiet card with one thing to do. */
function RestCard({ thread }: { readonly thread: ThreadHeader }) {
  const isSuspended = thread.state === 'Suspended'
  const goOn = useAction((id: string) => (isSuspended ? call('thread.resume', { id }) : retryThread(id)))
  return (
    <>
      <div className="card work rest">
        <Status status={isSuspended ? 'waiting' : 'queued'} word={restTitle(thread)} />
        <span className="mute small grow">{restText(thread)}</span>
        <Button look={isSuspended ? 'primary' : 'plain'} disabled={goOn.isBusy} onClick={() => goOn.run(thread.id)}>
          {isSuspended ? 'Resume' : 'Retry'}
        </Button>
      </div>
      {goOn.error && <ErrorCard className="work" title="It could not go on" error={goOn.error} />}
    </>
  )
}
