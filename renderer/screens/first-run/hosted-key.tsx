import { useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import { isHosted } from '../../../core/domain/model.ts'
import { Choice } from '../../components/choice.tsx'
import type { TierModels } from '../../state/models.ts'
import { kindTitles, type ServerKind, serverKinds } from '../../state/providers.ts'
import { ConnectServer } from './connect-server.tsx'

const options = serverKinds
  .filter((kind) => kind !== 'ollama')
  .map((kind) => ({ value: kind, title: kindTitles[kind] }))

/** Whose key it is, then the key itself; a server of one's own has an address too. */
export function HostedKey({
  onModels,
}: {
  onModels(models: TierModels | null, provider: ProviderStatus | null): void
}) {
  const [kind, setKind] = useState<ServerKind>('openai')
  function choose(value: string): void {
    setKind(serverKinds.find((each) => each === value) ?? 'openai')
    onModels(null, null)
  }
  return (
    <>
      <div className="fr-field">
        <span>Provider</span>
        <Choice label="Provider" options={options} value={kind} onChange={choose} />
      </div>
      <ConnectServer key={kind} kind={kind} baseUrl={isHosted(kind) ? null : ''} hasKey onModels={onModels} />
    </>
  )
}
