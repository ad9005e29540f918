import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import type { ProbeResult } from '../../../core/domain/model.ts'
import { type Tier, tiers, tierTitles } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Icon } from '../../components/icon.tsx'
import { call } from '../../engine/client.ts'
import {
  probeText,
  sameForAllTiers,
  saveServer,
  serverAddress,
  serverTitle,
  type TierModels,
} from '../../state/models.ts'
import { useAction } from '../../state/use-load.ts'

interface ConnectServerProps {
  readonly kind: 'ollama' | 'openai-compatible'
  readonly baseUrl: string
  /** The server was found: it is asked without a click. */
  readonly connectsAtOnce: boolean
  readonly hasKey: boolean
  onModels(models: TierModels, provider: ProviderStatus): void
}

/** An address, a key where needed, then the models of the server for the three tiers and a real request to one of them. */
export function ConnectServer({ kind, baseUrl, connectsAtOnce, hasKey, onModels }: ConnectServerProps) {
  const [address, setAddress] = useState(baseUrl)
  const [key, setKey] = useState('')
  const [provider, setProvider] = useState<ProviderStatus | null>(null)
  const [chosen, setChosen] = useState<TierModels | null>(null)
  const [asked, setAsked] = useState('')
  const connect = useAction(async () => {
    const url = serverAddress(address)
    if (url === null) return
    const saved = await saveServer({
      ...(provider && { id: provider.id }),
      kind: url === baseUrl ? kind : 'openai-compatible',
      title: serverTitle(url),
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

  const isConnected = provider !== null && !provider.error && asked === `${serverAddress(address)} ${key}`
  /** Enter in a field connects; once that is done it goes on, as everywhere on the page. */
  function onEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || isConnected) return
    event.preventDefault()
    if (!connect.isBusy && serverAddress(address) !== null) connect.run()
  }

  const isBadAddress = address.trim() !== '' && serverAddress(address) === null
  const error = connect.error ?? provider?.error ?? null
  const problem = isBadAddress ? 'This is not an address. It looks like http://127.0.0.1:8080/v1.' : error?.userMessage
  return (
    <>
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
        <Button disabled={connect.isBusy || serverAddress(address) === null} onClick={() => connect.run()}>
          {connect.isBusy ? 'Connecting' : isConnected ? 'Ask again' : 'Connect'}
        </Button>
      </div>
      {hasKey && (
        <div className="fr-field">
          <label htmlFor="server-key">Key</label>
          <input
            id="server-key"
            className="input mono"
            type="password"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            onKeyDown={onEnter}
          />
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

/** A real request to the default model, made as soon as it is chosen. */
function ProbeNote({ providerId, model }: { readonly providerId: string; readonly model: string }) {
  const [result, setResult] = useState<ProbeResult | null>(null)
  const test = useAction(async () => setResult(await call('model.probe', { providerId, model })))
  const startedRef = useRef(false)
  // Once for each model.
  useEffect(() => {
    if (startedRef.current) return
    startedRef.current = true
    test.run()
  }, [])
  const error = test.error ?? result?.error
  const again = (
    <button type="button" className="link" onClick={() => test.run()}>
      Test again
    </button>
  )
  return (
    <div className="fr-note">
      {test.isBusy && <Note status="running">Testing {model} with a real request.</Note>}
      {!test.isBusy && error && (
        <Note status="failed" action={again}>
          {error.userMessage} <span className="mono">{error.code}</span>
        </Note>
      )}
      {!test.isBusy && !error && result && (
        <Note status={result.tools === false ? 'waiting' : 'done'} action={again}>
          {probeText(result)}
        </Note>
      )}
    </div>
  )
}
