import { useCallback, useState } from 'react'
import type { WebhookDoor, WebhookSecret, WebhookStatus } from '../../../core/domain/webhook.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { call } from '../../engine/client.ts'
import { exactText } from '../../format/dates.ts'
import { counted } from '../../format/figures.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useAction, useLoad } from '../../state/use-load.ts'

interface Read {
  readonly status: WebhookStatus
  readonly door: WebhookDoor
}

/** Where another program of this computer delivers what sets the mission off, and the secret that it signs with. */
export function WebhookSection({ missionId }: { readonly missionId: string }) {
  const [read, setRead] = useState<Read | null>(null)
  const [made, setMade] = useState<WebhookSecret | null>(null)
  const readNow = useCallback(async () => {
    const [status, door] = await Promise.all([call('webhook.status', {}), call('webhook.get', { id: missionId })])
    setRead({ status, door })
  }, [missionId])
  const load = useLoad(readNow)
  const open = useAction(async (enabled: boolean) => {
    await changeSettingsBy(({ webhooks }) => ({ webhooks: { ...webhooks, enabled } }))
    await readNow()
  })
  const renew = useAction(async () => {
    setMade(await call('webhook.renew', { id: missionId }))
    await readNow()
  })
  const error = open.error ?? renew.error ?? (load.phase === 'failed' ? load.error : null)
  return (
    <div className="section">
      <h3 className="label label-row">Webhook</h3>
      {error && <ErrorNote title="Not done" error={error} />}
      {read && (
        <dl className="kv msn-facts">
          <dt>Address</dt>
          <dd>
            <Address {...read} />
            <Button disabled={open.isBusy} onClick={() => open.run(read.status.state === 'off')}>
              {read.status.state === 'off' ? 'Listen' : 'Stop listening'}
            </Button>
          </dd>
          <dt>Secret</dt>
          <dd>
            <p>
              {read.door.secretMadeAt === null
                ? 'There is none yet: nothing can be delivered.'
                : `Made ${exactText(read.door.secretMadeAt)}. Nothing shows it again.`}
            </p>
            <Button disabled={renew.isBusy} onClick={() => renew.run()}>
              {read.door.secretMadeAt === null ? 'Make a secret' : 'Make a new one'}
            </Button>
          </dd>
          {made && <NewSecret {...made} />}
          <Refused {...read} />
        </dl>
      )}
    </div>
  )
}

/** One address for all missions, with the mission's id at its end. */
function Address({ status, door }: Read) {
  if (status.state === 'failed') return <p className="ink-failed">It does not listen: {status.reason}</p>
  if (door.url === null)
    return <p>Not listening. Once it is, programs of this computer can deliver; others never can.</p>
  return (
    <p className="row">
      <span className="mono">POST {door.url}</span>
      <CopyButton text={door.url} label="Copy the address" />
    </p>
  )
}

function NewSecret({ secret }: WebhookSecret) {
  return (
    <>
      <dt>New secret</dt>
      <dd>
        <div role="status">
          <p className="row">
            <span className="mono msn-secret">{secret}</span>
            <CopyButton text={secret} label="Copy the secret" />
          </p>
          <p className="small mute">
            Keep it now: it is shown this once. Deliveries are signed with it as Standard Webhooks are; one that was
            made before is worth nothing any more.
          </p>
        </div>
      </dd>
    </>
  )
}

function Refused({ status }: Read) {
  if (status.state !== 'listening') return null
  const refused = Object.entries(status.refused)
  if (refused.length === 0) return null
  return (
    <>
      <dt>Refused</dt>
      <dd>
        <ul className="msn-fact-list">
          {refused.map(([code, count]) => (
            <li key={code}>
              <span className="mono">{code}</span>{' '}
              <span className="mute">{counted(count, 'delivery', 'deliveries')}</span>
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}
