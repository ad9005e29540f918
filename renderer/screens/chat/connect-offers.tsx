import { useCallback, useMemo, useState } from 'react'
import { isTerminal, type ThreadHeader } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/card.tsx'
import { ConnectButton } from '../../components/connect-button.tsx'
import { serviceTitle } from '../../format/service-names.ts'
import { readBody } from '../../record/bodies.ts'
import { loadIntegrations } from '../../state/integrations.ts'
import { failedRequestsOf, type Lacking, lackingOf } from '../../state/lacking.ts'
import { useApp } from '../../state/store.ts'
import { retryThread } from '../../state/threads.ts'
import { useAction, useLoad } from '../../state/use-load.ts'

/** Requests of a thread that lacked a credential: one offer for each service, until it is connected. */
export function ConnectOffers({ thread }: { readonly thread: ThreadHeader }) {
  const table = useApp((state) => state.known.calls[thread.id])
  const seqs = useMemo(() => (table === undefined ? [] : failedRequestsOf(table)), [table])
  const [lacking, setLacking] = useState<readonly Lacking[]>([])
  const key = seqs.join()
  // What could not be read offers nothing: the steps above it say that they failed.
  useLoad(
    useCallback(async () => {
      const found = await Promise.all(seqs.map(readLacking))
      const bySkill = new Map(found.flatMap((one) => (one === null ? [] : [[one.skill, one] as const])))
      if (bySkill.size > 0) await loadIntegrations()
      setLacking([...bySkill.values()])
    }, [key]),
  )
  return lacking.map((one) => <Offer key={one.skill} lacking={one} thread={thread} />)
}

async function readLacking(seq: number): Promise<Lacking | null> {
  const event = await readBody(seq)
  return event.kind === 'action.finished' ? lackingOf(event.body.result) : null
}

function Offer({
  lacking: { skill, credential },
  thread,
}: {
  readonly lacking: Lacking
  readonly thread: ThreadHeader
}) {
  const isConnected = useApp(({ integrations }) =>
    integrations?.integrations
      .find((each) => each.skill === skill)
      ?.credentials.some(({ name, state }) => name === credential && state === 'connected'),
  )
  const retry = useAction(retryThread)
  const title = serviceTitle(skill)
  if (isConnected !== true)
    return (
      <div className="knot-offer">
        <Note status="waiting" action={<ConnectButton skill={skill} />}>
          {title} lacked its credential, so nothing was sent. Connect it, then retry.
        </Note>
      </div>
    )
  return (
    <div className="knot-offer">
      <Note
        status="done"
        action={
          isTerminal(thread.state) && (
            <Button disabled={retry.isBusy} onClick={() => retry.run(thread.id)}>
              Retry
            </Button>
          )
        }
      >
        {title} is connected now.
      </Note>
      {retry.error && <ErrorNote title="It could not be started again" error={retry.error} />}
    </div>
  )
}
