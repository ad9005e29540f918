import { type ReactNode, useCallback } from 'react'
import type { ErrorBody } from '../../../core/domain/error.ts'
import type { ModelRef } from '../../../core/domain/model.ts'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { ConnectButton } from '../../components/connect-button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { startChat } from '../../state/drafts.ts'
import { lackingIn } from '../../state/lacking.ts'
import { loadCalls, loadEnding } from '../../state/load.ts'
import { openModels } from '../../state/models-focus.ts'
import { useApp } from '../../state/store.ts'
import { retryThread } from '../../state/threads.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { failureLook, type NextAct } from './failure.ts'
import { restText, restTitle, safeText } from './stand.ts'

interface EndingProps {
  readonly thread: ThreadHeader
  /** Of the chat: what has been gone on from already asks for nothing any more. */
  readonly isNewest: boolean
}

/** A thread that gave no answer, or has not yet: what happened, what is safe, what can be done. */
export function ThreadEnding({ thread, isNewest }: EndingProps) {
  const { id, updatedAt } = thread
  // Each rest of the thread has an ending of its own.
  const load = useCallback(() => loadCalls(id).then(() => loadEnding(id)), [id, updatedAt])
  const loaded = useLoad(load)
  const ending = useApp((state) => state.known.endings[id])
  const partialText = ending?.partialText ?? ''
  const isKnown = loaded.phase !== 'loading' || (ending !== undefined && ending.error !== null)
  return (
    <>
      {partialText !== '' && (
        <div className="txt">
          <Markdown text={partialText} />
          <span className="chip">
            <Icon name="stop" size="tiny" />
            {ending?.isKept ? 'stopped here, partial answer kept' : 'stopped here, not on record'}
          </span>
        </div>
      )}
      {thread.state !== 'Failed' && <RestCard thread={thread} />}
      {thread.state === 'Failed' && isKnown && <FailedCard thread={thread} isNewest={isNewest} />}
    </>
  )
}

function FailedCard({ thread, isNewest }: EndingProps) {
  const ending = useApp((state) => state.known.endings[thread.id])
  const error = ending?.error ?? {
    code: 'orchestrator.failed',
    message: thread.reason ?? 'no reason on record',
    userMessage: thread.reason ?? 'The thread could not go on.',
    retryable: true,
  }
  const model = ending?.model ?? null
  const { title, next } = failureLook({ error, partialText: ending?.partialText ?? '' })
  const look = isNewest ? 'primary' : 'plain'
  const retry = useAction(retryThread)
  const modelFact: readonly (readonly [string, ReactNode])[] =
    model === null ? [] : [['Model', <ModelName key="m" model={model} />]]
  return (
    <>
      <ErrorCard
        className="work"
        title={title}
        error={error}
        facts={[...modelFact, ['Thread', `#${thread.number} ended; ${safeText(thread)}`]]}
        actions={
          <>
            <NextButton next={next} look={look} thread={thread} model={model} error={error} />
            <Button
              look={next === 'retry' ? look : 'plain'}
              disabled={retry.isBusy}
              onClick={() => retry.run(thread.id)}
            >
              Retry
            </Button>
            {next === 'retry' && error.code.startsWith('model.') && (
              <Button onClick={() => openModels()}>Change model</Button>
            )}
          </>
        }
      />
      {retry.error && <ErrorCard className="work" title="It could not be started again" error={retry.error} />}
    </>
  )
}

interface NextButtonProps {
  readonly next: NextAct
  readonly look: 'primary' | 'plain'
  readonly thread: ThreadHeader
  readonly model: ModelRef | null
  readonly error: ErrorBody
}

/** What mends it; trying again as it is comes second. */
function NextButton({ next, look, thread, model, error }: NextButtonProps) {
  switch (next) {
    case 'retry':
      return null
    case 'key': {
      const focus = model === null ? null : ({ kind: 'key', providerId: model.providerId } as const)
      return (
        <Button look={look} onClick={() => openModels(focus)}>
          Open Settings → Models
        </Button>
      )
    }
    case 'connect':
      return <ConnectButton skill={lackingIn(error.data)?.skill ?? null} look={look} />
    case 'model':
      return (
        <Button look={look} onClick={() => openModels()}>
          Choose another model
        </Button>
      )
    case 'window':
      return (
        <>
          <Button look={look} onClick={() => openModels(model === null ? null : { kind: 'limits', model })}>
            Set a larger window
          </Button>
          <Button onClick={() => startChat(thread.goal)}>Start a new conversation</Button>
        </>
      )
  }
}

function ModelName({ model }: { readonly model: ModelRef }) {
  const title = useApp((state) => state.settings?.providers.find(({ id }) => id === model.providerId)?.title)
  return (
    <>
      {model.model}
      {title !== undefined && <span className="mute"> of {title}</span>}
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
