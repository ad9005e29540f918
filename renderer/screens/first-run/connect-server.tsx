import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import { type Tier, tiers, tierTitles } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Icon } from '../../components/icon.tsx'
import { sameForAllTiers, saveServer, serverAddress, serverTitle, type TierModels } from '../../state/models.ts'
import { kindTitles, type ServerKind } from '../../state/providers.ts'
import { useAction } from '../../state/use-load.ts'
import { ProbeNote } from './probe-note.tsx'

interface ConnectServerProps {
  readonly kind: ServerKind
  /** Null: a provider with an address of its own, where only the key is asked for. */
  readonly baseUrl: string | null
  /** The server was found: it is asked without a click. */
  readonly connectsAtOnce?: boolean
  readonly hasKey?: boolean
  onModels(models: TierModels, provider: ProviderStatus): void
}

/** An address, a key where needed, then the models of the server for the three tiers and a real request to one of them. */
export function ConnectServer(props: ConnectServerProps) {
  const { kind, baseUrl, connectsAtOnce = false, hasKey = false, onModels } = props
  const hasAddress = baseUrl !== null
  const [address, setAddress] = useState(baseUrl ?? '')
  const [key, setKey] = useState('')
  const [provider, setProvider] = useState<ProviderStatus | null>(null)
  const [chosen, setChosen] = useState<TierModels | null>(null)
  const [asked, setAsked] = useState('')
  const url = hasAddress ? serverAddress(address) : null
  const isReady = hasAddress ? url !== null : key !== ''
  const connect = useAction(async () => {
    const saved = await saveServer({
      ...(provider && { id: provider.id }),
      kind: !hasAddress || url === baseUrl ? kind : 'openai-compatible',
      title: url === null ? kindTitles[kind] : serverTitle(url),
      baseUrl: url,
      key,
    })
    setProvider(saved)
    setAsked(`${url} ${key}`)
    const first = saved.models[0]
    if (first) take(sameForAllTiers({ providerId: saved.id, model: first.model }), saved)
  })
  function take(models: TierModels, server: ProviderStatus): void {
    setChosen(models)
    onModels(models, server)
  }
  const startedRef = useRef(false)
  // Once, when it is first shown.
  useEffect(() => {
    if (!connectsAtOnce || startedRef.current) return
    startedRef.current = true
    connect.run()
  }, [])

  const isConnected = provider !== null && !provider.error && asked === `${url} ${key}`
  /** Enter in a field connects; once that is done it goes on, as everywhere on the page. */
  function onEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || isConnected) return
    event.preventDefault()
    if (!connect.isBusy && isReady) connect.run()
  }

  const isBadAddress = hasAddress && address.trim() !== '' && url === null
  const error = connect.error ?? provider?.error ?? null
  const problem = isBadAddress ? 'This is not an address. It looks like http://127.0.0.1:8080/v1.' : error?.userMessage
  const connectButton = (
    <Button disabled={connect.isBusy || !isReady} onClick={() => connect.run()}>
      {connect.isBusy ? 'Connecting' : isConnected ? 'Ask again' : 'Connect'}
    </Button>
  )
  return (
    <>
      {hasAddress && (
        <div className="fr-field">
          <label htmlFor="server">Server</label>
          <input
            id="server"
            className={problem ? 'input mono invalid' : 'input mono'}
            spellCheck={false}
            placeholder="https://models.example.net/v1"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
            onKeyDown={onEnter}
          />
          {connectButton}
        </div>
      )}
      {hasKey && (
        <div className="fr-field">
          <label htmlFor="server-key">Key</label>
          <input
            id="server-key"
            className={problem && !hasAddress ? 'input mono invalid' : 'input mono'}
            type="password"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            onKeyDown={onEnter}
          />
          {!hasAddress && connectButton}
        </div>
      )}
      {problem && (
        <p className="field-err fr-problem">
          <Icon name="alert" size="small" />
          <span>{problem}</span>
        </p>
      )}
      {provider && chosen && !error && (
        <TierChoices provider={provider} chosen={chosen} onChange={(models) => take(models, provider)} />
      )}
    </>
  )
}

interface TierChoicesProps {
  readonly provider: ProviderStatus
  readonly chosen: TierModels
  onChange(models: TierModels): void
}

function TierChoices({ provider, chosen, onChange }: TierChoicesProps) {
  const options = provider.models.map((model) => ({ value: model.model, title: model.title }))
  const set = (tier: Tier, model: string) => onChange({ ...chosen, [tier]: { providerId: provider.id, model } })
  return (
    <>
      <div className="fr-tiers">
        {tiers.map((tier) => (
          <div key={tier}>
            <span className="label">{tierTitles[tier]}</span>
            <Choice
              label={`Model of the ${tierTitles[tier]} tier`}
              options={options}
              value={chosen[tier].model}
              onChange={(model) => set(tier, model)}
            />
          </div>
        ))}
      </div>
      <ProbeNote key={chosen.allegro.model} providerId={provider.id} model={chosen.allegro.model} />
    </>
  )
}
