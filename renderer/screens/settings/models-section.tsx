import { useCallback, useEffect, useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Skeleton } from '../../components/card.tsx'
import { KeychainNote } from '../../components/keychain-note.tsx'
import { call } from '../../engine/client.ts'
import { setApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'
import { AddProvider } from './add-provider.tsx'
import { FoundServers } from './found-servers.tsx'
import { LocalSection } from './local/local-section.tsx'
import { ServerRow } from './server-row.tsx'
import { TierRows } from './tier-rows.tsx'

/** Which model works for which tier, where models come from, and whether they answer. */
export function ModelsSection() {
  const [providers, setProviders] = useState<readonly ProviderStatus[]>([])
  const read = useCallback(async () => {
    const [listed, settings] = await Promise.all([call('model.list', {}), call('settings.get', {})])
    setProviders(listed)
    setApp({ settings })
  }, [])
  const load = useLoad(read)
  // Who comes back later was not sent here.
  useEffect(() => () => setApp({ modelsFocus: null }), [])
  const servers = providers
    .filter((provider) => provider.kind !== 'planner' && provider.kind !== 'local')
    // One that is saved again keeps its place.
    .sort((a, b) => a.title.localeCompare(b.title, 'en'))
  const isFirstLoad = load.phase === 'loading' && providers.length === 0
  return (
    <>
      <h1>Models</h1>
      <p>Each tier names one model. A thread says which tier it needs, never which model.</p>
      {load.phase === 'failed' && (
        <ErrorCard
          className="after-lead"
          title="The models could not be listed"
          error={load.error}
          actions={
            <Button look="primary" onClick={load.retry}>
              Try again
            </Button>
          }
        />
      )}
      <div className="sech">
        <h2>Tiers</h2>
      </div>
      {isFirstLoad ? <Skeleton rows={3} label="Asking the servers" /> : <TierRows providers={providers} />}
      <div className="sech">
        <h2>Where models come from</h2>
        <Button disabled={load.phase === 'loading'} onClick={load.retry}>
          Ask again
        </Button>
      </div>
      <div className="card">
        <div className="setrow">
          <div>
            Built-in planner
            <div className="sub">
              Works now, no model, no account. Answers about files, figures, dates and notes; says so when a request is
              beyond it.
            </div>
          </div>
          <span className="mute small">always there</span>
        </div>
      </div>
      {servers.map((provider) => (
        <ServerRow key={provider.id} provider={provider} onChange={load.retry} />
      ))}
      <LocalSection />
      <FoundServers providers={servers} onAdded={load.retry} />
      <AddProvider onAdded={load.retry} />
      <div className="sech">
        <h2>Where keys are kept</h2>
      </div>
      <KeychainNote />
    </>
  )
}
