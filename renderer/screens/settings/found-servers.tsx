import { useCallback, useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import type { DiscoveredServer } from '../../../core/domain/model.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, ErrorNote, Skeleton } from '../../components/card.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { counted } from '../../format/figures.ts'
import { sameForAllTiers, saveServer, serverTitle, setTierModels } from '../../state/models.ts'
import { useAction, useLoad } from '../../state/use-load.ts'

interface FoundServersProps {
  readonly providers: readonly ProviderStatus[]
  onAdded(): void
}

/** Servers that answer on the usual ports of this computer and are not added yet. */
export function FoundServers({ providers, onAdded }: FoundServersProps) {
  const [servers, setServers] = useState<readonly DiscoveredServer[]>([])
  const load = useLoad(useCallback(async () => setServers(await call('model.discover', {})), []))
  const known = new Set(providers.map((provider) => provider.baseUrl))
  const found = servers.filter((server) => server.found && !known.has(server.baseUrl))
  return (
    <>
      <div className="sech">
        <h2>Servers on this computer</h2>
        <Button disabled={load.phase === 'loading'} onClick={load.retry}>
          {load.phase === 'loading' ? 'Looking' : 'Rescan'}
        </Button>
      </div>
      {load.phase === 'failed' && <ErrorCard title="The ports could not be looked at" error={load.error} />}
      <div className="card">
        {found.map((server) => (
          <FoundRow key={server.baseUrl} server={server} onAdded={onAdded} />
        ))}
        {found.length === 0 && load.phase === 'loading' && <Skeleton rows={1} label="Looking at the ports" />}
        {found.length === 0 && load.phase === 'ready' && <NoneFound servers={servers} />}
      </div>
    </>
  )
}

function NoneFound({ servers }: { readonly servers: readonly DiscoveredServer[] }) {
  const places = servers.map((server) => `${server.title} (${portOf(server.baseUrl)})`).join(', ')
  const isAllAdded = servers.some((server) => server.found)
  return (
    <p className="card-text dim">
      {isAllAdded ? 'No other server answers here. ' : 'No model server answers here. '}
      {places !== '' && `Looked for ${places}. `}Start one, then rescan; or give its address below.
    </p>
  )
}

function FoundRow({ server, onAdded }: { readonly server: DiscoveredServer; onAdded(): void }) {
  const first = server.models[0]
  const add = useAction(async (isForAll: boolean) => {
    const { kind, title, baseUrl } = server
    const saved = await saveServer({ kind, title, baseUrl, key: '' })
    const model = saved.models[0] ?? first
    if (isForAll && model) await setTierModels(sameForAllTiers({ providerId: saved.id, model: model.model }))
    onAdded()
  })
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          <div className="row">
            <span>{server.title}</span>
            <Status status="done" word={`found, ${counted(server.models.length, 'model')}`} />
          </div>
          <div className="sub mono">{server.baseUrl}</div>
        </div>
        <div className="row">
          <Button disabled={add.isBusy} onClick={() => add.run(false)}>
            Add {server.title}
          </Button>
          {first && (
            <Button look="primary" disabled={add.isBusy} onClick={() => add.run(true)}>
              Add and use {first.title}
            </Button>
          )}
        </div>
      </div>
      {add.error && (
        <div className="setmore">
          <ErrorNote title={`${serverTitle(server.baseUrl)} was not added`} error={add.error} />
        </div>
      )}
    </div>
  )
}

function portOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).port : baseUrl
}
